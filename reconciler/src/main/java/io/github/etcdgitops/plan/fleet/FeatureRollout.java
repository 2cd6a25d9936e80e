package io.github.etcdgitops.plan.fleet;

import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.inert.Few;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.ring.FeatureChange;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.FeatureGate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// How many rings may change a feature gate at the same time. One merge can switch a gate for every ring of
/// a fleet; `most` of them have a place, the others wait. A ring keeps its place while its change is under
/// way, and also if the change failed: a harmful gate harms no more rings than these.
///
/// It depends only on the plans and the rings, by name; nothing is stored from one run to the next.
public final class FeatureRollout {
    /// The rule id for operations that it holds.
    public static final String RULE = "feature-rollout";

    private static final int NAMED = 3;

    private final Map<ClusterRef, FeatureStanding> standings;
    private final List<ClusterPlan> plans;

    /// Rings that have a place, and the reason.
    private final SortedMap<ClusterRef, String> places = new TreeMap<>();

    private FeatureRollout(List<ClusterPlan> plans, Map<ClusterRef, FeatureStanding> standings) {
        this.plans =
                plans.stream().sorted(Comparator.comparing(ClusterPlan::ref)).toList();
        this.standings = standings;
        standings.forEach((ref, standing) -> standing.place().ifPresent(why -> places.put(ref, why)));
        this.plans.stream()
                .filter(plan -> plan.findings().stream().anyMatch(f -> f.is(FindingCode.FEATURE_TAKEN_BACK)))
                .forEach(plan -> places.put(plan.ref(), "its change was backed out"));
    }

    /// The same plans, with changes of feature gates held except for those of `most` rings. The plans
    /// already have their verdicts: a ring that waits for something else uses no place. `standings` are
    /// those of all rings.
    public static List<ClusterPlan> limited(
            List<ClusterPlan> plans, Map<ClusterRef, FeatureStanding> standings, int most) {
        return new FeatureRollout(plans, standings).limited(most);
    }

    /// The same where another process chose the rings: held except for rings whose change is under way, and
    /// `chosen`.
    public static List<ClusterPlan> only(
            List<ClusterPlan> plans, Map<ClusterRef, FeatureStanding> standings, Set<ClusterRef> chosen) {
        var rollout = new FeatureRollout(plans, standings);
        return rollout.plans.stream()
                .map(plan -> rollout.waits(plan) && !chosen.contains(plan.ref())
                        ? held(plan, "waits for its turn. Only a plan of the whole environment assigns turns")
                        : plan)
                .toList();
    }

    /// The rings that change feature gates in this plan.
    public static Set<ClusterRef> chosen(List<ClusterPlan> plans) {
        var chosen = new TreeSet<ClusterRef>();
        plans.stream()
                .filter(plan ->
                        changing(plan).stream().anyMatch(o -> o.verdict().lets()))
                .forEach(plan -> chosen.add(plan.ref()));
        return chosen;
    }

    private List<ClusterPlan> limited(int most) {
        var turned = new ArrayList<ClusterRef>();
        var waiting = new ArrayList<ClusterPlan>();
        for (var plan : plans) {
            if (waits(plan)) {
                if (before(plan, turned).size() < most) {
                    turned.add(plan.ref());
                } else {
                    waiting.add(plan);
                }
            }
        }
        return plans.stream()
                .map(plan ->
                        waiting.contains(plan) ? held(plan, why(waiting.size(), most, before(plan, turned))) : plan)
                .toList();
    }

    /// Whether the ring is about to start, and nothing else blocks it.
    private boolean waits(ClusterPlan plan) {
        return !places.containsKey(plan.ref())
                && changing(plan).stream().anyMatch(o -> o.verdict().lets());
    }

    /// Which rings have a place that this ring could use, and why.
    private SortedMap<ClusterRef, String> before(ClusterPlan plan, List<ClusterRef> turned) {
        var before = new TreeMap<>(places);
        var turnsOn = EnumSet.noneOf(FeatureGate.class);
        changing(plan).stream()
                .flatMap(o -> o.operation().features().stream())
                .filter(FeatureChange::on)
                .forEach(change -> turnsOn.add(change.gate()));
        standings.forEach((ref, standing) -> {
            if (!standing.well() && standing.has().stream().anyMatch(turnsOn::contains)) {
                before.putIfAbsent(ref, "it has the gate and is not healthy");
            }
        });
        turned.forEach(ref -> before.put(ref, "it is its turn"));
        before.remove(plan.ref());
        return before;
    }

    private static List<PlannedOperation> changing(ClusterPlan plan) {
        return plan.operations().stream()
                .filter(o -> !o.operation().features().isEmpty())
                .toList();
    }

    private static ClusterPlan held(ClusterPlan plan, String why) {
        return plan.gated(o ->
                o.operation().features().isEmpty() || !o.verdict().lets() ? o : o.with(new Verdict.Hold(RULE, why)));
    }

    private static String why(int waiting, int most, SortedMap<ClusterRef, String> before) {
        var named = before.entrySet().stream()
                .map(e -> e.getKey() + " (" + e.getValue() + ")")
                .toList();
        String who = waiting == 1 ? "waits for its turn" : "one of " + waiting + " rings that wait their turn";
        return who + ": feature gates change in " + Count.of(most, "ring")
                + " at a time (spec.limits.maxParallelFeatures of the Fleet), now in " + Few.of(named, NAMED);
    }
}
