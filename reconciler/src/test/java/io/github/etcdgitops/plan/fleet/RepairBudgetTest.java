package io.github.etcdgitops.plan.fleet;

import static io.github.etcdgitops.observe.Reading.fresh;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What is mended unasked, over every fleet of five rings in which each stands in one of these ways.
class RepairBudgetTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final int RINGS = 5;

    private enum Stands {
        WELL,
        /// Lost a volume, and may be mended unasked.
        AUTOMATIC,
        /// Lost a volume; somebody is to decide.
        MANUAL,
        /// Somebody asks for another volume.
        ASKED
    }

    private static final List<Map<Stands, ClusterPlan>> PLANS =
            IntStream.range(0, RINGS).mapToObj(RepairBudgetTest::planned).toList();

    private static ClusterRef ring(int number) {
        return new ClusterRef("demo", "r" + number);
    }

    private static Map<Stands, ClusterPlan> planned(int number) {
        var plans = new EnumMap<Stands, ClusterPlan>(Stands.class);
        for (var stands : Stands.values()) {
            var ref = ring(number);
            var world = Given.ring(ref.namespace(), ref.name()).build();
            if (stands == Stands.AUTOMATIC || stands == Stands.MANUAL) {
                world.faults(ref).loseVolume(1);
                world.tick(20);
            }
            plans.put(stands, planned(world, spec(stands, ref, world)));
        }
        return plans;
    }

    private static EtcdClusterSpec spec(Stands stands, ClusterRef ref, FakeWorld world) {
        var spec = Given.spec(ref, 3, "3.5.16");
        return switch (stands) {
            case WELL, AUTOMATIC -> Specs.repairing(spec, Mode.AUTOMATIC);
            case MANUAL -> Specs.repairing(spec, Mode.MANUAL);
            case ASKED -> Specs.resetting(spec, 2, world.look(ref).claimUid(2));
        };
    }

    private static ClusterPlan planned(FakeWorld world, EtcdClusterSpec spec) {
        var policies = new PolicyEngine(Fleet.DEFAULT, List.of());
        return policies.gate(Planner.plan(spec, fresh(world, spec), BackupNeeds.NONE, NOW), NOW);
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

    private static List<ClusterPlan> plans(List<Stands> fleet) {
        return IntStream.range(0, RINGS)
                .mapToObj(i -> PLANS.get(i).get(fleet.get(i)))
                .toList();
    }

    @Test
    void repairsWithoutApprovalOnlyWithinLimit() {
        for (var fleet : everyFleet()) {
            long lost = fleet.stream()
                    .filter(s -> s == Stands.AUTOMATIC || s == Stands.MANUAL)
                    .count();
            for (int most = 0; most <= RINGS; most++) {
                var limited = new RepairBudget(most, _ -> false).limited(plans(fleet));

                for (int i = 0; i < RINGS; i++) {
                    var expected = switch (fleet.get(i)) {
                        case WELL -> List.of();
                        case AUTOMATIC -> List.of(lost <= most ? "" : RepairBudget.RULE);
                        case MANUAL -> List.of("approval");
                        case ASKED -> List.of("");
                    };
                    assertThat(rules(limited.get(i)))
                            .as("%s, %d, %d", fleet, most, i)
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void onlyChosenRingsAreRepaired() {
        var plans = plans(List.of(Stands.AUTOMATIC, Stands.AUTOMATIC, Stands.ASKED, Stands.WELL, Stands.MANUAL));
        var budget = new RepairBudget(RINGS, _ -> false);

        assertThat(RepairBudget.chosen(budget.limited(plans))).containsExactly(ring(0), ring(1));
        assertThat(RepairBudget.chosen(budget.only(plans, Set.of(ring(1))))).containsExactly(ring(1));
    }

    @Test
    void startsApprovedOperation() {
        var plans = plans(List.of(Stands.AUTOMATIC, Stands.AUTOMATIC, Stands.WELL, Stands.WELL, Stands.WELL));
        var operation = plans.get(1).operations().getFirst().operation();
        var approval = new Approval(
                "look", ring(1), Set.of(operation.id()), "ann", NOW.plusSeconds(60), Location.ofFile("a.yaml"));
        var policies = new PolicyEngine(Fleet.DEFAULT, List.of(approval));

        var limited = new RepairBudget(1, o -> policies.approved(o, NOW)).limited(plans);

        assertThat(limited.stream().map(RepairBudgetTest::rules).limit(2))
                .containsExactly(List.of(RepairBudget.RULE), List.of(""));
        assertThat(policies.approved(operation, NOW.plusSeconds(60))).isFalse();
        assertThat(((Verdict.Hold) limited.getFirst().operations().getFirst().verdict()).reason())
                .startsWith("2 rings have lost members at the same time, and at most 1 are repaired without approval")
                .contains("etcd-gitops approve --operation "
                        + plans.getFirst().operations().getFirst().operation().id());
    }

    /// By name of the rule that holds it; empty for what may begin.
    private static List<String> rules(ClusterPlan plan) {
        return plan.operations().stream()
                .map(o -> o.verdict() instanceof Verdict.Hold hold ? hold.rule() : "")
                .toList();
    }
}
