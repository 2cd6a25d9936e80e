package io.github.etcdgitops.cronjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.store.Stores;
import io.github.etcdgitops.spec.value.Destination;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A Secret that is mounted anywhere else than where the code looks is as good as none.
class StorageMountTest {
    private static final List<PodSpec> PODS =
            Manifests.pods(ManifestsTest.everything()).toList();

    @Test
    void mountsStorageSecretWhereDestinationReadsIt() {
        var here = Optional.of("here");
        var bucket = new Destination.S3(
                "etcd-backups", "", Optional.empty(), here, true, Optional.of("storage"), Optional.empty());
        var stores = new Stores(Map.of(), InstantSource.system());

        var looked = catchThrowableOfType(GatewayException.class, () -> stores.open(bucket));

        assertThat(PODS).hasSize(2).allSatisfy(pod -> {
            var mount = mount(pod, "etcd-gitops-storage");
            assertThat(looked).hasMessageContaining(mount.getMountPath() + "/places does not exist");
            assertThat(mount.getReadOnly()).isTrue();
            assertThat(mount.getSubPath())
                    .as("or a Secret that is replaced is never seen")
                    .isNull();
        });
    }

    private static VolumeMount mount(PodSpec pod, String secret) {
        var volumes = pod.getVolumes().stream()
                .filter(v ->
                        v.getSecret() != null && v.getSecret().getSecretName().equals(secret))
                .toList();
        assertThat(volumes).hasSize(1);
        var mounts = pod.getContainers().stream()
                .flatMap(c -> c.getVolumeMounts().stream())
                .filter(m -> m.getName().equals(volumes.getFirst().getName()))
                .toList();
        assertThat(mounts).hasSize(1);
        return mounts.getFirst();
    }
}
