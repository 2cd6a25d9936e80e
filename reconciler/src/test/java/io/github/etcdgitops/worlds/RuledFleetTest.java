package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.policy.FleetRules;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.Decisions;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Rulebook;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A merge that upgrades every ring of a fleet, with rules about which of them come first, how many at a time
/// and how many at all; run after run.
class RuledFleetTest {
    private static final int RINGS = 5;
    private static final String FORMER = "3.5.16";
    private static final String NEWER = "3.5.30";
    private static final Duration SOAK = Duration.ofMinutes(5);
    private static final String WAVES =
            "waves: {order: [{matchLabels: {wave: canary}}, {matchLabels: {wave: early}}], soak: 5m}";

    private FeatureFleet fleet = new FeatureFleet(RINGS, 3, 1);
    private final Map<ClusterRef, String> versions = new TreeMap<>();
    private final List<Approval> approvals = new ArrayList<>();
    private Rulebook rules = Rulebook.EMPTY;

    private void ruled(String text) {
        var files = new TreeMap<String, byte[]>();
        files.put(
                "policies/p.yaml",
                ("apiVersion: etcdgitops.dev/v1alpha1\nkind: Policy\nmetadata: {name: all}\nspec: {rules: {" + text
                                + "}}\n")
                        .getBytes(StandardCharsets.UTF_8));
        var read = SpecLoader.load(new SourceTree("0", files, List.of(), "digest"));
        assertThat(read.violations()).isEmpty();
        rules = read.decisions().rules();
        fleet.says(this::documents);
    }

    private DesiredState documents(DesiredState plain) {
        var rings = new TreeMap<ClusterRef, EtcdClusterSpec>();
        plain.rings().forEach((ref, spec) -> rings.put(ref, ring(ref, spec.size())));
        return new DesiredState(
                plain.fleet(),
                rings,
                new Decisions(approvals, List.of(), rules),
                plain.protection(),
                plain.rejected(),
                List.of(),
                "digest");
    }

    private EtcdClusterSpec ring(ClusterRef ref, int size) {
        int number = fleet.refs.indexOf(ref);
        String wave = number == 0 ? "canary" : number < 3 ? "early" : "late";
        return Specs.labelled(
                Given.spec(ref, size, versions.getOrDefault(ref, FORMER)),
                Map.of("wave", wave, "zone", number % 2 == 0 ? "a" : "b"));
    }

    private void upgradeAll() {
        fleet.refs.forEach(ref -> versions.put(ref, NEWER));
    }

    /// Rings whose members all run the newer version.
    private List<String> upgraded() {
        return fleet.refs.stream()
                .filter(ref -> fleet.world
                        .look(ref)
                        .journal()
                        .filter(j -> j.intent().isEmpty()
                                && j.applied().version().toString().equals(NEWER))
                        .isPresent())
                .map(ClusterRef::name)
                .toList();
    }

    private List<Verdict> verdicts() {
        return fleet.plan().clusters().stream()
                .flatMap(plan -> plan.operations().stream())
                .map(o -> o.verdict())
                .toList();
    }

