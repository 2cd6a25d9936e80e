package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.access.ClusterProbe.AccessQuestion;
import io.github.etcdgitops.gateway.access.Permissions;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// On the API server that `ETCD_GITOPS_TEST_KUBECONFIG` names, whose administrator we are.
class ServerProbeIT {
    @Test
    void seesARealServer() {
        try (var connection = KubeConnection.open(RealKubernetes.settings(), Map.of())) {
            var probe = new ServerProbe(connection);

            assertThat(probe.server().version()).startsWith("v1.");
            assertThat(Duration.between(probe.server().date().orElseThrow(), Instant.now())
                            .abs())
                    .isLessThan(Duration.ofMinutes(1));
            assertThat(probe.apis()).contains("apps/v1", "coordination.k8s.io/v1");
            assertThat(probe.defaultStorageClasses()).hasSize(1);
            assertThat(Permissions.ALL).allMatch(p -> probe.allows(new AccessQuestion(p, "", "")));
        }
    }
}
