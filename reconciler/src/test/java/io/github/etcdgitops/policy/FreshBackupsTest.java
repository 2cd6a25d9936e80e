package io.github.etcdgitops.policy;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.plan.BackupStanding;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.backup.TakeBackup;
import io.github.etcdgitops.ring.deletion.DeleteCluster;
import io.github.etcdgitops.ring.founding.BootstrapCluster;
import io.github.etcdgitops.ring.repair.RestartMember;
import io.github.etcdgitops.ring.restore.Exchange;
import io.github.etcdgitops.ring.restore.RecoverQuorum;
import io.github.etcdgitops.ring.restore.RestoreInPlace;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.ring.scale.ScaleOut;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.value.EtcdId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Changes of a ring that begin only where there is a fresh backup of it.
class FreshBackupsTest {
    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
    private static final Operation SHRINK = new ScaleIn(ORDERS, 4, false);
    private static final Operation GROW = new ScaleOut(ORDERS, 5, true, Blueprints.ANY);
    private static final Operation MENDING = new RestartMember(ORDERS, 0, EtcdId.parse("1"), "uid", 1, 3);
    private static final String DAY = "backup-freshness: {maxAge: 24h%s}";

    private static DesiredState desired(String rule, String... more) {
        var files = new TreeMap<String, byte[]>();
        put(
                files,
                "clusters/a.yaml",
                "apiVersion: etcdgitops.dev/v1alpha1\nkind: EtcdCluster\nmetadata: {name: orders, namespace: demo}\n"
                        + "spec: {size: 5, version: \"3.5.16\"}\n");
        put(
                files,
                "policies/p.yaml",
                "apiVersion: etcdgitops.dev/v1alpha1\nkind: Policy\nmetadata: {name: all}\nspec: {rules: {" + rule
                        + "}}\n");
        for (int i = 0; i < more.length; i += 2) {
            put(files, more[i], more[i + 1]);
        }
        var state = SpecLoader.load(new SourceTree("0", files, List.of(), "digest"));
        assertThat(state.violations()).isEmpty();
        return state;
    }

