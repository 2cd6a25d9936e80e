package io.github.etcdgitops.plan.fleet;

import static io.github.etcdgitops.observe.Reading.fresh;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.spec.ring.Defaults;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Risk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Who may change its feature gates, over every fleet of five rings in which each stands in one of these
/// ways.
class FeatureRolloutTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final int RINGS = 5;

    private enum Stands {
        /// Wants the gate, and may begin.
        READY,
        /// Wants it, and is in the midst of it.
        UNDER_WAY,
        /// Wants it, and it was taken back.
        TAKEN_BACK,
        /// Has it, and is not well.
        SICK_WITH_IT,
        /// Is not well, and has it not.
        SICK
    }

    private static final List<ClusterPlan> WANTING = IntStream.range(0, RINGS)
            .mapToObj(FeatureRolloutTest::ring)
            .map(ref -> planned(Specs.withFeatures(Given.spec(ref, 3, "3.5.16"), FeatureGate.COMPACT_HASH_CHECK)))
            .toList();

    private static ClusterRef ring(int number) {
        return new ClusterRef("demo", "r" + number);
    }

    private static ClusterPlan planned(EtcdClusterSpec spec) {
        var world = Given.ring(spec.ref().namespace(), spec.ref().name()).build();
        return Planner.plan(spec, fresh(world, spec), BackupNeeds.NONE, NOW);
    }

    private static ClusterPlan nothing(ClusterRef ref, FindingCode code) {
        return ClusterPlan.rejected(ref, List.of(new Finding(Level.ERROR, code, "")));
    }

    private record Fleets(List<ClusterPlan> plans, TreeMap<ClusterRef, FeatureStanding> standings) {
        static Fleets of(List<Stands> stands) {
            var fleet = new Fleets(new ArrayList<>(), new TreeMap<>());
            for (int i = 0; i < stands.size(); i++) {
                fleet.add(i, stands.get(i));
            }
            return fleet;
        }

        private void add(int number, Stands stands) {
            var gate = new TreeSet<>(Set.of(FeatureGate.COMPACT_HASH_CHECK));
            var none = new TreeSet<FeatureGate>();
            var wants = WANTING.get(number);
            plans.add(
                    switch (stands) {
                        case READY, UNDER_WAY -> wants;
                        case TAKEN_BACK -> nothing(wants.ref(), FindingCode.FEATURE_TAKEN_BACK);
                        case SICK, SICK_WITH_IT -> nothing(wants.ref(), FindingCode.NOT_GREEN);
                    });
            standings.put(
                    wants.ref(),
                    switch (stands) {
                        case READY, TAKEN_BACK -> new FeatureStanding(Optional.empty(), none, true);
                        case UNDER_WAY -> new FeatureStanding(Optional.of("its change is under way"), none, false);
                        case SICK_WITH_IT -> new FeatureStanding(Optional.empty(), gate, false);
                        case SICK -> new FeatureStanding(Optional.empty(), none, false);
                    });
        }
    }

    private static List<List<Stands>> everyFleet() {
        List<List<Stands>> fleets = List.of(List.of());
        for (int i = 0; i < RINGS; i++) {
            fleets = fleets.stream()
                    .flatMap(fleet -> java.util.Arrays.stream(Stands.values()).map(next -> {
                        var longer = new ArrayList<>(fleet);
                        longer.add(next);
                        return (List<Stands>) longer;
                    }))
                    .toList();
        }
        return fleets;
    }

    @Test
    void neverExceedsSlots() {
        for (var stands : everyFleet()) {
            var fleet = Fleets.of(stands);
            long taken = stands.stream()
                    .filter(s -> s != Stands.READY && s != Stands.SICK)
                    .count();
            for (int most = 1; most <= 3; most++) {
                var limited = FeatureRollout.limited(fleet.plans(), fleet.standings(), most);

                var may = FeatureRollout.chosen(limited);
                var expected = new TreeSet<ClusterRef>();
                for (int i = 0; i < RINGS; i++) {
                    boolean free = stands.get(i) == Stands.READY
                            && taken
                                            + expected.stream()
                                                    .filter(r -> ready(stands, r))
                                                    .count()
                                    < most;
                    if (stands.get(i) == Stands.UNDER_WAY || free) {
                        expected.add(ring(i));
                    }
                }
                assertThat(may).as(stands + ", " + most).isEqualTo(expected);
            }
        }
    }

    private static boolean ready(List<Stands> stands, ClusterRef ref) {
        return stands.get(ref.name().charAt(1) - '0') == Stands.READY;
    }

    @Test
    void onlyChosenRingsGetSlots() {
        for (var stands : everyFleet()) {
            var fleet = Fleets.of(stands);

            var may = FeatureRollout.chosen(
                    FeatureRollout.only(fleet.plans(), fleet.standings(), Set.of(ring(1), ring(3))));

            for (int i = 0; i < RINGS; i++) {
                boolean expected =
                        stands.get(i) == Stands.UNDER_WAY || (stands.get(i) == Stands.READY && (i == 1 || i == 3));
                assertThat(may.contains(ring(i))).as(stands + ", " + i).isEqualTo(expected);
            }
        }
    }

    /// Somebody must say yes to a ring of two, and perhaps nobody will for weeks.
    @Test
    void waitingRingTakesNoSlot() {
        var policies =
                new PolicyEngine(new Fleet(List.of(), Fleet.Limits.DEFAULT, Risk.HIGH, Defaults.NONE), List.of());
        var world = Given.ring("demo", "a").members(2).build();
        var spec = Specs.withFeatures(
                Given.spec(new ClusterRef("demo", "a"), 2, "3.5.16"), FeatureGate.COMPACT_HASH_CHECK);
        var waiting = Planner.plan(spec, fresh(world, spec), BackupNeeds.NONE, NOW);
        var plans = java.util.stream.Stream.of(waiting, WANTING.getFirst(), WANTING.get(1))
                .map(plan -> policies.gate(plan, NOW))
                .toList();

        var limited = FeatureRollout.limited(plans, new TreeMap<>(), 1);

        assertThat(FeatureRollout.chosen(limited)).containsExactly(ring(0));
        assertThat(rules(limited.getFirst())).containsExactly("approval");
        assertThat(rules(limited.get(2))).containsExactly(FeatureRollout.RULE);
    }

    /// What comes after it was planned on a ring that has it.
    @Test
    void laterChangesOfARingWaitWithIt() {
        var policies = new PolicyEngine(Fleet.DEFAULT, List.of());
        var plans = IntStream.range(0, 2)
                .mapToObj(i -> policies.gate(
                        planned(Specs.withFeatures(
                                Given.spec(ring(i), 5, "3.5.30"),
                                FeatureGate.COMPACT_HASH_CHECK,
                                FeatureGate.PEER_TLS)),
                        NOW))
                .toList();

        var limited = FeatureRollout.limited(plans, new TreeMap<>(), 1).stream()
                .map(plan -> policies.gate(plan, NOW))
                .toList();

        assertThat(rules(limited.getFirst())).isEmpty();
        assertThat(rules(limited.getLast()))
                .containsExactly(
                        FeatureRollout.RULE, FeatureRollout.RULE, FeatureRollout.RULE, "order", "order", "order");
        assertThat(limited.stream().map(plan -> policies.gate(plan, NOW)).toList())
                .isEqualTo(limited);
    }

    private static List<String> rules(ClusterPlan plan) {
        return plan.operations().stream()
                .flatMap(o -> o.verdict() instanceof Verdict.Hold hold
                        ? java.util.stream.Stream.of(hold.rule())
                        : java.util.stream.Stream.<String>empty())
                .toList();
    }
}
