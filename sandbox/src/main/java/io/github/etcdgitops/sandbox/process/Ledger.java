package io.github.etcdgitops.sandbox.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// The processes of a sandbox, in a file, so that they can be ended after it was killed itself.
///
/// A process is named by its ID, when it started, and the boot of the machine: an ID alone comes around
/// again.
public final class Ledger {
    private static final String NAME = "processes";
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final int START_AFTER_NAME = 19;

    private final Path file;
    private final TreeMap<Long, String> lines = new TreeMap<>();

    public Ledger(Path folder) {
        file = folder.resolve(NAME);
    }

    public synchronized void add(long pid) {
        identity(pid).ifPresent(identity -> {
            lines.put(pid, identity);
            write();
        });
    }

    public synchronized void remove(long pid) {
        if (lines.remove(pid) != null) {
            write();
        }
    }

    /// Ends what the ledger in this folder names and is still the same process. Returns how many there were.
    public static int endLeftovers(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        List<ProcessHandle> left;
        try {
            left = Files.readAllLines(file).stream()
                    .flatMap(line -> leftover(line).stream())
                    .toList();
        } catch (NoSuchFileException e) {
            return 0;
        }
        left.forEach(ProcessHandle::destroy);
        try {
            CompletableFuture.allOf(left.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
                    .orTimeout(GRACE.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } catch (java.util.concurrent.CompletionException tooSlow) {
            left.forEach(ProcessHandle::destroyForcibly);
        }
        Files.deleteIfExists(file);
        return left.size();
    }

    private static Optional<ProcessHandle> leftover(String line) {
        long pid = Long.parseLong(line.split(" ", 2)[0]);
        return identity(pid).filter(line::equals).flatMap(same -> ProcessHandle.of(pid));
    }

    private static Optional<String> identity(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            List<String> fields =
                    Arrays.asList(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
            String boot =
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            return Optional.of(pid + " " + fields.get(START_AFTER_NAME) + " " + boot);
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    private void write() {
        Path next = file.resolveSibling(NAME + ".next");
        try {
            Files.writeString(
                    next, lines.values().stream().map(line -> line + "\n").collect(Collectors.joining()));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
