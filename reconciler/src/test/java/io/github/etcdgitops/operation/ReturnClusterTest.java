package io.github.etcdgitops.operation;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.operation.Operation.Consent;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.Risk;
import io.github.etcdgitops.spec.Tls;
import io.github.etcdgitops.spec.Transport;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.step.ReturnStep;
import io.github.etcdgitops.step.Step;
import io.github.etcdgitops.step.TlsStep;
import org.junit.jupiter.api.Test;

class ReturnClusterTest {
    private static final Transport MUTUAL = new Transport(Transport.Mode.MUTUAL, Transport.Mode.MUTUAL);

    static ReturnCluster back(boolean midway) {
        return new ReturnCluster(ORDERS, new EtcdId(31), 3, Tls.NONE, Authorities.FIRST, midway);
    }

    @Test
    void nobodyStartsBeforeAllAreSealedAndNoClientComesBeforeTheDataIsCompared() {
        assertThat(StepOrder.names(back(false)))
                .containsExactly(
                        "BeginReturn",
                        "ApplyObjects",
                        "SealMembers",
                        "StartMembers",
                        "AwaitReturned",
                        "CompareRemains",
                        "TakeVolumes",
                        "ApplyObjects",
                        "SetBudget",
                        "FinishReturn");
    }

    /// Their certificates may have run out meanwhile.
    @Test
    void aSecuredRingHasItsCertificatesBeforeItsMembersStart() {
        var secured = new ReturnCluster(ORDERS, new EtcdId(31), 3, Tls.NONE.with(MUTUAL), Authorities.FIRST, false);

        assertThat(StepOrder.first(secured, TlsStep.IssueCertificates.class))
                .isPositive()
                .isLessThan(StepOrder.first(secured, ReturnStep.StartMembers.class));
        assertThat(secured.id()).isEqualTo(back(false).id());
    }

    @Test
    void whatIsTakenBackMidwayNeedsNobody() {
        assertThat(back(false).risk()).isEqualTo(Risk.LOW);
        assertThat(back(false).consent()).isEqualTo(Consent.BY_RISK);
        assertThat(back(true).consent()).isEqualTo(Consent.GIVEN);
        assertThat(back(true).id()).isEqualTo(back(false).id());
    }

    @Test
    void itMendsARingThatIsNotThere() {
        assertThat(back(false).heals()).isTrue();
        assertThat(back(false).steps()).noneMatch(step -> step.gate() == Step.Gate.GREEN);
    }

    @Test
    void itSaysWhatItIsAbout() {
        assertThat(back(false).summary()).isEqualTo("bring back the ring of 3 with cluster ID 1f on its volumes");
        assertThat(back(true).reason()).contains("under way");
    }
}
