package io.github.etcdgitops.sandbox.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The folder of one sandbox, readable by its owner alone: what tells another process how to reach it.
record Home(Path folder) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// Linux counts a process's beginning from the machine's own, which it works out from the clock each
    /// time: to another process it can be a second off, and further after the clock was set.
    private static final Duration CLOCK_CORRECTED = Duration.ofMinutes(1);

    /// How to reach a running sandbox. `started` is when its process began, so that a pid that was given
    /// out again is not taken for it; empty where the system does not tell.
    record Running(long pid, String started, int port, String token) {
        private boolean is(ProcessHandle process) {
            var began = process.info().startInstant();
            if (began.isEmpty() || started.isEmpty()) {
                return began.isEmpty() && started.isEmpty();
            }
            return Duration.between(Instant.parse(started), began.get()).abs().compareTo(CLOCK_CORRECTED) < 0;
        }
    }

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
            return ProcessHandle.of(running.pid()).filter(running::is).map(_ -> running);
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
        String started = self.info().startInstant().map(Instant::toString).orElse("");
        write(control(), JSON.writeValueAsString(new Running(self.pid(), started, port, token)));
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
}
