package io.github.etcdgitops.trial.speed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/// A folder that is deleted in the end.
record Scratch(Path path) implements AutoCloseable {
    Scratch() throws IOException {
        this(Files.createTempDirectory("etcd-gitops-benchmark-"));
    }

    @Override
    public void close() throws IOException {
        List<Path> all;
        try (var files = Files.walk(path)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (var file : all) {
            Files.delete(file);
        }
    }
}
