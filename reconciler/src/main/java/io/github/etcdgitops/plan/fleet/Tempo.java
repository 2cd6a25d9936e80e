package io.github.etcdgitops.plan.fleet;

import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.roll.RollStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// How long steps took in earlier runs of this fleet, in milliseconds by step name, the newest last. For
/// people only: no deadline and no rule depends on it.
public record Tempo(SortedMap<String, List<Long>> steps) {
    public static final Tempo NONE = new Tempo(new TreeMap<>());

    /// Enough samples for a usual duration, and few enough to follow changes of the fleet.
    private static final int KEPT = 40;

    /// Fewer samples show no usual duration.
    private static final int ENOUGH = 3;

    /// A real ring takes about a third of the estimated time.
    private static final int QUICKER = 3;

    public Tempo {
        var kept = new TreeMap<String, List<Long>>();
        steps.forEach((step, times) ->
                kept.put(step, List.copyOf(times.subList(Math.max(0, times.size() - KEPT), times.size()))));
        steps = Collections.unmodifiableSortedMap(kept);
    }

    /// From about `least` to about `most`. The durations of `recorded` of `all` steps come from this fleet;
    /// the others are estimates.
    public record Range(Duration least, Duration most, int recorded, int all) {
        private static final Range NOTHING = new Range(Duration.ZERO, Duration.ZERO, 0, 0);

        private Range and(Range other) {
            return new Range(
                    least.plus(other.least), most.plus(other.most), recorded + other.recorded, all + other.all);
        }
    }

    /// The same, with one more completed step.
    public Tempo and(String step, long millis) {
        var more = new TreeMap<>(steps);
        var times = new ArrayList<>(more.getOrDefault(step, List.of()));
        times.add(millis);
        more.put(step, times);
        return new Tempo(more);
    }

    /// For these operations, one after the other.
    public Range of(List<PlannedOperation> operations) {
        return operations.stream()
                .flatMap(operation -> operation.steps().stream())
                .map(planned -> of(planned.step()))
                .reduce(Range.NOTHING, Range::and);
    }

    private Range of(Step step) {
        var times = steps.getOrDefault(step.name(), List.of()).stream().sorted().toList();
        if (step instanceof RollStep.Soak(Duration time)) {
            return new Range(time, time, 1, 1);
        }
        if (times.size() < ENOUGH) {
            var most = Estimate.of(step);
            return new Range(most.dividedBy(QUICKER), most, 0, 1);
        }
        int tenth = times.size() / 10;
        return new Range(
                Duration.ofMillis(times.get(tenth)), Duration.ofMillis(times.get(times.size() - 1 - tenth)), 1, 1);
    }
}
