package io.github.etcdgitops.gateway.kube.manifest;

import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.github.etcdgitops.spec.value.EtcdVersion;

/// The kubelet's probes, each of which checks only the member itself.
///
/// No probe may kill a member for a problem of the ring: without quorum, as a learner, or out of space a
/// member must keep running, or the ring never recovers. Only readiness checks quorum, and NOSPACE does not
/// affect it, because reads and deletes still work.
final class Probes {
    private static final int TIMEOUT_SECONDS = 5;

    /// 15 minutes: a large write-ahead log is replayed before the metrics port opens.
    private static final int STARTUP_FAILURES = 180;

    private static final int STARTUP_PERIOD = 5;
    private static final int LIVENESS_PERIOD = 10;
    private static final int LIVENESS_FAILURES = 8;
    private static final int READINESS_PERIOD = 5;
    private static final int READINESS_FAILURES = 3;

    private Probes() {}

    static Probe startup(EtcdVersion version) {
        return timed(alive(version), STARTUP_PERIOD, STARTUP_FAILURES);
    }

    static Probe liveness(EtcdVersion version) {
        return timed(alive(version), LIVENESS_PERIOD, LIVENESS_FAILURES);
    }

    static Probe readiness(EtcdVersion version) {
        ProbeBuilder check;
        if (version.hasLivez()) {
            check = http("/readyz");
        } else if (healthExcludesAlarms(version)) {
            check = http("/health?exclude=NOSPACE");
        } else {
            check = linearizableRead();
        }
        return timed(check, READINESS_PERIOD, READINESS_FAILURES);
    }

    /// The metrics port rather than the client port: the kernel accepts connections to the client port from
    /// the first moment on, while the metrics port opens only after the replay, and then also without
    /// quorum.
    private static ProbeBuilder alive(EtcdVersion version) {
        return version.hasLivez()
                ? http("/livez")
                : new ProbeBuilder()
                        .withNewTcpSocket()
                        .withNewPort(Ports.METRICS_NAME)
                        .endTcpSocket();
    }

    private static ProbeBuilder http(String path) {
        return new ProbeBuilder()
                .withNewHttpGet()
                .withPath(path)
                .withNewPort(Ports.METRICS_NAME)
                .withScheme("HTTP")
                .endHttpGet();
    }

    /// For servers whose `/health` turns false with any alarm, whatever the query. A learner refuses such a
    /// read.
    private static ProbeBuilder linearizableRead() {
        return new ProbeBuilder()
                .withNewExec()
                .withCommand(PodPaths.ETCDCTL, "--dial-timeout=2s", "--command-timeout=4s", "get", "health")
                .endExec();
    }

    /// Older servers have no exclusion, or exclude a member's alarm only while all members raise it
    /// together.
    private static boolean healthExcludesAlarms(EtcdVersion version) {
        return version.minor() == 4 ? version.atLeast(3, 4, 19) : version.atLeast(3, 5, 3);
    }

    private static Probe timed(ProbeBuilder probe, int period, int failures) {
        return probe.withTimeoutSeconds(TIMEOUT_SECONDS)
                .withPeriodSeconds(period)
                .withFailureThreshold(failures)
                .withSuccessThreshold(1)
                .build();
    }
}
