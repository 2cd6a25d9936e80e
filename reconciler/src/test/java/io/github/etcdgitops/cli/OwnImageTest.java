package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.cli.wiring.OwnImage;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RestoreJobs;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnImageTest {
    private static final Map<String, String> IN_A_POD = Map.of("POD_NAMESPACE", "ops", "POD_NAME", "run-1");

    /// Knows images and nothing else.
    private static RestoreJobs knowing(Optional<String> image) {
        return (RestoreJobs) Proxy.newProxyInstance(
                RestoreJobs.class.getClassLoader(), new Class<?>[] {RestoreJobs.class}, (_, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("imageOf");
                    assertThat(Arrays.asList(arguments)).isEqualTo(List.of("ops", "run-1"));
                    return image;
                });
    }

    @Test
    void isTheOneThatWasGiven() {
        assertThat(OwnImage.of(" mirror/etcd-gitops:2 ", IN_A_POD, knowing(Optional.of("etcd-gitops:1"))))
                .isEqualTo("mirror/etcd-gitops:2");
    }

    @Test
    void isTheOneOfItsOwnPod() {
        assertThat(OwnImage.of(null, IN_A_POD, knowing(Optional.of("etcd-gitops:1"))))
                .isEqualTo("etcd-gitops:1");
        assertThat(OwnImage.of("", IN_A_POD, knowing(Optional.of("etcd-gitops:1"))))
                .isEqualTo("etcd-gitops:1");
    }

    @Test
    void saysWhatToSetOutsideOfAPod() {
        assertThatThrownBy(() -> OwnImage.of(null, Map.of(), knowing(Optional.empty())))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(GatewayException.Kind.REJECTED))
                .hasMessageContaining("POD_NAME and POD_NAMESPACE are not set")
                .hasMessageContaining("set ETCD_GITOPS_IMAGE or --image");
    }

    @Test
    void saysWhatToSetWhereItsContainerIsNotKnown() {
        assertThatThrownBy(() -> OwnImage.of(null, IN_A_POD, knowing(Optional.empty())))
                .hasMessageContaining("ops/run-1 has several containers, and none of them is named etcd-gitops")
                .hasMessageContaining("set ETCD_GITOPS_IMAGE or --image");
    }
}
