package io.github.etcdgitops.execute;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Part;
import io.github.etcdgitops.fake.Stage;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.maintenance.MaintainStep;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.ring.roll.BackOutRoll;
import io.github.etcdgitops.ring.roll.Roll;
import io.github.etcdgitops.ring.roll.RollStep;
import io.github.etcdgitops.ring.roll.UpgradeVersion;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.ring.scale.ScaleOut;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.member.Alarm;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SafetyGateTest {
    /// Every step of a join and of a departure that looks at the ring first.
    static List<Step> gatedSteps() {
        var target = new MemberSettings(new EtcdVersion(3, 5, 30), new TreeMap<>());
        var upgrade = new UpgradeVersion(ORDERS, new Roll(3, 3, target, Blueprints.of(target), Duration.ZERO), 0);
        var back = new BackOutRoll(
                ORDERS,
                new BackOutRoll.Members(3, List.of(), List.of(2)),
                target,
                BackOutRoll.Also.NOTHING,
                "op",
                Optional.empty(),
                "no image");
        return Stream.of(new ScaleOut(ORDERS, 3, true, Blueprints.ANY), new ScaleIn(ORDERS, 2, false), upgrade, back)
                .flatMap(o -> o.steps().stream())
                .filter(s -> s.gate() != Step.Gate.NONE)
                .distinct()
                .toList();
    }

    static List<Step> greenSteps() {
        return gatedSteps().stream().filter(s -> s.gate() == Step.Gate.GREEN).toList();
    }

    private static Given orders() {
        return Given.ring("demo", "orders");
    }

    /// What the plan was made on is a green ring of three.
    private static final RingModel EXPECTED = RingModel.of(fresh(orders().build(), spec(3)));

    private static Optional<String> defragmented(int ordinal, ClusterState fresh) {
        return new MaintainStep.Defragment(ordinal, 50, 1).obstacle(fresh);
    }

    private static Optional<String> removed(int ordinal, ClusterState fresh) {
        return new MemberStep.RemoveMember(ordinal, Set.of()).obstacle(fresh);
    }

    private static Optional<String> check(Step step, FakeWorld world) {
        var now = fresh(world, spec(3));
        return SafetyGate.check(step, EXPECTED, Identity.of(now), now);
    }

    private static FakeWorld with(Consumer<Faults> deed) {
        var world = orders().build();
        deed.accept(world.faults(ORDERS));
        return world;
    }

    @ParameterizedTest
    @MethodSource("gatedSteps")
    void everyStepHoldsWhenSuspended(Step step) {
        assertThat(check(step, with(f -> f.suspend("stop")))).contains("suspended by annotation: stop");
    }

    @ParameterizedTest
    @MethodSource("gatedSteps")
    void everyStepHoldsOnWhatItCouldNotRead(Step step) {
        for (Part part : List.of(Part.STATEFUL_SET, Part.JOURNAL, Part.PODS, Part.CLAIMS, Part.CONFIGS)) {
            assertThat(check(step, with(f -> f.unreadable(part))))
                    .as(part.name())
                    .isPresent();
        }
    }

    @ParameterizedTest
    @MethodSource("gatedSteps")
    void everyStepHoldsWhenTheRingDoesNotAnswer(Step step) {
        assertThat(check(step, orders().down(0, 1, 2).build())).isPresent();
    }

    @ParameterizedTest
    @MethodSource("gatedSteps")
    void everyStepHoldsWhenTheRingIsNotAsPlanned(Step step) {
        assertThat(check(step, orders().removedByHand(2).build()))
                .hasValueSatisfying(why -> assertThat(why).startsWith("the ring is not as planned"));
        assertThat(check(step, orders().members(4).build())).isPresent();
        assertThat(check(step, orders().scaledByHand(4).build())).isPresent();
    }

    /// The same ordinals as before: only the IDs tell.
    @ParameterizedTest
    @MethodSource("gatedSteps")
    void everyStepHoldsWhenAMemberWasReplacedByHand(Step step) {
        var world = orders().build();
        var known = Identity.of(fresh(world, spec(3)));
        world.faults(ORDERS).replaceMemberByHand(1);

        assertThat(SafetyGate.check(step, EXPECTED, known, fresh(world, spec(3))))
                .hasValueSatisfying(why -> assertThat(why).contains("the one in the plan: orders-1 was member"));
    }

    @ParameterizedTest
    @MethodSource("gatedSteps")
    void everyStepHoldsDuringARoll(Step step) {
        assertThat(check(step, with(f -> f.templateByHand(new EtcdVersion(3, 5, 30)))))
                .contains("the StatefulSet is rolling");
    }

    @ParameterizedTest
    @MethodSource("greenSteps")
    void membershipStepsHoldUnlessEveryMemberIsHealthy(Step step) {
        assertThat(check(step, orders().down(1).build())).isPresent();
        assertThat(check(step, orders().hidden(1).build())).isPresent();
        // A template restarts nobody, and a member that is replaced for an alarm may need it.
        boolean alarmsHold = !(step instanceof RollStep.WriteTemplate);
        assertThat(check(step, orders().alarm(Alarm.Kind.NOSPACE, 1).build()).isPresent())
                .isEqualTo(alarmsHold);
        assertThat(check(step, orders().alarm(Alarm.Kind.CORRUPT, 1).build()).isPresent())
                .isEqualTo(alarmsHold);
        assertThat(check(step, orders().lagging(1, 5000).build())).isPresent();
        assertThat(check(step, orders().cutOff(1).build())).isPresent();
    }

    @Test
    void allowsNewMemberInGreenRing() {
        assertThat(check(new MemberStep.AddLearner(3), orders().build())).isEmpty();
        assertThat(check(new MemberStep.AddVoter(3), orders().build())).isEmpty();
    }

    @Test
    void neverRemovesLeader() {
        assertThat(check(new MemberStep.RemoveMember(2, new TreeSet<>()), blocked(orders().leader(2))))
                .contains("orders-2 leads the ring");
    }

    @Test
    void removesNoMemberWhileEvictionIsPossible() {
        assertThat(check(new MemberStep.RemoveMember(2, new TreeSet<>()), orders().build()))
                .hasValueSatisfying(why -> assertThat(why).contains("eviction"));
        assertThat(check(new MemberStep.RemoveMember(2, new TreeSet<>()), blocked(orders())))
                .isEmpty();
    }

    @Test
    void removesNoMemberIfQuorumWouldBeLost() {
        var world = orders().down(1).budgetByHand(3).build();

        assertThat(check(new MemberStep.RemoveMember(2, new TreeSet<>(Set.of(2))), world))
                .isPresent();
    }

    /// Of two followers the other one is far behind: the leader would have nobody to agree with.
    @Test
    void neverDefragmentsOrRemovesOnlyCurrentFollower() {
        var lagging = orders().leader(0).lagging(1, 5000).budgetByHand(3).build();

        var fresh = fresh(lagging, spec(3));
        assertThat(defragmented(2, fresh))
                .hasValueSatisfying(why -> assertThat(why).contains("only 1 of 3"));
        assertThat(removed(2, fresh)).hasValueSatisfying(why -> assertThat(why).contains("only 1 of 2"));
        assertThat(defragmented(1, fresh)).isEmpty();
        assertThat(removed(1, fresh)).isEmpty();
    }

    @Test
    void takesBackUnhealthyMemberIfOthersAreHealthy() {
        var world = orders().down(2).budgetByHand(3).build();

        assertThat(check(new MemberStep.RemoveMember(2, new TreeSet<>(Set.of(2))), world))
                .isEmpty();
        assertThat(check(new MemberStep.RemoveMember(2, new TreeSet<>()), world))
                .isPresent();
    }

    private static FakeWorld blocked(Given given) {
        return given.budgetByHand(3).build();
    }

    @Test
    void removesNoPodThatIsStillMember() {
        assertThat(check(new ObjectStep.SetReplicas(2), orders().build()))
                .contains("orders-2 is still a member of the ring");
    }

    @Test
    void addsNoPodBeforeItIsConfiguredMember() {
        assertThat(check(new ObjectStep.SetReplicas(4), orders().build()))
                .contains("orders-3 is not a member yet, or has no configuration");
        var added = fresh(orders().inJoin(Stage.Join.RECORDED).build(), spec(4));
        assertThat(SafetyGate.check(new ObjectStep.SetReplicas(4), RingModel.of(added), Identity.of(added), added))
                .isPresent();
        var configured = fresh(orders().inJoin(Stage.Join.CONFIGURED).build(), spec(4));
        assertThat(SafetyGate.check(
                        new ObjectStep.SetReplicas(4), RingModel.of(configured), Identity.of(configured), configured))
                .isEmpty();
    }

    @Test
    void neverUnsealsStartedVoter() {
        assertThat(check(new MemberStep.WriteJoinConfig(2), orders().build()))
                .hasValueSatisfying(why -> assertThat(why).contains("stays sealed"));
    }

    @Test
    void neverAddsSecondVoterToRingOfOne() {
        var one = fresh(orders().version("3.3.25").members(1).build(), spec(2, "3.3.25"));

        assertThat(SafetyGate.check(new MemberStep.AddVoter(1), RingModel.of(one), Identity.of(one), one))
                .contains("a ring of 1 would lose quorum until the new voter runs");
    }

    @ParameterizedTest
    @EnumSource(Part.class)
    void waitingAsksForNothing(Part part) {
        assertThat(check(new MemberStep.AwaitGreen(), with(f -> f.unreadable(part))))
                .isEmpty();
    }
}