    private static void put(TreeMap<String, byte[]> files, String name, String text) {
        files.put(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String exemption(String expires) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: PolicyExemption
            metadata: {name: vendor}
            spec:
              rules: [backup-freshness]
              rings: [{namespace: demo, name: orders}]
              owner: team-shop
              reason: The store is being moved.
              ticket: SEC-1
              created: "2026-10-01T00:00:00Z"
              expires: "%s"
            """.formatted(expires);
    }

    private static BackupStanding standing(Optional<Duration> age, Optional<Duration> drill, String... unread) {
        return new BackupStanding(List.of("nightly"), age.map(NOW::minus), drill.map(NOW::minus), List.of(unread));
    }

    private static BackupStanding aged(int hours) {
        return standing(Optional.of(Duration.ofHours(hours)), Optional.empty());
    }

    private static Verdict gate(DesiredState desired, Operation operation, BackupStanding backups) {
        return PolicyEngine.of(desired).gate(operation, backups, NOW);
    }

    private static void held(Verdict verdict, String... said) {
        assertThat(verdict).isInstanceOfSatisfying(Verdict.Hold.class, hold -> {
            assertThat(hold.rule()).isEqualTo("backup-freshness");
            assertThat(hold.reason()).contains("it needs").endsWith("(policy all)");
            for (String part : said) {
                assertThat(hold.reason()).contains(part);
            }
        });
    }

    @Test
    void changeStartsIfNewestBackupIsRecentEnough() {
        var desired = desired(DAY.formatted(""));

        assertThat(gate(desired, SHRINK, aged(23))).isEqualTo(new Verdict.Allow());
        held(
                gate(desired, SHRINK, aged(24)),
                "it needs a verified backup that is at most 1d old, and the newest is from 2026-11-24T12:00:00Z",
                "take one: etcd-gitops backup create demo/orders");
        held(gate(desired, SHRINK, standing(Optional.empty(), Optional.empty())), "none is known");
    }

    @Test
    void namesPolicyThatCouldKeepBackups() {
        held(gate(desired(DAY.formatted("")), SHRINK, BackupStanding.NONE), "no BackupPolicy applies to the ring");
    }

    /// What could not be read may be young; another one that is known to be is enough.
    @Test
    void unknownStateHolds() {
        var desired = desired(DAY.formatted(""));
        String gone = "policy weekly: no route to the store";

        held(gate(desired, SHRINK, standing(Optional.empty(), Optional.empty(), gone)), gone);
        held(gate(desired, SHRINK, standing(Optional.of(Duration.ofDays(3)), Optional.empty(), gone)), gone);
        assertThat(gate(desired, SHRINK, standing(Optional.of(Duration.ofHours(1)), Optional.empty(), gone)))
                .isEqualTo(new Verdict.Allow());
    }

    @Test
    void plansRequestedDrill() {
        var desired = desired(DAY.formatted(", drilledWithin: 30d"));
        var young = Optional.of(Duration.ofHours(1));

        assertThat(gate(desired, SHRINK, standing(young, Optional.of(Duration.ofDays(29)))))
                .isEqualTo(new Verdict.Allow());
        held(
                gate(desired, SHRINK, standing(young, Optional.of(Duration.ofDays(31)))),
                "a drill that passed within the last 30d",
                "give a BackupPolicy of the ring a drill");
    }

    @Test
    void concernsNoRepairNewRingOrLowRisk() {
        var desired = desired(DAY.formatted(""));
        var version = EtcdVersion.parse("3.5.16").orElseThrow();
        var delete = new DeleteCluster(ORDERS, EtcdId.parse("1"), 3, version, 0, "it is over");
        var found = new BootstrapCluster(ORDERS, 5, version, Tls.NONE, Blueprints.ANY);

        for (var operation : List.of(GROW, MENDING, found, new ScaleIn(ORDERS, 4, true))) {
            assertThat(gate(desired, operation, BackupStanding.NONE))
                    .as(operation.kind())
                    .isEqualTo(new Verdict.Allow());
        }
        var all = desired(DAY.formatted(", minRisk: low, repairs: true"));
        held(gate(all, GROW, BackupStanding.NONE));
        held(gate(all, MENDING, BackupStanding.NONE));
        held(gate(all, new ScaleIn(ORDERS, 4, true), BackupStanding.NONE));
        assertThat(gate(all, found, BackupStanding.NONE)).isEqualTo(new Verdict.Allow());
        assertThat(gate(all, delete, BackupStanding.NONE)).isEqualTo(new Verdict.Allow());
    }

    /// It has no fresh one, and never will: what is left of it is saved by its own rules.
    @Test
    void restoreOfRingWithoutQuorumNeedsNoFreshBackup() {
        var origin = new SnapshotOrigin(
                "back", "file:///a.db", Optional.empty(), 9, "ab", Optional.empty(), Optional.empty());
        var order = new RestoreOrder("back", new RestoreOrder.Source.Loaded(origin), Optional.empty());
        var exchange = new Exchange(
                new EtcdId(31), order, new EtcdVersion(3, 5, 16), 3, new TreeMap<>(), Exchange.Stage.ASKED);
        var rule = new Rule.BackupFreshness(Duration.ofDays(1), Optional.empty(), Risk.LOW, true);

        assertThat(BackupStanding.concerns(rule, new RestoreInPlace(ORDERS, exchange, true)))
                .isTrue();
        assertThat(BackupStanding.concerns(rule, new RestoreInPlace(ORDERS, exchange, false)))
                .isFalse();
        assertThat(BackupStanding.concerns(rule, new RecoverQuorum(ORDERS, exchange)))
                .isFalse();
    }

    @Test
    void exemptionWaivesFreshBackupUntilItExpires() {
        var exempted = desired(DAY.formatted(""), "policies/e.yaml", exemption("2026-12-10T00:00:00Z"));
        assertThat(gate(exempted, SHRINK, aged(48))).isEqualTo(new Verdict.Allow());
        assertThat(PolicyEngine.of(exempted).freshness(exempted.rings().get(ORDERS), NOW))
                .isEmpty();

        var expired = desired(DAY.formatted(""), "policies/e.yaml", exemption("2026-11-25T00:00:00Z"));
        held(gate(expired, SHRINK, aged(48)), "the exemption vendor expired");
        assertThat(PolicyEngine.of(expired).freshness(expired.rings().get(ORDERS), NOW))
                .hasSize(1);
        var announced = desired(DAY.formatted(", enforceFrom: \"2027-01-01T00:00:00Z\""));
        assertThat(gate(announced, SHRINK, aged(48))).isInstanceOf(Verdict.Warn.class);
        assertThat(PolicyEngine.of(announced).freshness(announced.rings().get(ORDERS), NOW))
                .isEmpty();
    }

    private static TakeBackup backup(String suffix) {
        var order = new BackupOrder(
                "prod",
                "nightly",
                new Destination.Directory("/backups", ""),
                new BackupPolicy.Encoding(false, Optional.empty(), Optional.empty()),
                suffix);
        return new TakeBackup(ORDERS, order, "none", "it is time");
    }

    private static List<String> gated(DesiredState desired, BackupStanding backups, Operation... operations) {
        var five = RingModel.of(fresh(Given.ring("demo", "orders").members(5).build(), spec(5)));
        var plan = new ClusterPlan(
                ORDERS,
                ClusterPlan.Situation.CHANGES,
                new Quorum(5, 5),
                Stream.of(operations).map(o -> PlannedOperation.of(o, five)).toList(),
                List.of(),
                List.of(),
                new TreeMap<>());
        return PolicyEngine.of(desired).gate(plan, backups, NOW).operations().stream()
                .map(o -> o.verdict() instanceof Verdict.Hold hold ? hold.rule() : "go")
                .toList();
    }

    /// Else nothing would ever begin: a backup for a change is taken right before it.
    @Test
    void countsBackupPlannedBeforeChangeAsTaken() {
        var desired = desired(DAY.formatted(", minRisk: low"));

        assertThat(gated(desired, aged(48), SHRINK)).containsExactly("backup-freshness");
        assertThat(gated(desired, aged(48), backup("-change"), SHRINK)).containsExactly("go", "go");
        assertThat(gated(desired, aged(48), backup(""), SHRINK)).containsExactly("go", "go");
        assertThat(gated(desired, aged(48), SHRINK, backup(""))).containsExactly("backup-freshness", "go");
        assertThat(gated(desired, aged(48), backup("-change"), GROW))
                .as("also before one that by itself needs none")
                .containsExactly("go", "go");
    }

    /// A change that waits for something else has no backup taken, again and again.
    @Test
    void takesNoBackupForChangeThatWaits() {
        var desired = desired(
                DAY.formatted("") + ", freeze: {until: \"2026-12-01T00:00:00Z\", reason: the sale, minRisk: medium}");

        assertThat(gated(desired, aged(48), backup("-change"), SHRINK)).containsExactly("before-change", "freeze");
    }

    /// Every standing against every other that is as good or better in each respect.
    @Test
    void fresherBackupNeverTurnsAllowIntoHold() {
        var ages = List.of(0, 1, 23, 24, 25, 200, 2000);
        var standings = new ArrayList<BackupStanding>();
        for (int taken : ages) {
            for (int drilled : ages) {
                standings.add(standing(Optional.of(Duration.ofHours(taken)), Optional.of(Duration.ofHours(drilled))));
                standings.add(standing(
                        Optional.of(Duration.ofHours(taken)), Optional.of(Duration.ofHours(drilled)), "weekly: gone"));
            }
        }
        for (String more : List.of("", ", drilledWithin: 7d", ", minRisk: low, repairs: true", ", minRisk: high")) {
            var policies = PolicyEngine.of(desired(DAY.formatted(more)));
            for (var operation : List.of(SHRINK, GROW, MENDING)) {
                for (var worse : standings) {
                    if (policies.gate(operation, worse, NOW).lets()) {
                        standings.stream()
                                .filter(better -> notBefore(better.taken(), worse.taken())
                                        && notBefore(better.drilled(), worse.drilled()))
                                .forEach(better -> assertThat(policies.gate(operation, better, NOW)
                                                .lets())
                                        .as("%s after %s", better, worse)
                                        .isTrue());
                    }
                }
            }
        }
    }

    private static boolean notBefore(Optional<Instant> one, Optional<Instant> other) {
        return !one.orElseThrow().isBefore(other.orElseThrow());
    }

    @Test
    void parametersSelectConcernedOperations() {
        var rule = new Rule.BackupFreshness(Duration.ofDays(1), Optional.empty(), Risk.MEDIUM, false);

        assertThat(BackupStanding.concerns(rule, SHRINK)).isTrue();
        assertThat(BackupStanding.concerns(rule, GROW)).isFalse();
        assertThat(BackupStanding.concerns(rule, backup("")))
                .as("what only reads the ring")
                .isFalse();
    }
}
