package io.github.etcdgitops.ring.deletion;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DeleteVolumesTest {
    static final SortedMap<Integer, String> CLAIMS = new TreeMap<>(Map.of(0, "uid-a", 1, "uid-b", 2, "uid-c"));
    static final DeleteVolumes DELETE = of(31, CLAIMS, 0, "nobody has missed it");

    private static DeleteVolumes of(long clusterId, SortedMap<Integer, String> claims, int returns, String why) {
        return new DeleteVolumes(ORDERS, new EtcdId(clusterId), claims, new EtcdVersion(3, 5, 16), returns, why);
    }

    @Test
    void stepsBeginAndEndInJournal() {
        assertThat(StepOrder.names(DELETE))
                .containsExactly("BeginPurge", "DeleteClaims", "AwaitClaimsGone", "FinishPurge");
    }

    /// By default, and not only where a Fleet is careful.
    @Test
    void needsApproval() {
        assertThat(DELETE.risk()).isEqualTo(Risk.DESTRUCTIVE);
        assertThat(DELETE.consent()).isEqualTo(Consent.BY_RISK);
        assertThat(Fleet.DEFAULT.approvals().from()).isLessThanOrEqualTo(Risk.DESTRUCTIVE);
        assertThat(DELETE.heals()).isFalse();
    }

    /// An approval is for these volumes of this ring, and not for those of a ring that came back.
    @Test
    void idNamesItsVolumes() {
        var others = new TreeMap<>(CLAIMS);
        others.put(1, "uid-z");

        assertThat(DELETE.id()).isEqualTo(of(31, CLAIMS, 0, "over").id());
        assertThat(DELETE.id()).isNotEqualTo(of(32, CLAIMS, 0, "over").id());
        assertThat(DELETE.id()).isNotEqualTo(of(31, others, 0, "over").id());
        assertThat(DELETE.id()).isNotEqualTo(of(31, CLAIMS, 1, "over").id());
    }

    @Test
    void planNamesVolumesAndThatDeletionIsFinal() {
        var step = DELETE.steps().get(1);

        assertThat(step.text(ORDERS))
                .isEqualTo("Delete permanently the volume claims of orders-0 (UID uid-a), of orders-1 (UID uid-b), of"
                        + " orders-2 (UID uid-c)");
        assertThat(step.undo(ORDERS)).startsWith("no");
        assertThat(step.gate()).isEqualTo(Step.Gate.EXPECTED);
        assertThat(step.apply(RingModel.EMPTY)).isEqualTo(RingModel.EMPTY);
        assertThat(DELETE.summary()).isEqualTo("delete the 3 retained volumes of the ring with cluster ID 1f");
        assertThat(DELETE.reason()).endsWith("retained volumes: nobody has missed it");
    }
}
