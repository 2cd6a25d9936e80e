package io.github.etcdgitops.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.etcd.JetcdGateway;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A member joins a ring in which nobody writes, and gets a snapshot: what the wait for its start relies on.
class IdleJoinIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration CALL = Duration.ofSeconds(8);

    /// More than the 5,000 entries that a member may be behind and still takes requests.
    private static final int ENTRIES = 5_500;

    private final JetcdGateway gateway = new JetcdGateway();

    @ParameterizedTest
    @ValueSource(strings = {"3.6.14", "3.7.1"})
    void memberStartsWithTheNextEntry(String version) {
        try (var ring = EtcdRing.start(
                EtcdBinaries.require(version), 1, List.of("--snapshot-count=100", "--snapshot-catchup-entries=10"))) {
            var joining = joined(ring);
            ring.await("its refusal", LIMIT, () -> joining.readLog().contains("too many requests"));
            assertThat(status(joining)).isEmpty();
            long revision = gateway.ringRevision(leader(ring), CALL);

            gateway.disarmNoSpace(leader(ring), member(ring, joining).id(), CALL);

            ring.await("it to start", LIMIT, () -> status(joining).isPresent());
            ring.await("its name", LIMIT, () -> member(ring, joining).started());
            assertThat(gateway.ringRevision(leader(ring), CALL)).isEqualTo(revision);
        }
    }

    @Test
    void memberOf35StartsAtOnce() {
        var flags = List.of("--snapshot-count=100", "--experimental-snapshot-catchup-entries=10");
        try (var ring = EtcdRing.start(EtcdBinaries.require("3.5.30"), 1, flags)) {
            var joining = joined(ring);

            ring.await("it to start", LIMIT, () -> status(joining).isPresent());
        }
    }

    private EtcdProcess joined(EtcdRing ring) {
        long due = applied(ring) + ENTRIES;
        while (applied(ring) < due) {
            gateway.writeNothing(leader(ring), 500, CALL);
        }
        var joining = ring.prepare();
        gateway.addLearner(leader(ring), joining.peerUrl(), CALL);
        ring.join(joining, ring.members());
        return joining;
    }

    private long applied(EtcdRing ring) {
        return status(ring.member(0)).orElseThrow().appliedIndex();
    }

    private MemberState member(EtcdRing ring, EtcdProcess process) {
        return gateway.probe(leader(ring), CALL).members().stream()
                .filter(member -> member.peerUrls().contains(process.peerUrl()))
                .findFirst()
                .orElseThrow();
    }

    private Optional<MemberState.Status> status(EtcdProcess process) {
        try {
            return Optional.of(
                    gateway.probe(process.route(process.name() + ".test"), CALL).status());
        } catch (GatewayException _) {
            return Optional.empty();
        }
    }

    private static MemberAccess.Route leader(EtcdRing ring) {
        return ring.member(0).route("m0.test");
    }
}
