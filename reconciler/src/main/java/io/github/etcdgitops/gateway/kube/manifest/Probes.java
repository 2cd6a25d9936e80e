package io.github.etcdgitops.gateway.kube.manifest;

import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.List;

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

    static JsonObject startup(EtcdVersion version) {
        return timed(alive(version), STARTUP_PERIOD, STARTUP_FAILURES);
    }

    static JsonObject liveness(EtcdVersion version) {
        return timed(alive(version), LIVENESS_PERIOD, LIVENESS_FAILURES);
    }

    static JsonObject readiness(EtcdVersion version) {
        JsonObject check;
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
    private static JsonObject alive(EtcdVersion version) {
        return version.hasLivez()
                ? http("/livez")
                : new JsonObject().put("tcpSocket", new JsonObject().put("port", Ports.METRICS_NAME));
    }

    private static JsonObject http(String path) {
        var get = new JsonObject()
                .put("path", path)
                .put("port", Ports.METRICS_NAME)
                .put("scheme", "HTTP");
        return new JsonObject().put("httpGet", get);
    }

    /// For servers whose `/health` turns false with any alarm, whatever the query. A learner refuses such a
    /// read.
    private static JsonObject linearizableRead() {
        var command = List.of(PodPaths.ETCDCTL, "--dial-timeout=2s", "--command-timeout=4s", "get", "health");
        return new JsonObject().put("exec", new JsonObject().texts("command", command));
    }

    /// Older servers have no exclusion, or exclude a member's alarm only while all members raise it
    /// together.
    private static boolean healthExcludesAlarms(EtcdVersion version) {
        return version.minor() == 4 ? version.atLeast(3, 4, 19) : version.atLeast(3, 5, 3);
    }

    private static JsonObject timed(JsonObject probe, int period, int failures) {
        return probe.put("timeoutSeconds", TIMEOUT_SECONDS)
                .put("periodSeconds", period)
                .put("failureThreshold", failures)
                .put("successThreshold", 1);
    }
}
