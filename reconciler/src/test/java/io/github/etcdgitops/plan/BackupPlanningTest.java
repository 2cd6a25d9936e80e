package io.github.etcdgitops.plan;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.backup.BackupNeeds.Dues;
import io.github.etcdgitops.ring.backup.BackupNeeds.OfPolicy;
import io.github.etcdgitops.ring.backup.PruneBackups;
import io.github.etcdgitops.ring.backup.TakeBackup;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.BackupPolicy.Objectives;
import io.github.etcdgitops.spec.BackupPolicy.Timing;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Suspension;
import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.ObjectDrift;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import io.github.etcdgitops.validation.Location;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BackupPlanningTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final EtcdId CLUSTER = new EtcdId(0xabc);

    private static BackupPolicy policy(Optional<Duration> maxAge, Optional<Duration> beforeChange) {
        return new BackupPolicy(
                "nightly",
                new RingSelector(List.of(), List.of("demo"), new TreeMap<>()),
                Optional.of(new Timing.Every(Duration.ofHours(24))),
                new Destination.Directory("/backups", ""),
                new BackupPolicy.Encoding(false, Optional.empty(), Optional.empty()),
                new BackupPolicy.Terms(
                        new BackupPolicy.Retention(
                                OptionalInt.of(2),
                                Optional.empty(),
                                OptionalInt.empty(),
                                OptionalInt.empty(),
                                OptionalInt.empty(),
                                ZoneOffset.UTC),
                        new Objectives(maxAge, beforeChange),
                        Optional.empty()),
                Location.ofFile("policies/nightly.yaml"));
    }

    private static BackupPolicy policy() {
        return policy(Optional.empty(), Optional.empty());
    }

    private static StoredBackup stored(Duration age, String suffix) {
        var taken = NOW.minus(age);
        return new StoredBackup(
                new BackupKey("prod", ORDERS, CLUSTER, BackupKey.stamp(taken) + suffix), taken, false, List.of());
    }

    private static StoredBackup stored(Duration age) {
        return stored(age, "");
    }

    private static BackupNeeds needs(BackupPolicy policy, List<String> requests, StoredBackup... backups) {
        var stored = new RingBackups(Arrays.asList(backups), List.of());
        var dues = Dues.of(policy, stored, requests, Set.of(), NOW);
        return new BackupNeeds("prod", List.of(new OfPolicy(policy, Observed.known(stored), dues)));
    }

    private static ClusterPlan plan(int size, FakeWorld world, BackupNeeds needs) {
        return Planner.plan(spec(size), fresh(world, spec(size)), needs, NOW);
    }

    private static FakeWorld three() {
        return Given.ring("demo", "orders").build();
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }

    @Test
    void firstBackupIsDueAtOnce() {
        var plan = plan(3, three(), needs(policy(), List.of()));

        assertThat(plan.situation()).isEqualTo(Situation.CHANGES);
        assertThat(plan.operations()).singleElement().satisfies(o -> {
            assertThat(o.operation().kind()).isEqualTo("TakeBackup");
            assertThat(o.operation().target()).isEqualTo("backup policy=nightly after=none");
            assertThat(o.worst().tolerance()).isEqualTo(1);
        });
    }

    /// A clock that is a year ahead makes every backup too old.
    @Test
    void deletesNoBackupByAgeWhileClockIsInDoubt() {
        var old =
                new StoredBackup[] {stored(Duration.ofDays(3)), stored(Duration.ofDays(2)), stored(Duration.ofDays(1))};
        var needs = needs(policy(), List.of(), old);
        assertThat(kinds(plan(3, three(), needs))).contains("PruneBackups");

        var plan = plan(3, three(), needs.doubting(Optional.of("the API server's clock says otherwise")));

        assertThat(kinds(plan)).doesNotContain("PruneBackups");
        assertThat(codes(plan)).contains("clock-in-doubt");
    }

    @Test
    void deletesNoBackupByAgeBesideFutureOne() {
        var needs = needs(
                policy(),
                List.of(),
                stored(Duration.ofDays(3)),
                stored(Duration.ofDays(2)),
                stored(Duration.ofDays(1)),
                stored(Duration.ofHours(-1)));

        var plan = plan(3, three(), needs);

        assertThat(kinds(plan)).doesNotContain("PruneBackups");
        assertThat(plan.findings())
                .anySatisfy(finding -> assertThat(finding.message()).contains("backup prune --backup"));
    }

    @Test
    void takesNoBackupWhileNewestIsRecent() {
        assertThat(plan(3, three(), needs(policy(), List.of(), stored(Duration.ofHours(23))))
                        .situation())
                .isEqualTo(Situation.IN_SYNC);
    }

    @Test
    void manyMissedTimesAreOneBackupWhoseIdDoesNotHangOnTheClock() {
        var needs = needs(policy(), List.of(), stored(Duration.ofDays(9)));

        var plan = plan(3, three(), needs);
        var later = Planner.plan(spec(3), fresh(three(), spec(3)), needs, NOW.plusSeconds(90_000));

        assertThat(kinds(plan)).containsExactly("TakeBackup");
        assertThat(plan.operations().getFirst().operation().id())
                .isEqualTo(later.operations().getFirst().operation().id());
    }

    @Test
    void damagedBackupDoesNotCount() {
        var fine = stored(Duration.ofHours(1));
        var damaged = new StoredBackup(fine.key(), fine.taken(), true, List.of());

        var plan = plan(3, three(), needs(policy(), List.of(), damaged));

        assertThat(kinds(plan)).containsExactly("TakeBackup");
        assertThat(codes(plan)).contains("backup-damaged");
    }

    @Test
    void takesRequestedBackupOnceByName() {
        var young = stored(Duration.ofHours(1));

        var plan = plan(3, three(), needs(policy(), List.of("before-the-move"), young));

        assertThat(plan.operations())
                .singleElement()
                .satisfies(o -> assertThat(((TakeBackup) o.operation()).order().suffix())
                        .isEqualTo("-once-before-the-move"));
    }

    @Test
    void neverPrunesRequestedBackup() {
        var plan = plan(
                3,
                three(),
                needs(
                        policy(),
                        List.of(),
                        stored(Duration.ofDays(30), "-once-x"),
                        stored(Duration.ofDays(29), "-manual"),
                        stored(Duration.ofDays(3)),
                        stored(Duration.ofDays(2)),
                        stored(Duration.ofHours(2))));

        assertThat(plan.operations())
                .singleElement()
                .satisfies(o -> assertThat(((PruneBackups) o.operation()).expired())
                        .extracting(BackupKey::id)
                        .containsExactly("20251230T030405Z"));
    }

    @Test
    void backsUpBeforeChangeAndPrunesLast() {
        var needs = needs(
                policy(),
                List.of(),
                stored(Duration.ofDays(5)),
                stored(Duration.ofDays(4)),
                stored(Duration.ofDays(3)));

        assertThat(kinds(plan(5, three(), needs)))
                .containsExactly("TakeBackup", "ScaleOut", "ScaleOut", "PruneBackups");
    }

    @Test
    void riskyChangeNeedsYoungerBackupThanSchedule() {
        var policy = policy(Optional.empty(), Optional.of(Duration.ofHours(1)));
        var five = Given.ring("demo", "orders").members(5).build();

        var old = plan(3, five, needs(policy, List.of(), stored(Duration.ofHours(2))));
        var young = plan(3, five, needs(policy, List.of(), stored(Duration.ofMinutes(59))));

        assertThat(kinds(old)).containsExactly("TakeBackup", "ScaleIn", "ScaleIn");
        assertThat(old.operations().getFirst().operation().target()).contains("for=-change");
        assertThat(kinds(young)).containsExactly("ScaleIn", "ScaleIn");
    }

    @Test
    void backupsBeforeChangesPushNoScheduledOneOut() {
        var needs = needs(
                policy(),
                List.of(),
                stored(Duration.ofDays(3)),
                stored(Duration.ofDays(2)),
                stored(Duration.ofDays(1).minusHours(1)),
                stored(Duration.ofHours(9), "-change"),
                stored(Duration.ofHours(6), "-change"),
                stored(Duration.ofHours(3), "-change"));

        assertThat(plan(3, three(), needs).operations())
                .singleElement()
                .satisfies(o -> assertThat(((PruneBackups) o.operation()).expired())
                        .extracting(BackupKey::id)
                        .containsExactly("20251230T030405Z", "20260101T180405Z-change"));
    }

    @Test
    void invalidPolicyHoldsRiskyChangesOfRingsItMayApplyTo() {
        var at = new Location("policies/nightly.yaml", 1, 1, "");
        var other = policy(Optional.empty(), Optional.of(Duration.ofHours(1)));
        var good = needs(other, List.of(), stored(Duration.ofHours(2))).policies();
        var needs = new BackupNeeds("prod", good, Optional.empty(), Optional.empty(), List.of(at));
        var five = Given.ring("demo", "orders").members(5).build();

        var plan = plan(3, five, needs);

        assertThat(plan.operations()).as("no backup for a change that waits").isEmpty();
        assertThat(plan.waiting())
                .hasSize(2)
                .allSatisfy(w -> assertThat(w.reason()).contains("policies/nightly.yaml:1:1", "fixed"));
        assertThat(plan.findings()).anySatisfy(f -> {
            assertThat(f.code()).isEqualTo("backup-policy-rejected");
            assertThat(f.message()).contains("policies/nightly.yaml:1:1");
        });
        assertThat(kinds(plan(5, three(), needs))).containsExactly("ScaleOut", "ScaleOut");
    }

    @Test
    void growingAsksForNone() {
        var policy = policy(Optional.empty(), Optional.of(Duration.ofHours(1)));

        assertThat(kinds(plan(5, three(), needs(policy, List.of(), stored(Duration.ofHours(2))))))
                .containsExactly("ScaleOut", "ScaleOut");
    }

    @Test
    void unreadableStoreStopsBackupsAndRiskyChanges() {
        var policy = policy(Optional.empty(), Optional.of(Duration.ofHours(1)));
        var needs = new BackupNeeds(
                "prod", List.of(new OfPolicy(policy, Observed.unknown("no route to the store"), Dues.NONE)));
        var five = Given.ring("demo", "orders").members(5).build();

        var plan = plan(3, five, needs);

        assertThat(plan.operations()).isEmpty();
        assertThat(plan.waiting())
                .hasSize(2)
                .allSatisfy(w -> assertThat(w.reason()).contains("nightly", "no route to the store"));
        assertThat(codes(plan)).contains("backups-unknown");
        assertThat(plan(5, three(), needs).operations()).hasSize(2);
    }

    @Test
    void reportsMissedObjective() {
        var policy = policy(Optional.of(Duration.ofHours(26)), Optional.empty());

        assertThat(codes(plan(3, three(), needs(policy, List.of(), stored(Duration.ofHours(27))))))
                .contains("backup-too-old");
        assertThat(codes(plan(3, three(), needs(policy, List.of(), stored(Duration.ofHours(25))))))
                .doesNotContain("backup-too-old");
    }

    @Test
    void suspendedRingIsNotBackedUpButItsObjectiveIsReported() {
        var suspended =
                io.github.etcdgitops.observe.Reading.suspended(spec(3), new Suspension("why", "who", Optional.empty()));
        var policy = policy(Optional.of(Duration.ofHours(26)), Optional.empty());

        var plan = Planner.plan(
                suspended, fresh(three(), suspended), needs(policy, List.of(), stored(Duration.ofDays(3))), NOW);

        assertThat(plan.situation()).isEqualTo(Situation.SUSPENDED);
        assertThat(plan.operations()).isEmpty();
        assertThat(codes(plan)).contains("backup-too-old");
    }

    @Test
    void backsUpRingThatIsNotGreen() {
        var world = Given.ring("demo", "orders").down(2).build();

        var plan = plan(3, world, needs(policy(), List.of()));

        assertThat(kinds(plan)).containsExactly("TakeBackup");
    }

    @Test
    void backsUpNoRingBeforeItExists() {
        var plan = plan(3, Given.absent("demo", "orders").build(), needs(policy(), List.of()));

        assertThat(kinds(plan)).containsExactly("BootstrapCluster");
    }

    @Test
    void deletesRemainsOfUnfinishedBackups() {
        var left = new BackupKey("prod", ORDERS, CLUSTER, "20251230T030405Z");
        var stored = new RingBackups(List.of(stored(Duration.ofHours(1))), List.of(left));
        var needs = new BackupNeeds("prod", List.of(new OfPolicy(policy(), Observed.known(stored), Dues.NONE)));

        assertThat(plan(3, three(), needs).operations())
                .singleElement()
                .satisfies(o ->
                        assertThat(((PruneBackups) o.operation()).leftovers()).containsExactly(left));
    }

    private static Rule.BackupFreshness hourly(Risk from, boolean repairs) {
        return new Rule.BackupFreshness(Duration.ofHours(1), Optional.empty(), from, repairs);
    }

    private static BackupNeeds asked(Risk from, StoredBackup... backups) {
        return needs(policy(), List.of(), backups).asking(List.of(hourly(from, false)));
    }

    /// The policy itself asks for none before a change.
    @Test
    void takesBackupBeforeChangeIfRuleAsks() {
        var five = Given.ring("demo", "orders").members(5).build();
        var old = stored(Duration.ofHours(2));

        var plan = plan(3, five, asked(Risk.MEDIUM, old));

        assertThat(kinds(plan)).containsExactly("TakeBackup", "ScaleIn", "ScaleIn");
        assertThat(((TakeBackup) plan.operations().getFirst().operation()).beforeChange())
                .isTrue();
        assertThat(kinds(plan(3, five, asked(Risk.MEDIUM, stored(Duration.ofMinutes(59))))))
                .as("there is a young one")
                .containsExactly("ScaleIn", "ScaleIn");
        assertThat(kinds(plan(3, five, asked(Risk.MEDIUM, stored(Duration.ofHours(25))))))
                .as("one that is due anyhow is enough")
                .containsExactly("TakeBackup", "ScaleIn", "ScaleIn");
        assertThat(kinds(plan(3, five, asked(Risk.DESTRUCTIVE, old)))).containsExactly("ScaleIn", "ScaleIn");
        assertThat(kinds(plan(5, three(), asked(Risk.LOW, old))))
                .as("also before what takes nothing away")
                .containsExactly("TakeBackup", "ScaleOut", "ScaleOut");
        assertThat(plan(3, three(), asked(Risk.LOW, old)).situation()).isEqualTo(Situation.IN_SYNC);
    }

    @Test
    void takesOneBackupForRuleAndPolicy() {
        var policy = policy(Optional.empty(), Optional.of(Duration.ofHours(2)));
        var needs = needs(policy, List.of(), stored(Duration.ofHours(3))).asking(List.of(hourly(Risk.LOW, false)));

        assertThat(kinds(plan(3, Given.ring("demo", "orders").members(5).build(), needs)))
                .containsExactly("TakeBackup", "ScaleIn", "ScaleIn");
    }

    /// Where a ring has none of its own, or it cannot be read, nobody knows where to put one.
    @Test
    void takesNoBackupForRuleWithoutDestination() {
        var rule = List.of(hourly(Risk.LOW, false));
        var others = new BackupPolicy(
                "shop",
                new RingSelector(List.of(), List.of("shop"), new TreeMap<>()),
                Optional.empty(),
                new Destination.Directory("/backups", ""),
                new BackupPolicy.Encoding(false, Optional.empty(), Optional.empty()),
                policy().terms(),
                Location.ofFile("policies/shop.yaml"));
        var unknown = new BackupNeeds(
                "prod", List.of(new OfPolicy(policy(), Observed.unknown("no route to the store"), Dues.NONE)));

        assertThat(kinds(plan(5, three(), BackupNeeds.NONE.asking(rule)))).containsExactly("ScaleOut", "ScaleOut");
        assertThat(kinds(plan(5, three(), unknown.asking(rule)))).containsExactly("ScaleOut", "ScaleOut");
        assertThat(kinds(plan(
                        5, three(), needs(others.onRequestOnly(), List.of()).asking(rule))))
                .as("a policy of other rings, of which somebody has asked for a single backup")
                .containsExactly("ScaleOut", "ScaleOut");
    }

    @Test
    void takesBackupBeforeRepairIfRuleCoversRepairs() {
        var seen = fresh(three(), spec(3))
                .drifting(List.of(new ObjectDrift(ManagedObject.PEER_SERVICE, List.of("/spec/ports/0"))));
        var old = needs(policy(), List.of(), stored(Duration.ofHours(2)));

        assertThat(kinds(Planner.plan(spec(3), seen, old.asking(List.of(hourly(Risk.LOW, true))), NOW)))
                .containsExactly("TakeBackup", "RepairObjects");
        assertThat(kinds(Planner.plan(spec(3), seen, old.asking(List.of(hourly(Risk.LOW, false))), NOW)))
                .containsExactly("RepairObjects");
    }
}
