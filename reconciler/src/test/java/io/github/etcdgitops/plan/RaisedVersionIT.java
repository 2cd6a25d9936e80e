package io.github.etcdgitops.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.EtcdGateway.View;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.gateway.etcd.JetcdGateway;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The last member of the former minor version leaves a ring of real etcd in the midst of an upgrade.
class RaisedVersionIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration CALL = Duration.ofSeconds(10);

    /// What `CatchingUp` relies on: the survivor tells the cluster version without a leader, no process of the
    /// former version starts on such data, and one of the new version brings the quorum back.
    @ParameterizedTest
    @CsvSource({"3.3.25, 3.4.23", "3.4.23, 3.5.16"})
    void onlyTheNewVersionBringsTheQuorumBack(String former, String target) {
        var old = EtcdBinaries.require(former);
        var next = EtcdBinaries.require(target);
        var raised = EtcdVersion.parse(target).orElseThrow();
        try (var ring = EtcdRing.start(old, 3);
                var gateway = new JetcdGateway()) {
            ring.await("an answer", LIMIT, () -> view(ring, gateway, 0).isPresent());
            var leaving = view(ring, gateway, 0).orElseThrow().self();
            for (int ordinal : new int[] {2, 1}) {
                ring.member(ordinal).stop();
                ring.restart(ring.member(ordinal).binaries(next));
                ring.member(ordinal).awaitReady();
            }
            ring.await(
                    "a cluster version", LIMIT, () -> version(ring, gateway, 1).isPresent());
            assertThat(asked(ring, gateway, 1).isSameMinorAs(raised)).isFalse();

            ring.await("etcd to let it go", LIMIT, () -> removed(ring, gateway, leaving));
            ring.await(
                    "the cluster version to be raised",
                    LIMIT,
                    () -> version(ring, gateway, 1)
                                    .filter(raised::isSameMinorAs)
                                    .isPresent()
                            && version(ring, gateway, 2)
                                    .filter(raised::isSameMinorAs)
                                    .isPresent());

            ring.member(2).stop();
            ring.restart(ring.member(2).binaries(old));
            ring.await("the former version to end", LIMIT, () -> !ring.member(2).running());
            assertThat(ring.member(2).readLog()).containsAnyOf("cannot be downgraded", "invalid downgrade");
            ring.await(
                    "the survivor to know of no leader",
                    LIMIT,
                    () -> view(ring, gateway, 1)
                            .filter(v -> v.status().leader().isEmpty())
                            .isPresent());
            assertThat(asked(ring, gateway, 1).isSameMinorAs(raised)).isTrue();

            ring.restart(ring.member(2).binaries(next));

            ring.await("both to have a leader", LIMIT, () -> leads(ring, gateway, 1) && leads(ring, gateway, 2));
        }
    }

    /// A removal whose answer came too late counts as well.
    private static boolean removed(EtcdRing ring, JetcdGateway gateway, EtcdId leaving) {
        try {
            gateway.removeMember(ring.member(1).route("m1.test"), leaving, CALL);
            return true;
        } catch (GatewayException _) {
            return view(ring, gateway, 1)
                    .filter(v -> v.members().stream().noneMatch(m -> m.id().equals(leaving)))
                    .isPresent();
        }
    }

    private static boolean leads(EtcdRing ring, JetcdGateway gateway, int ordinal) {
        return view(ring, gateway, ordinal)
                .filter(v -> v.status().leader().isPresent())
                .isPresent();
    }

    private static Optional<View> view(EtcdRing ring, JetcdGateway gateway, int ordinal) {
        try {
            return Optional.of(gateway.probe(ring.member(ordinal).route("m" + ordinal + ".test"), CALL));
        } catch (GatewayException _) {
            return Optional.empty();
        }
    }

    private static Optional<EtcdVersion> version(EtcdRing ring, JetcdGateway gateway, int ordinal) {
        try {
            return Optional.of(asked(ring, gateway, ordinal));
        } catch (GatewayException _) {
            return Optional.empty();
        }
    }

    private static EtcdVersion asked(EtcdRing ring, JetcdGateway gateway, int ordinal) {
        return gateway.clusterVersion(ring.member(ordinal).route("m" + ordinal + ".test", Door.METRICS), CALL);
    }
}
