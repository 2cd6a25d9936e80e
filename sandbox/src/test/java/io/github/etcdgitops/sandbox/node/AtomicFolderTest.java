package io.github.etcdgitops.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFolderTest {
    @TempDir
    Path folder;

    @Test
    void changesAllFilesWithOneLink() throws Exception {
        var atomic = new AtomicFolder(folder);
        atomic.publish(Map.of("a", bytes("1"), "b", bytes("1")), 0440);
        Path before = folder.resolve("..data").toRealPath();

        atomic.publish(Map.of("b", bytes("2"), "c", bytes("2")), 0440);

        assertThat(visible()).containsExactly("b", "c");
        assertThat(folder.resolve("b")).hasContent("2");
        assertThat(Files.readSymbolicLink(folder.resolve("b"))).isEqualTo(Path.of("..data/b"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("b"))))
                .isEqualTo("r--r-----");
        assertThat(before).doesNotExist();
    }

    @Test
    void leavesFilesAloneThatDidNotChange() throws Exception {
        var atomic = new AtomicFolder(folder);
        atomic.publish(Map.of("a", bytes("1")), 0644);
        Path before = folder.resolve("..data").toRealPath();

        atomic.publish(Map.of("a", bytes("1")), 0644);

        assertThat(folder.resolve("..data").toRealPath()).isEqualTo(before);
    }

    private List<String> visible() throws IOException {
        try (Stream<Path> listed = Files.list(folder)) {
            return listed.map(p -> p.getFileName().toString())
                    .filter(name -> !name.startsWith(".."))
                    .sorted()
                    .toList();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }
}
