package io.github.etcdgitops.report;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.StepEvent;
import io.github.etcdgitops.fake.FakeForeign;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.fake.Stage;
import io.github.etcdgitops.golden.Golden;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Orphan;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.plan.fleet.FeatureRollout;
import io.github.etcdgitops.plan.fleet.FeatureStanding;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.deletion.Clearance;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.spec.ring.Defaults;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.SnapshotContents;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.underway.Recovery;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import io.github.etcdgitops.worlds.DeletedRing;
import io.github.etcdgitops.worlds.SecuredRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whole plans and runs in all their forms, as files to read, and each valid by the schema that ships.
class GoldenPlansTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Golden PLANS = new Golden("plans");
    private static final Golden RUNS = new Golden("reports");

    /// A world, what is wanted of it, and the risk from which approvals are asked for.
    record Case(String name, FakeWorld world, EtcdClusterSpec spec, Risk approvalFrom, BackupNeeds needs) {
        Case(String name, FakeWorld world, EtcdClusterSpec spec, Risk approvalFrom) {
            this(name, world, spec, approvalFrom, BackupNeeds.NONE);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> cases() {
        var none = Risk.DESTRUCTIVE;
        return Stream.of(
                new Case("bootstrap", Given.absent("demo", "orders").build(), spec(3), none),
                new Case("scale-out", orders().build(), spec(5), none),
                new Case("scale-out-old-etcd", orders().version("3.3.25").build(), spec(4, "3.3.25"), none),
                new Case("scale-in", orders().members(5).build(), spec(3), none),
                new Case("scale-in-needs-approval", orders().build(), spec(1), Risk.MEDIUM),
                new Case("scale-in-with-its-backup", orders().members(5).build(), spec(4), none, backupBeforeChange()),
                new Case(
                        "scale-in-and-its-backup-wait",
                        orders().members(5).build(),
                        spec(4),
                        Risk.MEDIUM,
                        backupBeforeChange()),
                new Case("upgrade", orders().version("3.4.23").build(), spec(3, "3.5.16"), none, backupBeforeChange()),
                new Case("upgrade-past-old-records", orders().version("3.4.23").build(), spec(3, "3.6.14"), none),
                new Case(
                        "downgrade",
                        orders().version("3.6.14").build(),
                        spec(3, "3.5.30"),
                        Risk.HIGH,
                        backupBeforeChange()),
                new Case(
                        "grow-storage",
                        orders().build(),
                        Specs.withStorage(Specs.withOption(spec(3), "quotaBackendBytes", 1_200_000_000L), "2Gi"),
                        none,
                        backupBeforeChange()),
                new Case("grow-storage-refused", stuckClass(), Specs.withStorage(spec(3), "2Gi"), none),
                new Case(
                        "reset-volume",
                        orders().byHand(faults -> faults.loseVolume(1)).build(),
                        spec(3),
                        none),
                new Case("replace-member", crashing(), replacing(crashing()), none),
                new Case("restart-member", crashing(), Specs.mendingMembers(spec(3), Repairs.Mode.AUTOMATIC), none),
                new Case(
                        "note-machine",
                        orders().byHand(faults -> faults.loseMachine(1)).build(),
                        spec(3),
                        none),
                new Case(
                        "delete-left-volumes",
                        orders().byHand(faults -> {
                                    faults.departed(3, NOW.minus(Duration.ofDays(8)));
                                    faults.departed(4, null);
                                })
                                .build(),
                        Specs.deletingLeft(spec(3), Duration.ofDays(7)),
                        none,
                        backupBeforeChange()),
                new Case("reset-machine-gone", withoutMachine(), spec(3), none),
                new Case("release-pod", stranded(), spec(5), none),
                new Case(
                        "replace-diverged",
                        orders().byHand(faults -> faults.diverge(1)).build(),
                        Specs.mendingMembers(spec(3), Repairs.Mode.AUTOMATIC),
                        none),
                new Case("return", DeletedRing.of(3), spec(3), none),
                new Case("return-without-a-volume", DeletedRing.lacking(1), spec(3), none),
                new Case(
                        "defragment",
                        orders().leader(1)
                                .byHand(faults -> faults.fill(40 << 20, 0, 80 << 20))
                                .build(),
                        Specs.defragmented(spec(3)),
                        none),
                new Case(
                        "free-space",
                        orders().alarm(Alarm.Kind.NOSPACE, 1)
                                .byHand(faults -> faults.fill(300 << 20, 1 << 30, 800 << 20))
                                .build(),
                        spec(3),
                        none),
                new Case("size-and-version", orders().build(), spec(5, "3.5.30"), none),
                new Case("tls", orders().build(), Specs.talking(spec(3), MUTUAL), none, backupBeforeChange()),
                new Case("another-ca", SecuredRing.of(3), Specs.withAuthority(spec(3), MUTUAL, 2), none),
                new Case(
                        "tls-needs-newer-etcd",
                        orders().version("3.4.23").build(),
                        Specs.talking(spec(3, "3.4.23"), MUTUAL),
                        none),
                new Case(
                        "features",
                        orders().build(),
                        Specs.withFeatures(spec(3), FeatureGate.COMPACT_HASH_CHECK, FeatureGate.PEER_TLS),
                        none),
                new Case(
                        "feature-needs-newer-etcd",
                        orders().version("3.4.23").build(),
                        Specs.withFeatures(spec(3, "3.4.23"), FeatureGate.COMPACT_HASH_CHECK),
                        none),
                new Case(
                        "everything",
                        orders().build(),
                        Specs.withResources(Specs.talking(spec(5, "3.5.30"), MUTUAL)),
                        none,
                        backupBeforeChange()),
                new Case(
                        "adopt",
                        orders().byHand(Faults::foreignize).build(),
                        FakeForeign.adopting(
                                spec(3),
                                orders().build()
                                        .look(spec(3).ref())
                                        .clusterId()
                                        .orElseThrow()
                                        .toString()),
                        none),
                new Case(
                        "adopt-refused",
                        orders().byHand(Faults::foreignize).build(),
                        FakeForeign.adopting(spec(5, "3.5.30"), "1"),
                        none),
                new Case("no-way-back", orders().build(), spec(3, "3.4.23"), none),
                new Case(
                        "join-carried-on",
                        orders().inJoin(Stage.Join.CONFIGURED).build(),
                        spec(5),
                        none),
                new Case("join-backed-out", orders().learner().build(), spec(3), none),
                new Case("not-green", orders().down(2).build(), spec(5), none),
                new Case(
                        "quorum-lost",
                        orders().byHand(faults -> {
                                    faults.loseVolume(1);
                                    faults.stop(2);
                                })
                                .build(),
                        spec(3),
                        none,
                        backedUp(Duration.ofHours(30))),
                new Case(
                        "inspect-volume",
                        orders().byHand(faults -> {
                                    faults.unplace(1);
                                    faults.unplace(2);
                                })
                                .build(),
                        spec(3),
                        none,
                        backedUp(Duration.ofHours(30))),
                new Case("recover-quorum", survivor(), spec(3), none, makingRoom(survivor(), true)),
                new Case("restore-in-place", orders().build(), spec(3), none, makingRoom(orders().build(), false)),
                new Case("held", orders().claimsLeft().build(), spec(3), none),
                new Case("in-sync", orders().build(), spec(3), none));
    }

    private static final Transport MUTUAL = new Transport(Transport.Mode.MUTUAL, Transport.Mode.MUTUAL);

    private static FakeWorld stuckClass() {
        var world = orders().build();
        world.volumes().storageClass("standard", Expansion.NOT_ALLOWED);
        return world;
    }

    /// A member ends again and again.
    /// Its machine has been gone for an hour, as an earlier run has noted.
    private static FakeWorld withoutMachine() {
        return orders().byHand(faults -> {
                    faults.loseMachine(1);
                    faults.missedFor(1, Duration.ofHours(1));
                })
                .build();
    }

    private static FakeWorld stranded() {
        return orders().members(5)
                .byHand(faults -> {
                    faults.inReplacement(1);
                    faults.silence(1);
                    faults.deletePod(1);
                })
                .build();
    }

    private static FakeWorld crashing() {
        return orders().leader(2).byHand(faults -> faults.spoil(1)).build();
    }

    private static EtcdClusterSpec replacing(FakeWorld world) {
        var former = world.look(spec(3).ref()).memberId(1).orElseThrow();
        return Specs.replacing(spec(3), Repairs.Mode.MANUAL, Map.of(1, former));
    }

    private static FakeWorld survivor() {
        return orders().byHand(faults -> {
                    faults.loseVolume(1);
                    faults.stop(2);
                })
                .build();
    }

    /// For what was saved of a ring without a quorum, or for what a document asks for.
    private static BackupNeeds makingRoom(FakeWorld world, boolean recovers) {
        var former = world.look(spec(3).ref()).clusterId().orElseThrow();
        var needs = backedUp(Duration.ofHours(30));
        String id = recovers ? "20260102T030000Z-quorum-1" : "20261231T030000Z";
        var origin = new SnapshotOrigin(
                recovers ? Recovery.request(former) : "orders-back",
                "s3://etcd-backups/production/demo/orders/" + former + "/" + id + "/snapshot.db.zst",
                Optional.of(id),
                20_512,
                "ab".repeat(32),
                Optional.empty(),
                Optional.of(new SnapshotContents(spec(3).server().version(), 1, OptionalLong.of(0), List.of())));
        var order = new RestoreOrder(origin.request(), new RestoreOrder.Source.Loaded(origin), Optional.empty());
        return new BackupNeeds(
                needs.environment(),
                needs.policies(),
                Optional.of(new BackupNeeds.Restore.InPlace(order, former)),
                Optional.empty(),
                List.of());
    }

    private static Given orders() {
        return Given.ring("demo", "orders");
    }

    /// A policy that asks for a backup before a change, of a ring that has none yet.
    private static BackupNeeds backupBeforeChange() {
        var policy = new BackupPolicy(
                "nightly",
                new RingSelector(List.of(), List.of("demo"), new TreeMap<>()),
                Optional.empty(),
                new Destination.Directory("/backups", "etcd/"),
                new BackupPolicy.Encoding(true, Optional.empty(), Optional.empty()),
                new BackupPolicy.Terms(
                        BackupPolicy.Retention.ALL,
                        new BackupPolicy.Objectives(Optional.empty(), Optional.of(Duration.ofHours(1))),
                        Optional.empty()),
                Location.ofFile("policies/nightly.yaml"));
        return new BackupNeeds(
                "production",
                List.of(new BackupNeeds.OfPolicy(policy, Observed.known(RingBackups.NONE), BackupNeeds.Dues.NONE)));
    }

    /// Twice, the last time so long ago; the next is not due.
    private static BackupNeeds backedUp(Duration ago) {
        var needs = backupBeforeChange();
        var kept = needs.policies().getFirst();
        var backups = Stream.of(ago, ago.plusHours(24))
                .map(age -> new StoredBackup(
                        new BackupKey("production", ORDERS, new EtcdId(0xabc), BackupKey.stamp(NOW.minus(age))),
                        NOW.minus(age),
                        false,
                        List.of()))
                .toList();
        var stored = Observed.known(new RingBackups(backups, List.of()));
        return new BackupNeeds(
                needs.environment(), List.of(new BackupNeeds.OfPolicy(kept.policy(), stored, kept.dues())));
    }

    private static FleetPlan plan(Case given) {
        var policies = new PolicyEngine(
                new Fleet(List.of(), Fleet.Limits.DEFAULT, given.approvalFrom(), Defaults.NONE), List.of());
        var plan = Planner.plan(given.spec(), fresh(given.world(), given.spec()), given.needs(), NOW)
                .withFindings(policies.admit(given.spec(), NOW));
        return new FleetPlan(
                "production",
                "sha256:" + "0123456789abcdef".repeat(4),
                "etcd-gitops test",
                List.of(policies.gate(plan, NOW)),
                List.of());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void planMatchesGoldenFiles(Case given) throws IOException {
        var plan = plan(given);

        String json = PlanJson.render(plan);

        PLANS.assertMatches(given.name() + ".json", json);
        PLANS.assertMatches(
                given.name() + ".txt", new Human(Style.PLAIN).plan(plan).toString());
        PLANS.assertMatches(
                given.name() + ".md",
                Markdown.fleet(plan, "latest/clusters/") + "\n"
                        + Markdown.cluster(plan.clusters().getFirst()));
        assertThat(schema("plan").validate(json, InputFormat.JSON)).isEmpty();
    }

    /// One ring is in the midst of it, one has it and is not well, one waits.
    @Test
    void featureRolloutMatchesGoldenFiles() throws IOException {
        var policies = new PolicyEngine(Fleet.DEFAULT, List.of());
        var plans = new ArrayList<ClusterPlan>();
        var standings = new TreeMap<ClusterRef, FeatureStanding>();
        for (String name : List.of("invoices", "orders", "sessions")) {
            var ref = new ClusterRef("demo", name);
            var spec = Specs.withFeatures(Given.spec(ref, 3, "3.5.16"), FeatureGate.COMPACT_HASH_CHECK);
            var state = fresh(Given.ring("demo", name).build(), spec);
            plans.add(policies.gate(Planner.plan(spec, state, BackupNeeds.NONE, NOW), NOW));
            standings.put(ref, FeatureStanding.of(spec, state));
        }
        var unwell = new ClusterRef("demo", "archive");
        standings.put(
                unwell,
                new FeatureStanding(Optional.empty(), new TreeSet<>(List.of(FeatureGate.COMPACT_HASH_CHECK)), false));

        var limited = FeatureRollout.limited(plans, standings, 2);
        var plan = new FleetPlan(
                "production",
                "sha256:" + "0123456789abcdef".repeat(4),
                "etcd-gitops test",
                limited.stream().map(p -> policies.gate(p, NOW)).toList(),
                List.of());

        assertThat(FeatureRollout.chosen(limited)).containsExactly(new ClusterRef("demo", "invoices"));
        PLANS.assertMatches("feature-rollout.json", PlanJson.render(plan));
        PLANS.assertMatches(
                "feature-rollout.txt", new Human(Style.PLAIN).plan(plan).toString());
        PLANS.assertMatches("feature-rollout.md", Markdown.fleet(plan, "latest/clusters/"));
        assertThat(schema("plan").validate(PlanJson.render(plan), InputFormat.JSON))
                .isEmpty();
    }

    /// Rings without a document: as they are left alone, as they go, and what is left of one.
    @ParameterizedTest
    @ValueSource(strings = {"orphan", "delete", "deleted", "delete-volumes", "delete-after-snapshot"})
    void ringWithoutDocumentMatchesGoldenFiles(String name) throws IOException {
        var world = name.equals("deleted") || name.equals("delete-volumes") ? DeletedRing.of(3) : orders().build();
        var tombstones = switch (name) {
            case "orphan" -> List.<Tombstone>of();
            case "delete-volumes" -> List.of(DeletedRing.purge(world));
            case "delete-after-snapshot" -> List.of(DeletedRing.withData(world));
            default -> List.of(DeletedRing.tombstone(world));
        };
        var policies =
                new PolicyEngine(new Fleet(List.of(), Fleet.Limits.DEFAULT, Risk.HIGH, Defaults.NONE), List.of());
        var plan = new FleetPlan(
                "production",
                "sha256:" + "0123456789abcdef".repeat(4),
                "etcd-gitops test",
                List.of(policies.gate(Orphan.plan(DeletedRing.seen(world), tombstones, clearance()), NOW)),
                List.of());

        PLANS.assertMatches(name + ".json", PlanJson.render(plan));
        PLANS.assertMatches(name + ".txt", new Human(Style.PLAIN).plan(plan).toString());
        PLANS.assertMatches(
                name + ".md",
                Markdown.fleet(plan, "latest/clusters/") + "\n"
                        + Markdown.cluster(plan.clusters().getFirst()));
        assertThat(schema("plan").validate(PlanJson.render(plan), InputFormat.JSON))
                .isEmpty();
    }

    private static Clearance clearance() {
        var policies = backupBeforeChange().policies().stream()
                .map(kept -> kept.policy())
                .toList();
        return new Clearance(Optional.empty(), "production", policies);
    }

    @AfterAll
    static void everyGoldenPlanIsOfACase() {
        PLANS.assertAllUsed();
        RUNS.assertAllUsed();
    }

    @Test
    void runMatchesGoldenFiles() throws IOException {
        var result = new ClusterResult(
                ORDERS,
                ClusterResult.Outcome.HELD,
                "Promote orders-3: not yet",
                List.of(
                        event(new MemberStep.AddLearner(3), new StepResult.Done("done")),
                        event(new MemberStep.SealMember(3), new StepResult.AlreadySo("sealed")),
                        event(new MemberStep.Promote(3), new StepResult.Held("not yet"))));

        String json = RunJson.render(new RunJson.Run(
                "0a1b2c3d", "f".repeat(40), "sha256:" + "0".repeat(64), "success", List.of(RingRun.of(result))));

        RUNS.assertMatches("run.json", json);
        RUNS.assertMatches(
                "run.txt", new Human(Style.PLAIN).results(List.of(result)).toString());
        assertThat(schema("run").validate(json, InputFormat.JSON)).isEmpty();
    }

    private static StepEvent event(Step step, StepResult result) {
        return new StepEvent("0123456789abcdef", "ScaleOut", step, result, NOW, Duration.ofMillis(1234));
    }

    @Test
    void planWithViolationsMatchesSchema() throws IOException {
        var at = new Location("clusters/orders.yaml", 3, 7, "/spec/size");
        var plan = new FleetPlan(
                "production",
                "sha256:00",
                "etcd-gitops test",
                List.of(),
                List.of(Violation.of("size", at, "expected a number", "write 3")));

        assertThat(schema("plan").validate(PlanJson.render(plan), InputFormat.JSON))
                .isEmpty();
    }

    @Test
    void schemaAcceptsLaterMinorAndRejectsOtherMajorVersion() throws IOException {
        String json = PlanJson.render(plan(cases().findFirst().orElseThrow()));
        String minor = json.replace("\"formatVersion\" : \"1.0\"", "\"formatVersion\" : \"1.7\", \"later\" : {}");
        String major = json.replace("\"formatVersion\" : \"1.0\"", "\"formatVersion\" : \"2.0\"");

        assertThat(minor).isNotEqualTo(json);
        assertThat(schema("plan").validate(minor, InputFormat.JSON)).isEmpty();
        assertThat(schema("plan").validate(major, InputFormat.JSON)).isNotEmpty();
    }

    private static Schema schema(String name) throws IOException {
        String text = Files.readString(Path.of("../schemas/" + name + ".schema.json"));
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(text, InputFormat.JSON);
    }
}
