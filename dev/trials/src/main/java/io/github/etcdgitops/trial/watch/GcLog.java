package io.github.etcdgitops.trial.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// What a JVM writes of its collections, given [#option].
public record GcLog(Path file) {
    private static final Pattern COLLECTION = Pattern.compile("(\\d+)M->(\\d+)M\\(");

    public String option() {
        return "-Xlog:gc:file=" + file;
    }

    /// The most that was in use when a collection began, in MiB.
    public long peak() throws IOException {
        return COLLECTION
                .matcher(Files.readString(file))
                .results()
                .mapToLong(m -> Long.parseLong(m.group(1)))
                .max()
                .orElse(0);
    }
}
