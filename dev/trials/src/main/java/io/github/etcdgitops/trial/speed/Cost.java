package io.github.etcdgitops.trial.speed;

import java.util.Comparator;
import java.util.List;

/// What one run of a command took. Seconds, and MiB at its peak.
record Cost(double wall, double processor, double memory) {
    /// Of each figure by itself.
    static Cost median(List<Cost> runs) {
        return new Cost(
                middle(runs.stream().map(Cost::wall).toList()),
                middle(runs.stream().map(Cost::processor).toList()),
                middle(runs.stream().map(Cost::memory).toList()));
    }

    private static double middle(List<Double> figures) {
        var sorted = figures.stream().sorted(Comparator.naturalOrder()).toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
