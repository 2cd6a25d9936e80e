package io.github.etcdgitops.report;

import io.github.etcdgitops.inert.Few;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.FindingCode;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The lines above everything else in a plan, in `status` and on the page: what stops changes of many
/// rings, and what cannot be undone. A reader of a single line reads these.
public final class Banners {
    /// How many entries a banner names.
    private static final int NAMED = 5;

    private Banners() {}

    /// What blocks changes of rings, whatever is planned for them.
    public static List<String> stops(FleetPlan plan) {
        var lines = new ArrayList<String>();
        plan.findings().stream()
                .filter(finding -> finding.is(FindingCode.STOPPED))
                .forEach(finding -> lines.add("Stopped: " + finding.message()));
        var suspended = plan.clusters().stream()
                .filter(ring -> ring.situation() == Situation.SUSPENDED)
                .map(ring -> ring.ref().toString())
                .toList();
        if (!suspended.isEmpty()) {
            lines.add("Suspended: " + named(suspended));
        }
        freezes(plan).forEach((reason, rings) -> lines.add("Frozen: " + named(List.copyOf(rings)) + ": " + reason));
        return List.copyOf(lines);
    }

    private static SortedMap<String, SortedSet<String>> freezes(FleetPlan plan) {
        var freezes = new TreeMap<String, SortedSet<String>>();
        for (var ring : plan.clusters()) {
            for (var planned : ring.operations()) {
                if (planned.verdict() instanceof Verdict.Hold(String _, String reason, Verdict.Cause cause)
                        && cause == Verdict.Cause.FREEZE) {
                    freezes.computeIfAbsent(reason, _ -> new TreeSet<>())
                            .add(ring.ref().toString());
                }
            }
        }
        return freezes;
    }

    /// Steps that cannot be undone, with the ring in front.
    public static List<String> moments(FleetPlan plan) {
        return plan.clusters().stream()
                .flatMap(ring -> moments(ring).map(text -> ring.ref() + ": " + text))
                .toList();
    }

    private static java.util.stream.Stream<String> moments(ClusterPlan ring) {
        return ring.findings().stream().filter(Finding::cannotBeTakenBack).map(Finding::message);
    }

    public static List<String> of(FleetPlan plan) {
        var lines = new ArrayList<>(stops(plan));
        moments(plan).forEach(text -> lines.add("No way back: " + text));
        return List.copyOf(lines);
    }

    private static String named(List<String> rings) {
        return Few.of(rings, NAMED);
    }
}
