package io.github.etcdgitops.trial.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Starts the launcher, as a CronJob would: a new process each time, which knows nothing of the one
/// before.
public final class Tool {
    /// Beside the members' cgroup every thread of a process on the node counts as much as half a member.
    /// In a pod the whole of it is weighed by the CPU that it asks for, a tenth of one.
    public static final List<String> AS_IN_A_POD = List.of("nice", "-n", "15");

    private final Path folder;
    private final String url;
    private final AtomicInteger number = new AtomicInteger();
    private final Map<String, String> always = new TreeMap<>();

    public Tool(Path folder, String url) throws IOException {
        this.folder = Files.createDirectories(folder.resolve("runs"));
        this.url = url;
    }

    /// From now on every run has this in its environment.
    public void environment(String variable, String value) {
        always.put(variable, value);
    }

    public Run start(String command, String... more) throws IOException {
        return start(Map.of(), command, more);
    }

    public Run start(Map<String, String> environment, String command, String... more) throws IOException {
        return start(List.of(), environment, command, more);
    }

    /// A command that reads no repository, to its end.
    public Run bare(String command, String... more) throws IOException {
        var words = new ArrayList<>(List.of(launcher(), command));
        words.addAll(List.of(more));
        var run = launch(out(command), List.of(), words, Map.of());
        TrialFailure.unless(run.exit() == 0, command + " ended with " + run.exit() + ": " + run.tail());
        return run;
    }

    /// The same with more in its environment, and whatever its end is.
    public Run bare(Map<String, String> environment, String command, String... more) throws IOException {
        var words = new ArrayList<>(List.of(launcher()));
        words.addAll(List.of(command.split(" ")));
        words.addAll(List.of(more));
        return launch(out(command), List.of(), words, environment);
    }

    /// `command` may be several words (`backup list`); `before` are words that start the launcher
    /// elsewhere.
    public Run start(List<String> before, Map<String, String> environment, String command, String... more)
            throws IOException {
        var out = out(command);
        var words = new ArrayList<>(List.of(launcher()));
        words.addAll(List.of(command.split(" ")));
        words.addAll(List.of("--repo", url));
        words.addAll(List.of(more));
        if (command.equals("reconcile")) {
            words.addAll(List.of("--metrics-file", metrics(out).toString()));
        }
        return launch(out, before, words, environment);
    }

    private Path out(String command) {
        return folder.resolve(String.format("%04d-%s.out", number.incrementAndGet(), command.replace(' ', '-')));
    }

    private Run launch(Path out, List<String> before, List<String> words, Map<String, String> environment)
            throws IOException {
        var line = new ArrayList<>(before);
        line.addAll(AS_IN_A_POD);
        line.addAll(words);
        var err = out.resolveSibling(out.getFileName().toString().replaceAll("out$", "err"));
        var builder = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(k -> k.startsWith("ETCD_GITOPS_"));
        builder.environment().putAll(always);
        builder.environment().putAll(environment);
        return new Run(builder.start(), out, err);
    }

    /// Where a run that came to its end left its metrics.
    public static RunMetrics metrics(Run run) {
        return new RunMetrics(metrics(run.out()));
    }

    private static Path metrics(Path out) {
        return out.resolveSibling(out.getFileName() + ".prom");
    }

    /// Of every run of the trial that came to its end.
    public List<RunMetrics> allMetrics() throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".prom"))
                    .map(RunMetrics::new)
                    .toList();
        }
    }

    /// Runs to the end and demands the exit code.
    public Run demand(int exit, String command, String... more) throws IOException {
        var run = start(command, more);
        int got = run.exit();
        TrialFailure.unless(got == exit, command + " ended with " + got + " instead of " + exit + ": " + run.tail());
        return run;
    }

    /// A plan, whatever it found: what is wrong with a ring or with its document shows in the exit code as well.
    public Run planned(String... more) throws IOException {
        var run = start("plan", more);
        int exit = run.exit();
        TrialFailure.unless(List.of(0, 10, 11, 13).contains(exit), "plan ended with " + exit + ": " + run.tail());
        return run;
    }

    public static String launcher() {
        return Path.of(System.getProperty("trials.root", "."))
                .toAbsolutePath()
                .normalize()
                .resolve("etcd-gitops")
                .toString();
    }
}
