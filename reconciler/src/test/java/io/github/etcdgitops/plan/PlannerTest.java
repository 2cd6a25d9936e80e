package io.github.etcdgitops.plan;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.listed;
import static io.github.etcdgitops.observe.Reading.notYet;
import static io.github.etcdgitops.observe.Reading.spec;
import static io.github.etcdgitops.observe.Reading.suspended;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Part;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.fake.Stage;
import io.github.etcdgitops.observe.Reading;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.deletion.Clearance;
import io.github.etcdgitops.ring.founding.BootstrapCluster;
import io.github.etcdgitops.ring.membership.RepairObjects;
import io.github.etcdgitops.ring.repair.ReplaceMember;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.ring.scale.ScaleOut;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.NotYet;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Suspension;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.member.Alarm;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlannerTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private static ClusterPlan plan(EtcdClusterSpec spec, FakeWorld world) {
        return Planner.plan(spec, fresh(world, spec), BackupNeeds.NONE, NOW);
    }

    private static Given orders() {
        return Given.ring("demo", "orders");
    }

    private static FakeWorld after(Given given, java.util.function.Consumer<Faults> deed) {
        var world = given.build();
        deed.accept(world.faults(ORDERS));
        return world;
    }

    /// A moment later: the controller has seen the newest generation.
    private static FakeWorld settled(Given given) {
        var world = given.build();
        world.tick();
        return world;
    }

    private static List<String> summaries(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().summary()).toList();
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }

    private static void assertHeld(ClusterPlan plan, String code) {
        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(plan.operations()).isEmpty();
        assertThat(plan.findings())
                .anySatisfy(f -> assertThat(f.code()).isEqualTo(code))
                .anySatisfy(f -> assertThat(f.level()).isEqualTo(Finding.Level.ERROR));
    }

    // --- what is not there

    /// Without what members are started from, which other tests are about.
    private static Operation bare(PlannedOperation planned) {
        return switch (planned.operation()) {
            case ScaleOut join ->
                new ScaleOut(join.ref(), join.ordinal(), join.learner(), join.stage(), Blueprints.ANY);
            case BootstrapCluster founding ->
                new BootstrapCluster(
                        founding.ref(),
                        founding.size(),
                        founding.version(),
                        founding.tls(),
                        founding.stage(),
                        Blueprints.ANY);
            case Operation other -> other;
        };
    }

    @Test
    void createsRingWithoutObjects() {
        var plan = plan(spec(3), Given.absent("demo", "orders").build());

        assertThat(plan.situation()).isEqualTo(Situation.CHANGES);
        assertThat(plan.operations())
                .extracting(PlannerTest::bare)
                .containsExactly(new BootstrapCluster(ORDERS, 3, new EtcdVersion(3, 5, 16), Tls.NONE, Blueprints.ANY));
        assertThat(plan.quorum()).isEqualTo(new Quorum(0, 0));
    }

    @Test
    void createsNothingIfAbsenceIsUnconfirmed() {
        var world = Given.absent("demo", "orders").build();
        var seen = fresh(world, spec(3));
        var kube = seen.kube();
        var listed = new KubeState(
                kube.statefulSet(),
                kube.journal(),
                kube.pods(),
                kube.claims(),
                kube.budget(),
                kube.configs(),
                new KubeState.Objects(false, kube.objects().live()));
        var state = new ClusterState(ORDERS, listed, seen.ring(), seen.drift(), seen.templateWanted(), seen.classes());

        var plan = Planner.plan(spec(3), state, BackupNeeds.NONE, NOW);

        assertThat(plan.situation()).isEqualTo(Situation.UNKNOWN);
        assertThat(plan.operations()).isEmpty();
        assertThat(codes(plan)).contains("unknown");
    }

    /// As it would fail in the midst of the founding, the StatefulSet made already.
    @ParameterizedTest
    @EnumSource(ManagedObject.class)
    void createsNothingBesideForeignObject(ManagedObject object) {
        var state = besideForeign(fresh(Given.absent("demo", "orders").build(), spec(3)), object);

        var plan = Planner.plan(spec(3), state, BackupNeeds.NONE, NOW);

        assertHeld(plan, "foreign-object");
        assertThat(plan.findings()).anySatisfy(f -> assertThat(f.message()).contains("Service orders", "demo"));
    }

    @Test
    void reportsForeignObjectBesideRunningRing() {
        var state = besideForeign(fresh(orders().build(), spec(3)), ManagedObject.CLIENT_SERVICE);

        var plan = Planner.plan(spec(3), state, BackupNeeds.NONE, NOW);

        assertThat(codes(plan)).contains("foreign-object");
        assertThat(plan.operations()).isEmpty();
    }

    private static ClusterState besideForeign(ClusterState seen, ManagedObject object) {
        var kube = seen.kube();
        var foreign = new TreeMap<ManagedObject, String>(Map.of(object, "Service orders"));
        return new ClusterState(
                ORDERS,
                new KubeState(
                        kube.statefulSet(),
                        kube.journal(),
                        kube.pods(),
                        kube.claims(),
                        kube.budget(),
                        kube.configs(),
                        new KubeState.Objects(true, kube.objects().live(), foreign)),
                seen.ring(),
                seen.drift(),
                seen.templateWanted(),
                seen.classes());
    }

    @Test
    void createsNothingOverClaimsOfEarlierRing() {
        var plan = plan(spec(3), orders().claimsLeft().build());

        assertHeld(plan, "claims-of-an-earlier-ring");
    }

    @Test
    void seesClaimsOfAnEarlierRingThatWasLarger() {
        var plan = plan(spec(1), orders().members(5).claimsLeft().build());

        assertHeld(plan, "claims-of-an-earlier-ring");
    }

    @ParameterizedTest
    @EnumSource(
            value = Stage.Found.class,
            names = {"FINISHED"},
            mode = EnumSource.Mode.EXCLUDE)
    void continuesCreationFromAnyStep(Stage.Found stage) {
        var plan = plan(spec(3), orders().inFounding(stage).build());

        assertThat(plan.operations())
                .extracting(PlannerTest::bare)
                .containsExactly(new BootstrapCluster(
                        ORDERS,
                        3,
                        new EtcdVersion(3, 5, 16),
                        Tls.NONE,
                        new BootstrapCluster.Stage.Begun(),
                        Blueprints.ANY));
    }

    @Test
    void startsCreationAgainIfSizeChanged() {
        var plan = plan(spec(5), orders().inFounding(Stage.Found.CREATED).build());

        assertThat(plan.operations())
                .extracting(PlannerTest::bare)
                .containsExactly(new BootstrapCluster(
                        ORDERS,
                        5,
                        new EtcdVersion(3, 5, 16),
                        Tls.NONE,
                        new BootstrapCluster.Stage.Anew(List.of("size 5 instead of 3"), new TreeMap<>()),
                        Blueprints.ANY));
    }

    @Test
    void createsNothingWithoutRequestedTls() {
        var wanted = notYet(spec(3), new NotYet("/spec/tls", "TLS", true));

        var plan = plan(wanted, Given.absent("demo", "orders").build());

        assertHeld(plan, "bootstrap-incomplete");
        assertThat(plan.findings()).anyMatch(f -> f.message().contains("/spec/tls"));
    }

    @Test
    void createsRingIfUnsupportedFieldCanWait() {
        var wanted = notYet(spec(3), new NotYet("/spec/maintenance", "maintenance", false));

        var plan = plan(wanted, Given.absent("demo", "orders").build());

        assertThat(kinds(plan)).containsExactly("BootstrapCluster");
        assertThat(codes(plan)).containsExactly("not-carried-out-yet");
    }

    // --- what cannot be read

    @ParameterizedTest
    @EnumSource(Part.class)
    void plansNothingWhenAPartCannotBeRead(Part part) {
        var plan = plan(spec(5), after(orders(), f -> f.unreadable(part)));

        assertThat(plan.situation()).isEqualTo(Situation.UNKNOWN);
        assertThat(plan.operations()).isEmpty();
        assertThat(plan.waiting()).isEmpty();
        assertThat(codes(plan)).contains("unknown");
    }

    @ParameterizedTest
    @EnumSource(Part.class)
    void createsNothingIfPartIsUnreadable(Part part) {
        var plan = plan(spec(3), after(Given.absent("demo", "orders"), f -> f.unreadable(part)));

        assertThat(plan.situation()).isEqualTo(Situation.UNKNOWN);
        assertThat(plan.operations()).isEmpty();
    }

    @Test
    void plansNothingForARingThatDoesNotAnswer() {
        var plan = plan(spec(5), orders().down(0, 1, 2).build());

        assertThat(plan.situation()).isEqualTo(Situation.UNKNOWN);
        assertThat(codes(plan)).contains("ring-unknown");
        assertThat(plan.operations()).isEmpty();
    }

    // --- who said stop

    @Test
    void suspensionInGitStopsEverything() {
        var forGood = new Suspension("a migration", "kim", Optional.empty());

        var plan = plan(suspended(spec(5), forGood), orders().build());

        assertThat(plan.situation()).isEqualTo(Situation.SUSPENDED);
        assertThat(plan.operations()).isEmpty();
        assertThat(plan.findings())
                .anyMatch(f -> f.message().contains("kim") && f.message().contains("a migration"));
    }

    @Test
    void suspensionStopsCreationOfRing() {
        var forGood = new Suspension("later", "kim", Optional.empty());

        var plan =
                plan(suspended(spec(3), forGood), Given.absent("demo", "orders").build());

        assertThat(plan.situation()).isEqualTo(Situation.SUSPENDED);
        assertThat(plan.operations()).isEmpty();
    }

    @Test
    void suspensionEndsExactlyAtItsInstant() {
        var world = orders().build();
        var over = new Suspension("x", "kim", Optional.of(NOW));
        var almost = new Suspension("x", "kim", Optional.of(NOW.plus(Duration.ofSeconds(1))));

        assertThat(plan(suspended(spec(5), over), world).situation()).isEqualTo(Situation.CHANGES);
        assertThat(plan(suspended(spec(5), almost), world).situation()).isEqualTo(Situation.SUSPENDED);
    }

    @Test
    void annotationOnStatefulSetStopsEverything() {
        var plan = plan(spec(5), after(orders(), f -> f.suspend("looking into it")));

        assertThat(plan.situation()).isEqualTo(Situation.SUSPENDED);
        assertThat(plan.operations()).isEmpty();
        assertThat(plan.findings()).anyMatch(f -> f.message().contains("looking into it"));
    }

    // --- what is not as it must be

    @Test
    void leavesAStatefulSetAloneThatIsNotOurs() {
        assertHeld(plan(spec(3), after(orders(), Faults::takeOverStatefulSet)), "foreign-statefulset");
    }

    @Test
    void holdsWhenTheJournalIsGone() {
        assertHeld(plan(spec(3), after(orders(), Faults::deleteJournal)), "journal-missing");
    }

    @Test
    void holdsWhileARollIsUnderWay() {
        var plan = plan(spec(5), after(orders(), f -> f.templateByHand(new EtcdVersion(3, 5, 30))));

        assertHeld(plan, "roll-in-progress");
    }

    @Test
    void holdsUntilTheControllerHasSeenTheNewestGeneration() {
        var world = orders().inJoin(Stage.Join.SCALED).build();

        assertHeld(plan(spec(5), world), "roll-in-progress");
    }

    @Test
    void holdsAForeignMember() {
        assertHeld(
                plan(
                        spec(5),
                        orders().foreignMember("http://elsewhere.example:2380").build()),
                "foreign-member");
    }

    @Test
    void offersAPlaceWhoseMemberWasRemovedByHandToAnother() {
        var plan = plan(spec(3), orders().removedByHand(1).build());

        assertThat(plan.findings()).extracting(Finding::code).contains("member-gap");
        assertThat(plan.operations()).singleElement().satisfies(planned -> {
            assertThat(planned.operation()).isInstanceOf(ReplaceMember.class);
            assertThat(planned.operation().consent()).isEqualTo(Operation.Consent.NEEDED);
        });
    }

    @Test
    void holdsAMemberThatWasRemovedByHandWhereNothingIsToBeMended() {
        var off = Specs.mendingMembers(spec(3), Repairs.Mode.OFF);

        assertHeld(plan(off, orders().removedByHand(1).build()), "member-gap");
    }

    // --- a ring at rest

    @Test
    void ringThatMatchesSpecIsInSync() {
        var plan = plan(spec(3), orders().build());

        assertThat(plan.situation()).isEqualTo(Situation.IN_SYNC);
        assertThat(plan.operations()).isEmpty();
        assertThat(plan.findings()).isEmpty();
        assertThat(plan.quorum()).isEqualTo(new Quorum(3, 3));
    }

    @Test
    void growsOneMemberAtATime() {
        var plan = plan(spec(5), orders().build());

        assertThat(plan.operations())
                .extracting(PlannerTest::bare)
                .containsExactly(
                        new ScaleOut(ORDERS, 3, true, Blueprints.ANY), new ScaleOut(ORDERS, 4, true, Blueprints.ANY));
    }

    @Test
    void shrinksFromTheHighestOrdinalDown() {
        var plan = plan(spec(1), orders().members(3).build());

        assertThat(plan.operations())
                .extracting(PlannerTest::bare)
                .containsExactly(new ScaleIn(ORDERS, 2, false), new ScaleIn(ORDERS, 1, false));
    }

    @Test
    void eachOperationStartsWhereTheOneBeforeEnded() {
        var plan = plan(spec(5), orders().build());

        assertThat(plan.operations().get(1).steps().getFirst().before())
                .isEqualTo(plan.operations().get(0).steps().getLast().after());
        assertThat(plan.operations().get(1).after()).isEqualTo(new Quorum(5, 5));
    }

    @Test
    void refusesTheSecondMemberWhereThereAreNoLearners() {
        var plan = plan(spec(3, "3.3.25"), orders().version("3.3.25").members(1).build());

        assertHeld(plan, "no-learners");
        assertThat(plan.findings())
                .anySatisfy(f -> assertThat(f.message())
                        .contains("break the quorum")
                        .contains("Upgrade to 3.4")
                        .contains("create a new ring of 3 from a backup"));
    }

    @Test
    void growsFromThreeWithoutLearners() {
        var plan = plan(spec(4, "3.3.25"), orders().version("3.3.25").build());

        assertThat(plan.operations())
                .extracting(PlannerTest::bare)
                .containsExactly(new ScaleOut(ORDERS, 3, false, Blueprints.ANY));
    }

    @Test
    void oneOldServerRulesOutLearners() {
        var plan = plan(spec(4), orders().memberVersion(1, "3.3.25").build());

        assertThat(plan.operations())
                .extracting(PlannerTest::bare)
                .contains(new ScaleOut(ORDERS, 3, false, Blueprints.ANY));
    }

    @Test
    void waitsWithReasonWhileRingIsNotGreen() {
        var plan = plan(spec(5), orders().down(2).build());

        assertThat(plan.operations()).isEmpty();
        assertThat(plan.situation()).isEqualTo(Situation.CHANGES);
        assertThat(plan.waiting()).hasSize(2);
        assertThat(plan.waiting().getFirst().reason()).startsWith("the ring is not green: ");
        assertThat(codes(plan)).contains("not-green");
        assertThat(plan.quorum()).isEqualTo(new Quorum(3, 2));
    }

    @Test
    void memberChangeWaitsDuringAlarm() {
        var plan = plan(spec(5), orders().alarm(Alarm.Kind.NOSPACE, 1).build());

        assertThat(kinds(plan)).containsExactly("FreeSpace");
        assertThat(plan.waiting()).isNotEmpty();
        assertThat(plan.findings()).anyMatch(f -> f.message().contains("NOSPACE"));
    }

    @Test
    void repairsObjectsOfUnhealthyRing() {
        var plan = plan(
                spec(3), orders().down(2).without(ManagedObject.CLIENT_SERVICE).build());

        assertThat(kinds(plan)).containsExactly("RepairObjects");
    }

    @Test
    void repairsBeforeItChanges() {
        var plan = plan(spec(4), orders().without(ManagedObject.BUDGET).build());

        assertThat(kinds(plan)).containsExactly("RepairObjects", "ScaleOut");
    }

    @Test
    void putsBackReplicasThatWereSetByHand() {
        var plan = plan(spec(3), orders().scaledByHand(4).build());

        assertThat(plan.operations().getFirst().operation())
                .isInstanceOfSatisfying(
                        RepairObjects.class, o -> assertThat(o.replicas()).contains(3));
    }

    @Test
    void takesTwoSpellingsOfASizeForOne() {
        var plan = plan(Reading.stored(spec(3), new Storage("1024Mi", Optional.empty())), orders().build());

        assertThat(plan.situation()).isEqualTo(Situation.IN_SYNC);
        assertThat(plan.findings()).isEmpty();
    }

    @Test
    void refusesToChangeStorageClass() {
        var plan = plan(Reading.stored(spec(3), new Storage("2Gi", Optional.of("fast"))), orders().build());

        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(plan.findings())
                .anyMatch(f ->
                        f.code().equals("storage-class-changes") && f.message().contains("Set it to standard again"));
    }

    @Test
    void refusesToShrinkVolume() {
        var plan = plan(Reading.stored(spec(3), new Storage("512Mi", Optional.empty())), orders().build());

        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(plan.findings())
                .anyMatch(f -> f.code().equals("storage-shrinks") && f.message().contains("Set it to 1Gi again"));
    }

    @Test
    void namesEveryWishThatIsNotCarriedOutYet() {
        var wanted =
                notYet(spec(3), new NotYet("/spec/backup", "backups", false), new NotYet("/spec/auth", "users", true));

        var plan = plan(wanted, orders().build());

        assertThat(plan.situation()).isEqualTo(Situation.IN_SYNC);
        assertThat(plan.findings())
                .extracting(Finding::message)
                .containsExactly(
                        "/spec/auth: users is not supported by this version",
                        "/spec/backup: backups is not supported by this version");
    }

    // --- a change of members under way

    @ParameterizedTest
    @EnumSource(Stage.Join.class)
    void continuesJoinThatIsStillRequested(Stage.Join stage) {
        var plan = plan(spec(5), settled(orders().inJoin(stage)));

        assertThat(plan.operations())
                .extracting(PlannerTest::bare)
                .containsExactly(
                        new ScaleOut(ORDERS, 3, true, ScaleOut.Stage.BEGUN, Blueprints.ANY),
                        new ScaleOut(ORDERS, 4, true, Blueprints.ANY));
    }

    @ParameterizedTest
    @EnumSource(Stage.Join.class)
    void cancelsJoinThatIsNoLongerRequested(Stage.Join stage) {
        var plan = plan(spec(3), settled(orders().inJoin(stage)));

        assertThat(plan.operations()).extracting(PlannerTest::bare).containsExactly(new ScaleIn(ORDERS, 3, true));
    }

    @ParameterizedTest
    @EnumSource(Stage.Join.class)
    void shrinksFurtherAfterBackingAJoinOut(Stage.Join stage) {
        var plan = plan(spec(2), settled(orders().inJoin(stage)));

        assertThat(plan.operations())
                .extracting(PlannerTest::bare)
                .containsExactly(new ScaleIn(ORDERS, 3, true), new ScaleIn(ORDERS, 2, false));
    }

    @ParameterizedTest
    @EnumSource(Stage.Leave.class)
    void endsADepartureThatIsStillWanted(Stage.Leave stage) {
        var plan = plan(spec(3), settled(orders().members(4).inLeave(stage)));

        assertThat(plan.operations()).extracting(PlannerTest::bare).containsExactly(new ScaleIn(ORDERS, 3, true));
    }

    @ParameterizedTest
    @EnumSource(
            value = Stage.Leave.class,
            names = {"BEGUN", "BLOCKED"})
    void keepsAMemberThatIsWantedAgainBeforeItLeft(Stage.Leave stage) {
        var plan = plan(spec(4), settled(orders().members(4).inLeave(stage)));

        assertThat(plan.operations()).hasSize(1);
        assertThat(plan.operations().getFirst().operation())
                .isInstanceOfSatisfying(
                        RepairObjects.class, o -> assertThat(o.abandoned()).contains(3));
    }

    @ParameterizedTest
    @EnumSource(
            value = Stage.Leave.class,
            names = {"BEGUN", "BLOCKED"},
            mode = EnumSource.Mode.EXCLUDE)
    void endsADepartureBeforeItGrowsAgain(Stage.Leave stage) {
        var plan = plan(spec(4), settled(orders().members(4).inLeave(stage)));

        assertThat(plan.operations())
                .extracting(PlannerTest::bare)
                .containsExactly(new ScaleIn(ORDERS, 3, true), new ScaleOut(ORDERS, 3, true, Blueprints.ANY));
    }

    @Test
    void finishesScaleInToOneAndNeverGrowsWithoutLearners() {
        var plan = plan(
                spec(3, "3.3.25"),
                orders().version("3.3.25")
                        .members(2)
                        .inLeave(Stage.Leave.REMOVED)
                        .build());

        assertThat(plan.operations()).extracting(PlannerTest::bare).containsExactly(new ScaleIn(ORDERS, 1, true));
    }

    // --- the plan itself

    @Test
    void sameStateGivesSamePlan() {
        var one = plan(spec(5), orders().build());
        var two = plan(spec(5), orders().build());

        assertThat(one).isEqualTo(two);
    }

    @Test
    void planDoesNotChangeWithTime() {
        var world = orders().build();
        var before = plan(spec(5), world);

        world.tick(50);

        assertThat(plan(spec(5), world)).isEqualTo(before);
    }

    @Test
    void findsListedRingInSync() {
        var world = orders().build();

        assertThat(Planner.plan(spec(3), listed(world, spec(3)), BackupNeeds.NONE, NOW)
                        .situation())
                .isEqualTo(Situation.IN_SYNC);
    }

    @Test
    void reportsOrphanWithoutPlanningOperations() {
        var plan = Orphan.plan(
                fresh(orders().build(), spec(3)), List.of(), new Clearance(Optional.empty(), "prod", List.of()));

        assertThat(plan.situation()).isEqualTo(Situation.ORPHAN);
        assertThat(plan.operations()).isEmpty();
        assertThat(codes(plan)).containsExactly("orphan");
        assertThat(summaries(plan)).isEmpty();
    }
}
