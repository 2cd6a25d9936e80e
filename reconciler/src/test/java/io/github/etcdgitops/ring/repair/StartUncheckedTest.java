package io.github.etcdgitops.ring.repair;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.repair.StartUnchecked.Wrong;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class StartUncheckedTest {
    private final StartUnchecked start = of("uid-5", Consent.PERMITTED);

    @Test
    void writesTheFileBeforeThePodStartsWithIt() {
        assertThat(StepOrder.names(start)).containsExactly("LeaveOutCheck", "FreePod", "AwaitStarted");
    }

    /// An approval outlasts the pods that end meanwhile.
    @Test
    void isAboutTheMemberWhateverItsPod() {
        assertThat(of("uid-6", Consent.NEEDED).id()).isEqualTo(start.id());
        assertThat(new StartUnchecked(
                                ORDERS,
                                1,
                                new EtcdId(0x30),
                                "uid-5",
                                new Wrong.Of(new TreeSet<>()),
                                Consent.PERMITTED,
                                Optional.empty())
                        .id())
                .isNotEqualTo(start.id());
    }

    @Test
    void touchesNothingThatRuns() {
        assertThat(start.risk()).isEqualTo(Risk.LOW);
        assertThat(start.heals()).isTrue();
        assertThat(start.mendsLosses()).isFalse();
        assertThat(start.summary()).isEqualTo("start orders-1 once without InitialCorruptCheck");
        assertThat(start.reason()).contains("the other members have different data");
    }

    /// Only then may it be known whose data is wrong. Who approves it approves both.
    @Test
    void inspectsVolumeBeforeWritingFile() {
        var looking = new StartUnchecked(
                ORDERS, 1, new EtcdId(0x2f), "uid-5", new Wrong.OnVolume("u-7"), Consent.NEEDED, Optional.empty());

        assertThat(StepOrder.names(looking))
                .containsExactly("WitnessInspectionStep", "LeaveOutCheck", "FreePod", "AwaitStarted");
        assertThat(looking.id()).isNotEqualTo(start.id());
        assertThat(looking.summary()).startsWith("inspect a copy of the volume of orders-1");
    }

    private static StartUnchecked of(String pod, Consent consent) {
        return new StartUnchecked(
                ORDERS, 1, new EtcdId(0x2f), pod, new Wrong.Of(new TreeSet<>()), consent, Optional.empty());
    }
}
