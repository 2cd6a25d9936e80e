package io.github.etcdgitops.trial.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// What `--metrics-file` holds after a run.
public record RunMetrics(Path file) {
    private static final Pattern CALLS =
            Pattern.compile("etcd_gitops_api_calls_total\\{resource=\"(.*)\",verb=\"(.*)\"} ([0-9.E]+)");

    public double value(String name) {
        return lines().stream()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new TrialFailure("there is no " + name + " among the metrics"));
    }

    /// Requests to the API server, as `list pods`.
    public Map<String, Long> apiCalls() {
        var calls = new TreeMap<String, Long>();
        lines().stream()
                .map(CALLS::matcher)
                .filter(m -> m.matches())
                .forEach(m -> calls.put(m.group(2) + " " + m.group(1), (long) Double.parseDouble(m.group(3))));
        return calls;
    }

    private List<String> lines() {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
