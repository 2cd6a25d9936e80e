package io.github.etcdgitops.sandbox.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/// The folder of one sandbox, readable by its owner alone: what tells another process how to reach it.
record Home(Path folder) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// How to reach a running sandbox. `started` is when its process began, so that a pid that was given out again is
    /// not taken for it.
    record Running(long pid, String started, int port, String token) {}

    static Home of(Path folder) {
        return new Home(folder.toAbsolutePath().normalize());
    }

    Home create() throws IOException {
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        return this;
    }

    Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    Path log() {
        return folder.resolve("sandbox.log");
    }

    private Path control() {
        return folder.resolve("control.json");
    }

    /// Empty when no sandbox runs here, also when one was killed and left its file.
    Optional<Running> running() {
        if (!Files.exists(control())) {
            return Optional.empty();
        }
        try {
            var running = JSON.readValue(control().toFile(), Running.class);
            return ProcessHandle.of(running.pid())
                    .filter(p -> started(p).equals(running.started()))
                    .map(_ -> running);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Running require() throws IOException {
        var running = running();
        if (running.isEmpty()) {
            throw new IOException("no sandbox runs in " + folder + "; start one with: sandbox up --dir " + folder);
        }
        return running.get();
    }

    void announce(int port, String token) throws IOException {
        var self = ProcessHandle.current();
        write(control(), JSON.writeValueAsString(new Running(self.pid(), started(self), port, token)));
    }

    void forget() throws IOException {
        Files.deleteIfExists(control());
        Files.deleteIfExists(kubeconfig());
    }

    /// Whole or not at all, for its owner alone.
    void write(Path file, String text) throws IOException {
        var next = Files.createTempFile(folder, ".next", "");
        Files.writeString(next, text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String started(ProcessHandle process) {
        return process.info().startInstant().map(Object::toString).orElse("");
    }
}
