package io.github.etcdgitops.telemetry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// What this process has used: processor time, and the maximum resident memory, in bytes. Both as far as
/// the system reports them.
public record ProcessFigures(Optional<Duration> processor, Optional<Long> peakMemory) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern HIGH_WATER = Pattern.compile("(?m)^VmHWM:\\s+(\\d+) kB$");
    private static final long KIBI = 1024;

    public static ProcessFigures now() {
        return new ProcessFigures(ProcessHandle.current().info().totalCpuDuration(), peak());
    }

    private static Optional<Long> peak() {
        try {
            var found = HIGH_WATER.matcher(Files.readString(STATUS));
            return found.find() ? Optional.of(Long.parseLong(found.group(1)) * KIBI) : Optional.empty();
        } catch (IOException _) {
            // Not a Linux system.
            return Optional.empty();
        }
    }
}
