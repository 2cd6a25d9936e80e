package io.github.etcdgitops.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/// Expected output in files below one folder of `src/test/resources/golden`.
///
/// Run with `-Dgolden.update=true` to rewrite them, and read the difference before committing it. Call
/// [#assertAllUsed] after all tests of the folder: a file that no test reads proves nothing.
public final class Golden {
    private static final Path ROOT = Path.of("src/test/resources/golden");
    private static final boolean UPDATE = Boolean.getBoolean("golden.update");

    private final Path folder;
    private final Set<String> used = new ConcurrentSkipListSet<>();

    public Golden(String folder) {
        this.folder = ROOT.resolve(folder);
    }

    /// `path` is relative to the folder, with `/`.
    public void assertMatches(String path, String actual) {
        used.add(path);
        Path file = folder.resolve(path);
        try {
            if (UPDATE) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, actual);
            }
            assertThat(file)
                    .as("golden file; -Dgolden.update=true writes it")
                    .isRegularFile()
                    .hasContent(actual);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void assertAllUsed() {
        try (var files = Files.walk(folder)) {
            var unused = files.filter(Files::isRegularFile)
                    .filter(file ->
                            !used.contains(folder.relativize(file).toString().replace('\\', '/')))
                    .toList();
            if (UPDATE) {
                for (Path file : unused) {
                    Files.delete(file);
                }
            } else {
                assertThat(unused).as("golden files that no test read").isEmpty();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
