package io.github.etcdgitops.ring.repair;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.repair.ReplacementSlot.Standing;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.Intent;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ResetVolumeTest {
    private final ResetVolume reset = reset(3, Map.of(1, "uid-7"), true, true);

    private static ResetVolume reset(int members, Map<Integer, String> claims, boolean learner, boolean asked) {
        return reset(members, claims, Standing.DOWN, learner, asked);
    }

    private static ResetVolume reset(
            int members, Map<Integer, String> claims, Standing standing, boolean learner, boolean asked) {
        var places = new TreeMap<Integer, ReplacementSlot>();
        claims.forEach((ordinal, uid) ->
                places.put(ordinal, new ReplacementSlot(new GivenUpClaim(uid, Intent.Why.LOST), standing)));
        return new ResetVolume(
                ORDERS, places, members, learner, asked ? Consent.NEEDED : Consent.GIVEN, Blueprints.ANY);
    }

    @Test
    void removesFormerMemberBeforeVolumeAndNewMember() {
        assertThat(StepOrder.names(reset))
                .containsExactly(
                        "BeginReplacement",
                        "BlockEvictions",
                        "LeadElsewhere",
                        "RemoveFormer",
                        "FreeVolume",
                        "AddNewcomer",
                        "WriteJoinConfig",
                        "RenewPod",
                        "AwaitStarted",
                        "SealMember",
                        "PromoteNewcomer",
                        "AwaitNewcomer",
                        "AdmitClients",
                        "ApplyObjects",
                        "SetBudget",
                        "Finish");
    }

    /// etcd adds nobody while a voter is away.
    @Test
    void removesAllFailedMembersBeforeAddingOne() {
        var both = reset(5, Map.of(1, "uid-7", 3, "uid-9"), true, true);

        assertThat(both.steps().lastIndexOf(new ReplaceStep.RemoveFormer(3)))
                .isLessThan(both.steps().indexOf(new ReplaceStep.AddNewcomer(1, true)));
        assertThat(both.summary()).isEqualTo("replace orders-1, orders-3 on new volumes");
    }

    /// The ring is better off with it until then.
    @Test
    void removesServingMemberAfterTheOthersAreReplaced() {
        var both = reset(5, Map.of(1, "uid-7", 3, "uid-9"), Standing.SERVING, true, true);

        assertThat(both.steps().indexOf(new ReplaceStep.RemoveFormer(3)))
                .isGreaterThan(both.steps().indexOf(new ReplaceStep.AwaitNewcomer(1)));
        assertThat(both.id())
                .isEqualTo(reset(5, Map.of(1, "uid-7", 3, "uid-9"), true, true).id());
    }

    /// With two of three gone, one of them by us, there would be nobody left to let a voter in.
    @Test
    void keepsServingMemberUntilFailedOnesAreBack() {
        var places = new TreeMap<>(Map.of(
                0, new ReplacementSlot(new GivenUpClaim("uid-7", Intent.Why.LOST), Standing.SERVING),
                1, new ReplacementSlot(new GivenUpClaim("uid-9", Intent.Why.LOST), Standing.DOWN)));
        var both = new ResetVolume(ORDERS, places, 3, false, Consent.GIVEN, Blueprints.ANY).steps();

        assertThat(both.indexOf(new ReplaceStep.RemoveFormer(0)))
                .isGreaterThan(both.indexOf(new ReplaceStep.AwaitNewcomer(1)));
    }

    @Test
    void onlyAddsMemberThatWasAlreadyRemoved() {
        var resumed = reset(3, Map.of(1, "uid-7"), Standing.REMOVED, true, false);

        assertThat(StepOrder.names(resumed))
                .doesNotContain("RemoveFormer", "LeadElsewhere")
                .contains("AddNewcomer");
        assertThat(resumed.id()).isEqualTo(reset.id());
    }

    @Test
    void withoutLearnersItVotesFromTheStart() {
        var older = reset(3, Map.of(1, "uid-7"), false, false);

        assertThat(older.steps())
                .contains(new ReplaceStep.AddNewcomer(1, false))
                .doesNotContain(new ReplaceStep.PromoteNewcomer(1));
    }

    /// A claim that was made since is another one, and so is what is done about it.
    @Test
    void idNamesOneClaim() {
        assertThat(reset.id())
                .isNotEqualTo(reset(3, Map.of(1, "uid-8"), true, true).id());
        assertThat(reset.id())
                .isEqualTo(reset(5, Map.of(1, "uid-7"), false, false).id());
    }

    @Test
    void noStepAsksForSiblingsThatAreAllWell() {
        assertThat(reset.steps()).noneMatch(step -> step.gate() == Step.Gate.GREEN);
        assertThat(reset.heals()).isTrue();
    }

    @Test
    void ringWithoutToleranceIsAtRisk() {
        assertThat(reset.risk()).isEqualTo(Risk.HIGH);
        assertThat(reset(5, Map.of(1, "uid-7"), true, true).risk()).isEqualTo(Risk.MEDIUM);
    }

    @Test
    void namesLossAndReason() {
        var places = new TreeMap<>(Map.of(
                1, new ReplacementSlot(new GivenUpClaim("uid-7", Intent.Why.LOST), Standing.DOWN),
                3, new ReplacementSlot(new GivenUpClaim("uid-9", Intent.Why.VOLUME_ASKED), Standing.SERVING)));
        var both = new ResetVolume(ORDERS, places, 5, true, Consent.BY_RISK, Blueprints.ANY);

        assertThat(both.reason())
                .isEqualTo("the volume of orders-1 is lost; a document asks for another volume for orders-3");
    }

    @Test
    void reportsConsentItWasPlannedWith() {
        assertThat(reset.consent()).isEqualTo(Consent.NEEDED);
        assertThat(reset(3, Map.of(1, "uid-7"), true, false).consent()).isEqualTo(Consent.GIVEN);
    }
}
