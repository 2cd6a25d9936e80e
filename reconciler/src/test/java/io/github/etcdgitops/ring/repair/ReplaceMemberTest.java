package io.github.etcdgitops.ring.repair;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.repair.ReplacementSlot.Standing;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.Intent.Why;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReplaceMemberTest {
    private static final ReplacementSlot ASKED =
            new ReplacementSlot(new GivenUpClaim("uid-7", Why.MEMBER_ASKED), Standing.DOWN);
    private static final ReplacementSlot LOST = new ReplacementSlot(new GivenUpClaim("uid-9", Why.LOST), Standing.DOWN);

    private final ReplaceMember replace = replace(3, Map.of(1, ASKED), Map.of(1, new EtcdId(47)));

    private static ReplaceMember replace(
            int members, Map<Integer, ReplacementSlot> places, Map<Integer, EtcdId> formers) {
        return new ReplaceMember(
                ORDERS, new TreeMap<>(places), new TreeMap<>(formers), members, true, Consent.BY_RISK, Blueprints.ANY);
    }

    @Test
    void removesFormerMemberBeforeVolumeAndNewMember() {
        assertThat(StepOrder.names(replace))
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

    /// No pod is ready under the alarm, and who comes waits to be.
    @Test
    void removesDivergedMemberThenAlarmThenAddsMember() {
        var odd = new ReplacementSlot(new GivenUpClaim("uid-7", Why.DIVERGED), Standing.SERVING);
        var two = replace(5, Map.of(1, odd, 3, LOST), Map.of(1, new EtcdId(47)));

        assertThat(StepOrder.names(two))
                .containsSubsequence(
                        "BeginReplacement",
                        "RemoveFormer",
                        "RemoveFormer",
                        "DisarmCorrupt",
                        "FreeVolume",
                        "AddNewcomer");
        assertThat(two.steps().indexOf(new ReplaceStep.RemoveFormer(1)))
                .isLessThan(two.steps().indexOf(new ReplaceStep.DisarmCorrupt()));
        assertThat(replace(3, Map.of(1, odd), Map.of(1, new EtcdId(47))).id()).isEqualTo(replace.id());
        assertThat(replace(3, Map.of(1, odd), Map.of(1, new EtcdId(47))).reason())
                .isEqualTo("the data of orders-1 is not what a majority of the voters has");
        assertThat(two.mendsLosses()).isTrue();
    }

    @Test
    void idNamesMemberAndNotItsClaim() {
        var onAnother = new ReplacementSlot(new GivenUpClaim("uid-8", Why.MEMBER_ASKED), Standing.REMOVED);

        assertThat(replace(3, Map.of(1, onAnother), Map.of(1, new EtcdId(47))).id())
                .isEqualTo(replace.id());
        assertThat(replace(3, Map.of(1, ASKED), Map.of(1, new EtcdId(48))).id()).isNotEqualTo(replace.id());
    }

    /// etcd adds nobody while a voter is away.
    @Test
    void replacesMemberWithLostVolumeTogether() {
        var both = replace(5, Map.of(1, ASKED, 3, LOST), Map.of(1, new EtcdId(47)));

        assertThat(both.steps().lastIndexOf(new ReplaceStep.RemoveFormer(3)))
                .isLessThan(both.steps().indexOf(new ReplaceStep.AddNewcomer(1, true)));
        assertThat(both.id()).isNotEqualTo(replace.id());
        assertThat(both.reason())
                .isEqualTo("the volume of orders-3 is lost; a document asks for another member in the"
                        + " place of orders-1");
    }

    @Test
    void noStepAsksForSiblingsThatAreAllWell() {
        assertThat(replace.steps()).noneMatch(step -> step.gate() == Step.Gate.GREEN);
        assertThat(replace.heals()).isTrue();
    }

    @Test
    void ringWithoutToleranceIsAtRisk() {
        assertThat(replace.risk()).isEqualTo(Risk.HIGH);
        assertThat(replace(5, Map.of(1, ASKED), Map.of(1, new EtcdId(47))).risk())
                .isEqualTo(Risk.MEDIUM);
        assertThat(replace.summary()).isEqualTo("replace orders-1 on a new volume");
    }
}
