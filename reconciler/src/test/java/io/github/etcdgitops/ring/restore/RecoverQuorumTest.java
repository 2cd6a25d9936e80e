package io.github.etcdgitops.ring.restore;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.restore.Exchange.Stage;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.underway.Recovery;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RecoverQuorumTest {
    static RecoverQuorum recover(Stage stage, Map<Integer, String> lost) {
        var former = new EtcdId(31);
        return new RecoverQuorum(ORDERS, exchange(order(Recovery.request(former)), stage, lost));
    }

    static RestoreOrder order(String request) {
        var origin = new SnapshotOrigin(
                request,
                "file:///backups/orders.db",
                Optional.of("20260101T000000Z-quorum-7"),
                20_512,
                "ab".repeat(32),
                Optional.empty(),
                Optional.empty());
        return new RestoreOrder(request, new RestoreOrder.Source.Loaded(origin), Optional.empty());
    }

    static Exchange exchange(RestoreOrder order, Stage stage, Map<Integer, String> lost) {
        return new Exchange(new EtcdId(31), order, new EtcdVersion(3, 5, 16), 3, new TreeMap<>(lost), stage);
    }

    @Test
    void shutsDownMembersAfterBackupIsProvenAndReplacesThemAfterwards() {
        assertThat(StepOrder.names(recover(Stage.ASKED, Map.of())))
                .containsExactly(
                        "VerifySource",
                        "ProveRoom",
                        "BeginExchange",
                        "EndFormers",
                        "AwaitEnded",
                        "LeadClientsAway",
                        "RemoveFormerSet",
                        "UnseatFormers",
                        "OpenExchanged");
    }

    @Test
    void onlyClaimsWithoutAVolumeAreDeleted() {
        var operation = recover(Stage.ASKED, Map.of(0, "uid-1", 2, "uid-3"));

        assertThat(operation.steps())
                .filteredOn(RecoverStep.FreeLostClaims.class::isInstance)
                .containsExactly(new RecoverStep.FreeLostClaims(new TreeMap<>(Map.of(0, "uid-1", 2, "uid-3"))));
        assertThat(operation.id()).isEqualTo(recover(Stage.ASKED, Map.of()).id());
    }

    @Test
    void needsApprovalThatNamesTheRingUntilShutdown() {
        var asked = recover(Stage.ASKED, Map.of());
        assertThat(asked.toBeNamed()).contains(new EtcdId(31));
        assertThat(asked.consent()).isEqualTo(Consent.NEEDED);
        assertThat(asked.risk()).isEqualTo(Risk.DESTRUCTIVE);
        assertThat(recover(Stage.ENDED, Map.of()).consent()).isEqualTo(Consent.GIVEN);
    }

    @Test
    void cancelledRecoveryShutsDownNoMember() {
        var back = recover(Stage.CALLED_OFF, Map.of());

        assertThat(back.steps()).containsExactly(new RecoverStep.CallOff());
        assertThat(back.consent()).isEqualTo(Consent.GIVEN);
        assertThat(back.risk()).isEqualTo(Risk.LOW);
        assertThat(back.summary()).contains("cancel");
    }

    @Test
    void countsNoVotersOnceMembersAreStopped() {
        var one =
                new RingModel(new TreeSet<>(List.of(0, 1, 2)), new TreeSet<>(), 3, 3, 2, new TreeSet<>(List.of(0, 1)));
        var end = new RecoverStep.EndFormers(order("any"));

        assertThat(end.during(one)).isEqualTo(RingModel.EMPTY.quorum());
        assertThat(end.apply(one).voters()).isEmpty();
    }
}
