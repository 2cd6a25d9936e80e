package io.github.etcdgitops.operation;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.operation.Operation.Consent;
import io.github.etcdgitops.spec.Risk;
import io.github.etcdgitops.step.ReplaceStep;
import io.github.etcdgitops.step.Step;
import org.junit.jupiter.api.Test;

class ResetVolumeTest {
    private final ResetVolume reset = new ResetVolume(ORDERS, 1, 3, "uid-7", true, true);

    @Test
    void theFormerMemberGoesBeforeItsVolumeAndBeforeTheNewOneComes() {
        assertThat(StepOrder.names(reset))
                .containsExactly(
                        "BeginReplacement",
                        "LeadElsewhere",
                        "BlockEvictions",
                        "RemoveFormer",
                        "FreeVolume",
                        "AddNewcomer",
                        "WriteJoinConfig",
                        "AwaitStarted",
                        "SealMember",
                        "PromoteNewcomer",
                        "AwaitNewcomer",
                        "AdmitClients",
                        "ApplyObjects",
                        "SetBudget",
                        "Finish");
    }

    @Test
    void withoutLearnersItVotesFromTheStart() {
        var older = new ResetVolume(ORDERS, 1, 3, "uid-7", false, false);

        assertThat(older.steps())
                .contains(new ReplaceStep.AddNewcomer(1, false))
                .doesNotContain(new ReplaceStep.PromoteNewcomer(1));
    }

    /// A claim that was made since is another one, and so is what is done about it.
    @Test
    void itIsAboutOneClaim() {
        assertThat(reset.id()).isNotEqualTo(new ResetVolume(ORDERS, 1, 3, "uid-8", true, true).id());
        assertThat(reset.id()).isEqualTo(new ResetVolume(ORDERS, 1, 5, "uid-7", false, false).id());
    }

    @Test
    void noStepAsksForSiblingsThatAreAllWell() {
        assertThat(reset.steps()).noneMatch(step -> step.gate() == Step.Gate.GREEN);
        assertThat(reset.heals()).isTrue();
    }

    @Test
    void aRingThatBearsNothingMoreIsAtRisk() {
        assertThat(reset.risk()).isEqualTo(Risk.HIGH);
        assertThat(new ResetVolume(ORDERS, 1, 5, "uid-7", true, true).risk()).isEqualTo(Risk.MEDIUM);
    }

    @Test
    void theDocumentSaysWhoMustHaveLetItBeDone() {
        assertThat(reset.consent()).isEqualTo(Consent.NEEDED);
        assertThat(new ResetVolume(ORDERS, 1, 3, "uid-7", true, false).consent())
                .isEqualTo(Consent.GIVEN);
    }
}
