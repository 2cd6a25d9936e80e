package io.github.etcdgitops.ring.deletion;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.deletion.ReturnCluster.Cause;
import io.github.etcdgitops.ring.tls.TlsStep;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.value.EtcdId;
import org.junit.jupiter.api.Test;

class ReturnClusterTest {
    private static final Transport MUTUAL = new Transport(Transport.Mode.MUTUAL, Transport.Mode.MUTUAL);

    static ReturnCluster back(Cause cause) {
        return new ReturnCluster(ORDERS, new EtcdId(31), 3, Tls.NONE, Authorities.FIRST, cause, Blueprints.ANY);
    }

    @Test
    void startsMembersAfterSealingAndAdmitsClientsAfterComparison() {
        assertThat(StepOrder.names(back(Cause.DELETED)))
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
    void issuesCertificatesBeforeMembersStart() {
        var secured = new ReturnCluster(
                ORDERS, new EtcdId(31), 3, Tls.NONE.with(MUTUAL), Authorities.FIRST, Cause.DELETED, Blueprints.ANY);

        assertThat(StepOrder.first(secured, TlsStep.IssueCertificates.class))
                .isPositive()
                .isLessThan(StepOrder.first(secured, ReturnStep.StartMembers.class));
        assertThat(secured.id()).isEqualTo(back(Cause.DELETED).id());
    }

    @Test
    void rollbackNeedsNoApproval() {
        assertThat(back(Cause.DELETED).risk()).isEqualTo(Risk.LOW);
        assertThat(back(Cause.DELETED).consent()).isEqualTo(Consent.BY_RISK);
        assertThat(back(Cause.MIDWAY).consent()).isEqualTo(Consent.GIVEN);
        assertThat(back(Cause.MIDWAY).id()).isEqualTo(back(Cause.DELETED).id());
    }

    /// Whoever has deleted the StatefulSet may be about to do something to the volumes.
    @Test
    void undoesChangesByHandOnlyOnRequest() {
        assertThat(back(Cause.BY_HAND).consent()).isEqualTo(Consent.NEEDED);
        assertThat(back(Cause.BY_HAND).reason()).contains("deleted by hand");
        assertThat(StepOrder.names(back(Cause.BY_HAND))).isEqualTo(StepOrder.names(back(Cause.DELETED)));
    }

    @Test
    void repairsMissingRing() {
        assertThat(back(Cause.DELETED).heals()).isTrue();
        assertThat(back(Cause.DELETED).steps()).noneMatch(step -> step.gate() == Step.Gate.GREEN);
    }

    @Test
    void summaryNamesRingAndItsVolumes() {
        assertThat(back(Cause.DELETED).summary())
                .isEqualTo("bring back the ring of 3 with cluster ID 1f on its volumes");
        assertThat(back(Cause.MIDWAY).reason()).contains("in progress");
    }
}
