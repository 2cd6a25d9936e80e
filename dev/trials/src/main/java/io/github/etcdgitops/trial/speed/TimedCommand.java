package io.github.etcdgitops.trial.speed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A command that is measured as a whole process, with its start. Its output is shown only if it fails.
record TimedCommand(String title, List<String> words, Map<String, String> environment) {
    /// The shell prints its own line of `/proc`: there, the kernel adds up what the ended command used.
    private static final String SCRIPT = "out=$1; shift; \"$@\" >\"$out\" 2>&1; code=$?; cat /proc/$$/stat; exit $code";

    /// Of the clock that `/proc` counts in; the same on each Linux.
    private static final double TICKS_PER_SECOND = 100;

    private static final int CHILDREN_USER = 13;
    private static final int LOOK_MILLIS = 30;

    TimedCommand(String title, String... words) {
        this(title, List.of(words), Map.of());
    }

    Cost run() throws IOException, InterruptedException {
        Path output = Files.createTempFile("etcd-gitops-benchmark-", ".out");
        try {
            return run(output);
        } finally {
            Files.delete(output);
        }
    }

    private Cost run(Path output) throws IOException, InterruptedException {
        var line = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh", output.toString()));
        line.addAll(words);
        var builder = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().keySet().removeIf(name -> name.startsWith("ETCD_GITOPS_"));
        builder.environment().putAll(environment);
        long began = System.nanoTime();
        var process = builder.start();
        long peak = 0;
        // Each look takes time from what is measured.
        while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            peak = Math.max(peak, below(process.pid()));
        }
        double wall = (System.nanoTime() - began) / 1e9;
        String stat = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        if (process.exitValue() != 0) {
            throw new IllegalStateException(
                    String.join(" ", words) + " ended with " + process.exitValue() + ":\n" + Files.readString(output));
        }
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        double ticks = Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_USER + 1]);
        return new Cost(wall, ticks / TICKS_PER_SECOND, peak / 1024.0);
    }

    /// The highest peak of all processes below this one. It asks the kernel for their children alone: to look at all
    /// processes of the machine each time would slow down what is measured.
    private static long below(long parent) {
        long highest = 0;
        for (String child : read(parent, "task/" + parent + "/children").split(" ")) {
            if (!child.isBlank()) {
                long pid = Long.parseLong(child);
                highest = Math.max(highest, Math.max(peak(pid), below(pid)));
            }
        }
        return highest;
    }

    /// KiB; the kernel keeps the highest value, so only what the last milliseconds add can be missed.
    private static long peak(long process) {
        return read(process, "status")
                .lines()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }

    /// Empty when the process has ended.
    private static String read(long process, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process), file));
        } catch (IOException _) {
            return "";
        }
    }
}
