package io.github.etcdgitops.policy;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.backup.Manifests;
import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.backup.PruneBackups;
import io.github.etcdgitops.ring.backup.TakeBackup;
import io.github.etcdgitops.ring.restore.Exchange;
import io.github.etcdgitops.ring.restore.RestoreCluster;
import io.github.etcdgitops.ring.restore.RestoreInPlace;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.ring.scale.ScaleOut;
import io.github.etcdgitops.ring.storage.GrowStorage;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.ring.Defaults;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.validation.Location;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PolicyEngineTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private final ScaleIn shrink = new ScaleIn(ORDERS, 2, false);

    private static PolicyEngine from(Risk risk, Approval... approvals) {
        return new PolicyEngine(new Fleet(List.of(), Fleet.Limits.DEFAULT, risk, Defaults.NONE), List.of(approvals));
    }

    private static Approval approval(ClusterRef ref, String operation, Instant expires) {
        return new Approval("ok", ref, Set.of(operation), "kim", expires, Location.ofFile("approvals/ok.yaml"));
    }

    @Test
    void operationBelowThresholdNeedsNoApproval() {
        assertThat(from(Risk.DESTRUCTIVE).gate(shrink, NOW)).isEqualTo(new Verdict.Allow());
        assertThat(from(Risk.MEDIUM).gate(new ScaleOut(ORDERS, 3, true, Blueprints.ANY), NOW))
                .isEqualTo(new Verdict.Allow());
    }

    @Test
    void holdsOperationAtThresholdAndNamesApproveCommand() {
        assertThat(from(Risk.HIGH).gate(shrink, NOW)).isInstanceOfSatisfying(Verdict.Hold.class, hold -> {
            assertThat(hold.rule()).isEqualTo("approval");
            assertThat(hold.reason()).contains("risk high", "etcd-gitops approve --operation " + shrink.id());
        });
    }

    @Test
    void approvalOfExactOperationAllowsIt() {
        var approval = approval(ORDERS, shrink.id(), NOW.plusSeconds(1));

        assertThat(from(Risk.LOW, approval).gate(shrink, NOW)).isEqualTo(new Verdict.Allow());
    }

    @Test
    void approvalOfAnotherRingOrOperationDoesNotCount() {
        var other = approval(new ClusterRef("demo", "billing"), shrink.id(), NOW.plusSeconds(1));
        var another = approval(ORDERS, new ScaleIn(ORDERS, 1, false).id(), NOW.plusSeconds(1));

        assertThat(from(Risk.LOW, other, another).gate(shrink, NOW).lets()).isFalse();
    }

    /// Whoever may write one ring's document does not get what is in all backups.
    @Test
    void dataOfAnotherNamespaceNeedsAnApproval() {
        var place = new Destination.Directory("/backups", "");
        var own = restore(certified(place, ORDERS.namespace()));
        var foreign = restore(certified(place, "vault"));
        var bare = restore(new RestoreOrder.Stored.Bare(place, "orders.db", 20_512));

        assertThat(from(Risk.DESTRUCTIVE).gate(own, NOW).lets()).isTrue();
        for (var operation : List.of(foreign, bare)) {
            assertThat(from(Risk.DESTRUCTIVE).gate(operation, NOW)).isInstanceOfSatisfying(Verdict.Hold.class, hold -> {
                assertThat(hold.rule()).isEqualTo("approval");
                assertThat(hold.reason())
                        .contains("unknown whether the data comes from a ring in " + ORDERS.namespace());
            });
            var approval = approval(ORDERS, operation.id(), NOW.plusSeconds(1));
            assertThat(from(Risk.DESTRUCTIVE, approval).gate(operation, NOW).lets())
                    .isTrue();
        }
    }

    private static RestoreCluster restore(RestoreOrder.Source source) {
        return new RestoreCluster(
                ORDERS,
                new EtcdVersion(3, 5, 16),
                Tls.NONE,
                new RestoreOrder("again", source, Optional.empty()),
                Blueprints.ANY);
    }

    private static RestoreOrder.Stored certified(Destination place, String namespace) {
        var key = new BackupKey("default", new ClusterRef(namespace, "orders"), new EtcdId(31), "20260101T000000Z-a");
        return new RestoreOrder.Stored.Certified(place, key, Manifests.manifest(key.id()));
    }

    /// Risk or not: whoever ends a ring says which one.
    @Test
    void endingRingNeedsApprovalWithItsClusterId() {
        var former = new EtcdId(31);
        var origin = new SnapshotOrigin(
                "back", "file:///a.db", Optional.empty(), 9, "ab", Optional.empty(), Optional.empty());
        var order = new RestoreOrder("back", new RestoreOrder.Source.Loaded(origin), Optional.empty());
        var exchange = new Exchange(former, order, new EtcdVersion(3, 5, 16), 3, new TreeMap<>(), Exchange.Stage.ASKED);
        var operation = new RestoreInPlace(ORDERS, exchange, true);
        for (var named : List.of(Optional.<String>empty(), Optional.of("20"), Optional.of("1f"))) {
            var approval = new Approval(
                    "ok",
                    ORDERS,
                    named,
                    Set.of(operation.id()),
                    "kim",
                    NOW.plusSeconds(1),
                    Location.ofFile("approvals/ok.yaml"));
            assertThat(from(Risk.DESTRUCTIVE, approval).gate(operation, NOW).lets())
                    .as(named.toString())
                    .isEqualTo(named.equals(Optional.of("1f")));
        }
        assertThat(from(Risk.DESTRUCTIVE).gate(operation, NOW))
                .isInstanceOfSatisfying(
                        Verdict.Hold.class,
                        hold -> assertThat(hold.reason())
                                .contains(
                                        "names the cluster ID 1f",
                                        "--operation " + operation.id() + " --cluster-id 1f"));
    }

    @Test
    void approvalExpiresAtItsInstant() {
        var expired = approval(ORDERS, shrink.id(), NOW);

        assertThat(from(Risk.LOW, expired).gate(shrink, NOW))
                .isInstanceOfSatisfying(
                        Verdict.Hold.class, h -> assertThat(h.reason()).contains("has expired"));
        assertThat(from(Risk.LOW, expired, approval(ORDERS, shrink.id(), NOW.plusSeconds(1)))
                        .gate(shrink, NOW)
                        .lets())
                .isTrue();
    }

    /// Whoever let it begin has let it end: pods without a controller wait for nobody.
    @Test
    void recreationOfStatefulSetNeedsNoSecondApproval() {
        var storage = spec(3).storage();
        var recreation = new Intent.Recreation(storage, 3, "orders-7d9", "a=1");

        assertThat(from(Risk.LOW)
                        .gate(GrowStorage.resumed(ORDERS, "data", recreation), NOW)
                        .lets())
                .isTrue();
        assertThat(from(Risk.LOW)
                        .gate(
                                new GrowStorage(
                                        ORDERS, "data", 3, storage, List.of(2), List.of(), GrowStorage.Stage.BACK),
                                NOW)
                        .lets())
                .isFalse();
    }

    private static BackupOrder order(String suffix) {
        return new BackupOrder(
                "prod",
                "nightly",
                new Destination.Directory("/backups", ""),
                new BackupPolicy.Encoding(false, Optional.empty(), Optional.empty()),
                suffix);
    }

    private static TakeBackup backup(String suffix) {
        return new TakeBackup(ORDERS, order(suffix), "none", "it is time");
    }

    private static PruneBackups prune() {
        var key = new BackupKey("prod", ORDERS, new EtcdId(1), "20260101T000000Z");
        return new PruneBackups(ORDERS, order(""), BackupPolicy.Retention.ALL, List.of(key), List.of());
    }

    private static ScaleIn leaves(int ordinal) {
        return new ScaleIn(ORDERS, ordinal, false);
    }

    private static ClusterPlan plan(Operation... operations) {
        var five = RingModel.of(fresh(Given.ring("demo", "orders").members(5).build(), spec(5)));
        return new ClusterPlan(
                ORDERS,
                ClusterPlan.Situation.CHANGES,
                new Quorum(5, 5),
                Stream.of(operations).map(o -> PlannedOperation.of(o, five)).toList(),
                List.of(),
                List.of(),
                new TreeMap<>());
    }

    /// `go`, or the rule that holds it, in the plan's order.
    private static List<String> gated(PolicyEngine policies, Operation... operations) {
        return policies.gate(plan(operations), NOW).operations().stream()
                .map(o -> switch (o.verdict()) {
                    case Verdict.Allow _ -> "go";
                    case Verdict.Warn warn -> warn.rule();
                    case Verdict.Hold hold -> hold.rule();
                    case Verdict.Deny deny -> deny.rule();
                })
                .toList();
    }

    @Test
    void backupNeedsNoApproval() {
        assertThat(from(Risk.LOW).gate(backup(""), NOW).lets()).isTrue();
    }

    @Test
    void takesBackupBeforeChangeOnlyIfChangeFollows() {
        var approval = approval(ORDERS, leaves(4).id(), NOW.plusSeconds(1));

        assertThat(gated(from(Risk.MEDIUM), backup("-change"), leaves(4))).containsExactly("before-change", "approval");
        assertThat(gated(from(Risk.MEDIUM, approval), backup("-change"), leaves(4), leaves(3)))
                .containsExactly("go", "go", "approval");
        assertThat(gated(from(Risk.DESTRUCTIVE), backup("-change"), leaves(4))).containsExactly("go", "go");
    }

    @Test
    void takesNoBackupIfApprovedChangeWaitsForAnother() {
        var second = approval(ORDERS, leaves(3).id(), NOW.plusSeconds(1));

        assertThat(gated(from(Risk.MEDIUM, second), backup("-change"), leaves(4), leaves(3)))
                .containsExactly("before-change", "approval", "order");
    }

    @Test
    void changesThatNeedNoBackupDoNotAskForOne() {
        assertThat(gated(from(Risk.HIGH), backup("-change"), new ScaleOut(ORDERS, 5, true, Blueprints.ANY)))
                .containsExactly("before-change", "go");
        assertThat(gated(from(Risk.HIGH), leaves(4), backup("-change"))).containsExactly("go", "before-change");
    }

    @Test
    void heldBackupNamesItsChange() {
        var held = from(Risk.MEDIUM)
                .gate(plan(backup("-change"), leaves(4)), NOW)
                .operations()
                .getFirst();

        assertThat(held.verdict())
                .isEqualTo(new Verdict.Hold(
                        "before-change",
                        "is taken directly before ScaleIn " + leaves(4).id() + ", which waits"));
    }

    @Test
    void otherBackupsAndDeletionsWaitForNoChange() {
        assertThat(gated(
                        from(Risk.MEDIUM),
                        new ScaleIn(ORDERS, 4, true),
                        backup(""),
                        backup("-once-x"),
                        backup("-manual"),
                        leaves(3),
                        prune()))
                .containsExactly("approval", "go", "go", "go", "order", "go");
    }

    @Test
    void noChangeGoesOnWithoutTheBackupThatItNeeds() {
        for (var risk : Risk.values()) {
            for (int approved = 0; approved < 8; approved++) {
                var approvals = new ArrayList<Approval>();
                for (int ordinal = 2; ordinal <= 4; ordinal++) {
                    if ((approved >> (ordinal - 2)) % 2 == 1) {
                        approvals.add(approval(ORDERS, leaves(ordinal).id(), NOW.plusSeconds(1)));
                    }
                }
                var policies = from(risk, approvals.toArray(Approval[]::new));

                var verdicts = gated(policies, backup("-change"), leaves(4), leaves(3), leaves(2), prune());

                assertThat(verdicts.getFirst().equals("go"))
                        .as("from %s, approved %d: %s", risk, approved, verdicts)
                        .isEqualTo(verdicts.subList(1, 4).contains("go"));
            }
        }
    }

    @Test
    void laterOperationsWaitForTheOneThatIsHeld() {
        var state = fresh(Given.ring("demo", "orders").members(5).build(), spec(2));
        var second = new ScaleIn(ORDERS, 3, false);
        var plan = Planner.plan(spec(2), state, BackupNeeds.NONE, NOW);

        var gated = from(Risk.MEDIUM, approval(ORDERS, second.id(), NOW.plusSeconds(9)))
                .gate(plan, NOW);

        assertThat(gated.operations()).hasSize(3).noneMatch(o -> o.verdict().lets());
        assertThat(gated.operations().get(1).verdict())
                .isInstanceOfSatisfying(
                        Verdict.Hold.class, h -> assertThat(h.rule()).isEqualTo("order"));
    }

    @Test
    void advisesAgainstEvenSizes() {
        assertThat(from(Risk.LOW).admit(spec(4), NOW)).singleElement().satisfies(f -> {
            assertThat(f.code()).isEqualTo("odd-size");
            assertThat(f.message()).contains("Use 3 or 5");
        });
        assertThat(from(Risk.LOW).admit(spec(3), NOW)).isEmpty();
    }
}
