package io.github.etcdgitops.ring.roll;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DowngradeVersionTest {
    private static final EtcdVersion LATER = new EtcdVersion(3, 6, 14);
    private static final EtcdVersion EARLIER = new EtcdVersion(3, 5, 30);
    private static final MemberSettings FORMER = new MemberSettings(LATER, new TreeMap<>());
    private static final MemberSettings TARGET = new MemberSettings(EARLIER, new TreeMap<>());

    private static DowngradeVersion change(MemberSettings from, MemberSettings to, int size, int told) {
        return new DowngradeVersion(ORDERS, new Roll(size, told, from, Blueprints.of(to), Duration.ZERO), 0);
    }

    private static DowngradeVersion downgrade(int size, int told) {
        return change(FORMER, TARGET, size, told);
    }

    @Test
    void isAnnouncedAndPreparedBeforeTheTemplateIsWritten() {
        assertThat(StepOrder.names(downgrade(3, 3)))
                .startsWith(
                        "BeginRoll",
                        "BlockEvictions",
                        "AnnounceDowngrade",
                        "AwaitPrepared",
                        "WriteTemplate",
                        "LeadFrom",
                        "WriteMemberFile",
                        "RestartMember");
    }

    @Test
    void waitsUntilEtcdHasEndedIt() {
        assertThat(StepOrder.names(downgrade(3, 3)))
                .endsWith("PinPartition", "AwaitDowngradeEnded", "FinishRoll", "SetBudget")
                .doesNotContain("AwaitClusterVersion");
    }

    @Test
    void leaderRestartsLast() {
        assertThat(StepOrder.names(downgrade(5, 5)).lastIndexOf("RestartMember"))
                .isGreaterThan(StepOrder.names(downgrade(5, 5)).indexOf("YieldLeadership"));
    }

    @Test
    void isNotAnnouncedAgainOnceMembersWereRestarted() {
        assertThat(StepOrder.names(downgrade(3, 1))).doesNotContain("AnnounceDowngrade", "AwaitPrepared");
        assertThat(downgrade(3, 1).id()).isEqualTo(downgrade(3, 3).id());
        assertThat(downgrade(3, 1).needsBackup()).isFalse();
    }

    @Test
    void riskIsHighWhateverTheSize() {
        for (int size : List.of(1, 3, 5)) {
            assertThat(downgrade(size, size).risk()).isEqualTo(Risk.HIGH);
            assertThat(downgrade(size, size).needsBackup()).isTrue();
        }
    }

    @Test
    void upgradeToTheSameVersionIsAnotherOperation() {
        var roll = new Roll(3, 3, FORMER, Blueprints.of(TARGET), Duration.ZERO);

        assertThat(new DowngradeVersion(ORDERS, roll, 0).id()).isNotEqualTo(new UpgradeVersion(ORDERS, roll, 0).id());
        assertThat(new DowngradeVersion(ORDERS, roll, 1).id()).isNotEqualTo(new DowngradeVersion(ORDERS, roll, 0).id());
    }

    @Test
    void summaryNamesTheGatesThatAreLost() {
        var gates = new TreeSet<>(List.of(FeatureGate.COMPACT_HASH_CHECK, FeatureGate.STOP_GRPC_SERVICE_ON_DEFRAG));
        var former =
                new MemberSettings(LATER, new TreeMap<>(), Optional.empty(), Transport.PLAIN, Authorities.FIRST, gates);
        var target = former.with(new EtcdVersion(3, 5, 13), "etcd:3.5.13");

        assertThat(change(former, target, 3, 3).summary())
                .isEqualTo("downgrade etcd 3.6.14 → 3.5.13 without feature gate StopGRPCServiceOnDefrag: restart"
                        + " orders-2, orders-1, orders-0");
        assertThat(downgrade(3, 3).reason())
                .contains("asks for etcd 3.5, and the ring runs etcd 3.6", "lose", "until orders-0 restarts");
    }

    @Test
    void reasonTellsOfThePauseThatAHighSnapshotCountMakes() {
        assertThat(counting(100_000).reason())
                .contains(
                        "until orders-0 restarts. When it is announced", "up to 100000 entries", "etcd.snapshotCount");
        assertThat(counting(10_000).reason()).endsWith("until orders-0 restarts");
    }

    private static DowngradeVersion counting(int entries) {
        var options = new TreeMap<String, Object>();
        options.put("snapshotCount", entries);
        return change(new MemberSettings(LATER, options), TARGET, 3, 3);
    }
}