    private static List<String> names(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "r" + i).toList();
    }

    @Test
    void waveWaitsUntilEarlierWaveHasSoaked() {
        ruled(WAVES);
        upgradeAll();
        var when = new TreeMap<Integer, Instant>();
        for (int run = 0; run < 60 && upgraded().size() < RINGS; run++) {
            int before = upgraded().size();
            var began = fleet.world.instant();
            fleet.run();
            if (upgraded().size() > before) {
                when.put(upgraded().size(), began);
            }
        }

        assertThat(when.keySet()).containsExactly(1, 3, 5);
        assertThat(Duration.between(when.get(1), when.get(3))).isGreaterThan(SOAK);
        assertThat(Duration.between(when.get(3), when.get(5))).isGreaterThan(SOAK);
        assertThat(fleet.breaches()).isEmpty();
    }

    @Test
    void planNamesRingsThatEachRingWaitsForAndIsStable() {
        ruled(WAVES);
        upgradeAll();

        var plan = fleet.plan();

        assertThat(verdicts().getFirst().lets()).isTrue();
        assertThat(verdicts().get(1))
                .isEqualTo(new Verdict.Hold(
                        "waves",
                        "the ring is in wave 2 of 3, and demo/r0 (wave 1) must first do its UpgradeVersion (policy"
                                + " all)"));
        assertThat(verdicts().getLast())
                .isEqualTo(new Verdict.Hold(
                        "waves",
                        "the ring is in wave 3 of 3, and demo/r0 (wave 1) must first do its UpgradeVersion,"
                                + " demo/r1 (wave 2)"
                                + " must first do its UpgradeVersion, demo/r2 (wave 2) must first do its UpgradeVersion"
                                + " (policy all)"));
        assertThat(PlanJson.hash(plan)).isEqualTo(PlanJson.hash(fleet.plan()));
    }

    @Test
    void failureInCanaryStopsLaterWaves() {
        ruled(WAVES);
        fleet.refs.forEach(ref -> fleet.world.faults(ref).unpullable(NEWER, true));
        var pods =
                IntStream.range(1, RINGS).mapToObj(i -> fleet.look(i).podUids()).toList();
        upgradeAll();

        for (int run = 0; run < 30; run++) {
            fleet.run();
        }

        assertThat(IntStream.range(1, RINGS)
                        .mapToObj(i -> fleet.look(i).podUids())
                        .toList())
                .isEqualTo(pods);
        assertThat(upgraded()).isEmpty();
        assertThat(fleet.breaches()).isEmpty();
    }

    @Test
    void unhealthyCanaryHoldsLaterWaves() {
        ruled(WAVES);
        fleet.refs.subList(1, RINGS).forEach(ref -> versions.put(ref, NEWER));
        fleet.world.faults(fleet.ring(0)).stop(2);
        fleet.world.tick(20);

        fleet.run();

        assertThat(upgraded()).isEmpty();
        assertThat(verdicts())
                .allMatch(v -> v instanceof Verdict.Hold(String rule, String why, var _)
                        && rule.equals("waves")
                        && why.contains("demo/r0 (wave 1) is held: "));
    }

    @Test
    void limitsParallelChangesInEachZone() {
        ruled("max-parallel: {most: 1, by: zone}");
        upgradeAll();
        var done = new ArrayList<List<String>>();
        for (int run = 0; run < 3; run++) {
            done.add(FeatureFleet.outcomes(fleet.run()).entrySet().stream()
                    .filter(r -> r.getValue() == Outcome.DONE)
                    .map(Map.Entry::getKey)
                    .toList());
        }

        assertThat(done).containsExactly(List.of("r0", "r1"), List.of("r2", "r3"), List.of("r4"));
        assertThat(fleet.breaches()).isEmpty();
    }

    @Test
    void ringWithChangeUnderWayKeepsItsSlot() {
        ruled("max-parallel: {most: 1}");
        upgradeAll();
        fleet.killedAt(5);

        var others = verdicts().subList(1, RINGS);

        assertThat(fleet.world.look(fleet.ring(0)).journal().orElseThrow().intent())
                .isPresent();
        assertThat(others)
                .allMatch(v -> v instanceof Verdict.Hold(String rule, String why, var _)
                        && rule.equals("max-parallel")
                        && why.contains("demo/r0 (roll is under way)"));
    }

    @Test
    void moreRingsThanBlastRadiusWaitForApproval() {
        ruled("blast-radius: {most: 2}");
        upgradeAll();

        fleet.run();
        assertThat(upgraded()).isEmpty();
        assertThat(verdicts())
                .allMatch(v -> v instanceof Verdict.Hold(String rule, String why, var _)
                        && rule.equals("approval")
                        && why.contains("5 of 5 rings would change in one run, and 2 is the limit")
                        && why.contains("etcd-gitops approve --operation"));

        fleet.plan().clusters().forEach(plan -> approvals.add(approval(plan)));
        fleet.run();
        assertThat(upgraded()).containsExactlyElementsOf(names(0, RINGS));
    }

    private Approval approval(ClusterPlan plan) {
        var ids = plan.operations().stream().map(o -> o.operation().id()).collect(Collectors.toSet());
        return new Approval(
                plan.ref().name(),
                plan.ref(),
                ids,
                "kim",
                fleet.world.instant().plus(Duration.ofDays(1)),
                Location.ofFile("approvals/ok.yaml"));
    }

    /// Of a share only where there are enough rings for one.
    @Test
    void percentageAppliesFromMinRingsOn() {
        upgradeAll();
        ruled("blast-radius: {percent: 50, minRings: 6, effect: deny}");
        assertThat(verdicts()).allMatch(Verdict::lets);

        ruled("blast-radius: {percent: 50, minRings: 5, effect: deny}");
        assertThat(verdicts())
                .allMatch(v -> v instanceof Verdict.Deny(String rule, String why)
                        && rule.equals("blast-radius")
                        && why.contains("50 percent is the limit"));

        ruled("blast-radius: {percent: 100, minRings: 5, effect: deny}");
        assertThat(verdicts()).allMatch(Verdict::lets);
    }

    /// A fleet that goes by waves is never changed in many rings at once.
    @Test
    void ringsThatWaitForTheirWaveDoNotCountForBlastRadius() {
        ruled("blast-radius: {most: 2}, " + WAVES);
        upgradeAll();

        fleet.run();

        assertThat(upgraded()).containsExactly("r0");
    }

    @Test
    void holdsSecondChangeDuringCoolDown() {
        ruled("cool-down: {between: 10m}");
        upgradeAll();
        fleet.run();
        var changed = fleet.world.instant();
        fleet.refs.forEach(ref -> versions.put(ref, FORMER.replace("16", "31")));

        while (verdicts().stream().noneMatch(Verdict::lets)) {
            assertThat(verdicts())
                    .allMatch(v -> v instanceof Verdict.Hold(String rule, String why, var _)
                            && rule.equals("cool-down")
                            && why.contains("the ring changed recently: UpgradeVersion on "));
            fleet.world.tick(20);
        }

        assertThat(Duration.between(changed, fleet.world.instant()))
                .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(11));
    }

    /// Nothing was done, and nothing has to cool down.
    @Test
    void operationHeldBeforeFirstStepIsNoChange() {
        fleet = new FeatureFleet(1, 3, 1);
        ruled("cool-down: {between: 24h}");
        upgradeAll();
        var left = new AtomicInteger(1);

        var results = fleet.run(boundary -> {
            if (boundary.startsWith("UpgradeVersion/") && left.getAndDecrement() == 1) {
                fleet.world.faults(fleet.ring(0)).stop(1);
            }
        });
        fleet.world.faults(fleet.ring(0)).recover(1);
        fleet.world.tick(70);

        assertThat(FeatureFleet.outcomes(results)).containsEntry("r0", Outcome.HELD);
        assertThat(verdicts()).hasSize(1).allMatch(Verdict::lets);
    }

    /// Half of a change is not left to cool down.
    @Test
    void killedChangeIsNotHeldByItsOwnCoolDown() {
        int kills = 0;
        for (int boundary = 1; boundary < 40; boundary += 2) {
            var killed = new RuledFleetTest();
            killed.fleet = new FeatureFleet(1, 3, 1);
            killed.ruled("cool-down: {between: 24h, minRisk: low}");
            killed.fleet.size(0, 2);
            kills += killed.fleet.killedAt(boundary) ? 1 : 0;

            killed.fleet.run();

            assertThat(killed.fleet.look(0).voters())
                    .as("killed at " + boundary)
                    .hasSize(2);
            assertThat(killed.fleet.breaches()).isEmpty();
        }
        assertThat(kills).isGreaterThan(3);
    }

    @Test
    void killedRunStartsNoLaterWaveTooEarly() {
        int kills = 0;
        for (int boundary = 1; boundary < 120; boundary += 5) {
            var killed = new RuledFleetTest();
            killed.ruled(WAVES);
            killed.upgradeAll();
            kills += killed.fleet.killedAt(boundary) ? 1 : 0;
            for (int run = 0; run < 40 && killed.upgraded().size() < RINGS; run++) {
                killed.fleet.run();
                var done = killed.upgraded();
                assertThat(done).as("killed at " + boundary).isEqualTo(names(0, done.size()));
                assertThat(done.size()).as("killed at " + boundary).isIn(0, 1, 3, 5);
            }
            assertThat(killed.upgraded()).as("killed at " + boundary).hasSize(RINGS);
            assertThat(killed.fleet.breaches()).isEmpty();
        }
        assertThat(kills).isGreaterThan(5);
    }

    @Test
    void shardStartsWhatThePlanOfAllRingsChose() {
        ruled(WAVES);
        upgradeAll();
        var desired = fleet.desired();
        var engine = PolicyEngine.of(desired);
        var whole = fleet.plan().clusters();
        var chosen = FleetRules.chosen(whole);
        ruled("odd-members: {}");
        var alone = fleet.plan().clusters();
        var rulesOfAPart = new FleetRules(engine, Map.of(), fleet.world.instant());

        assertThat(chosen).hasSize(1);
        assertThat(FleetRules.chosen(rulesOfAPart.only(alone, chosen))).isEqualTo(chosen);
        assertThat(FleetRules.chosen(rulesOfAPart.only(alone, Set.of()))).isEmpty();
    }

    /// Nobody keeps backups of these rings, and nobody may change them.
    @Test
    void withoutFreshBackupsNoRingIsChanged() {
        ruled("backup-freshness: {maxAge: 1h}");
        upgradeAll();

        assertThat(verdicts())
                .hasSize(RINGS)
                .allSatisfy(verdict -> assertThat(verdict)
                        .isInstanceOfSatisfying(
                                Verdict.Hold.class,
                                hold -> assertThat(hold.rule()).isEqualTo("backup-freshness")));
        assertThat(fleet.run()).allMatch(result -> result.outcome() == Outcome.HELD);
        assertThat(upgraded()).isEmpty();
        ruled("backup-freshness: {maxAge: 1h, minRisk: high}");
        fleet.run();
        assertThat(upgraded()).hasSize(RINGS);
    }
}
