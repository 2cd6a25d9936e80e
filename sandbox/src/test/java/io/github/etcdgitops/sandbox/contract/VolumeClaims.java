package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.KubeUnderTest.MERGE;
import static io.github.etcdgitops.sandbox.contract.KubeUnderTest.PLAIN;
import static io.github.etcdgitops.sandbox.contract.Workloads.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import org.junit.jupiter.api.Test;

/// Claims of the default class, and the volumes that they get.
interface VolumeClaims {
    Workloads workloads();

    @Test
    default void givesAClaimAVolumeThatIsAFolder() {
        Reply claim = bound("bound");

        Reply volume = workloads().volume(claim.at("/spec/volumeName"));
        assertThat(claim.at("/spec/storageClassName")).isEqualTo("standard");
        assertThat(claim.at("/status/capacity/storage")).isEqualTo("1Mi");
        assertThat(claim.at("/status/accessModes/0")).isEqualTo("ReadWriteOnce");
        assertThat(claim.at("/metadata/finalizers/0")).isEqualTo("kubernetes.io/pvc-protection");
        assertThat(volume.at("/spec/claimRef/uid")).isEqualTo(claim.uid());
        assertThat(volume.at("/spec/hostPath/path")).endsWith(claim.at("/spec/volumeName"));
        assertThat(volume.at("/spec/persistentVolumeReclaimPolicy")).isEqualTo("Delete");
        await(() -> workloads()
                .volume(claim.at("/spec/volumeName"))
                .at("/status/phase")
                .equals("Bound"));
    }

    @Test
    default void growsAClaimAndItsVolume() {
        Reply claim = bound("grows");

        workloads()
                .kube()
                .merge("persistentvolumeclaims", "grows", "{'spec': {'resources': {'requests': {'storage': '2Mi'}}}}");
        await(() -> claim("grows").at("/status/capacity/storage").equals("2Mi"));

        assertThat(workloads().volume(claim.at("/spec/volumeName")).at("/spec/capacity/storage"))
                .isEqualTo("2Mi");
        assertThat(claim("grows").at("/status/phase")).isEqualTo("Bound");
    }

    @Test
    default void losesAClaimWhoseVolumeIsGone() {
        String volume = bound("lost").at("/spec/volumeName");

        workloads().kube().send("DELETE", "/api/v1/persistentvolumes/" + volume, PLAIN, "");
        Reply ending = workloads().volume(volume);
        workloads()
                .kube()
                .send("PATCH", "/api/v1/persistentvolumes/" + volume, MERGE, "{\"metadata\": {\"finalizers\": null}}");
        await(() -> claim("lost").at("/status/phase").equals("Lost"));

        assertThat(ending.body().at("/metadata").has("deletionTimestamp")).isTrue();
        assertThat(workloads().volume(volume).code()).isEqualTo(404);
        assertThat(claim("lost").at("/spec/volumeName")).isEqualTo(volume);
        assertThat(claim("lost").body().at("/status").has("capacity")).isFalse();
    }

    @Test
    default void takesTheVolumeAwayWithItsClaim() {
        String volume = bound("reclaimed").at("/spec/volumeName");

        workloads().kube().delete("persistentvolumeclaims", "reclaimed", "");

        await(() ->
                claim("reclaimed").code() == 404 && workloads().volume(volume).code() == 404);
    }

    @Test
    default void keepsADeletedClaimForAsLongAsAPodHasIt() {
        workloads().create(Workloads.ringWithClaims("holds", 1), 1);
        String uid = claim("data-holds-0").uid();

        workloads().kube().delete("persistentvolumeclaims", "data-holds-0", "");
        Reply held = claim("data-holds-0");
        workloads().scale("holds", 0);
        await(() -> claim("data-holds-0").code() == 404);
        workloads().scale("holds", 1);
        await(() -> workloads().isAtRest("holds", 1));

        assertThat(held.body().at("/metadata").has("deletionTimestamp")).isTrue();
        assertThat(held.at("/status/phase")).isEqualTo("Bound");
        assertThat(claim("data-holds-0").uid()).isNotEqualTo(uid);
    }

    @Test
    default void makesNoPodWhileItsClaimIsAboutToGo() {
        workloads().create(Workloads.ringWithClaims("goes", 1), 1);
        String uid = claim("data-goes-0").uid();
        workloads()
                .kube()
                .merge(
                        "persistentvolumeclaims",
                        "data-goes-0",
                        "{'metadata': {'finalizers': ['kubernetes.io/pvc-protection', 'contract.test/hold']}}");

        workloads().kube().delete("persistentvolumeclaims", "data-goes-0", "");
        workloads().deletePod("goes-0");
        await(() -> claim("data-goes-0").body().at("/metadata/finalizers").size() == 1
                && workloads().pods("goes").isEmpty());
        workloads().kube().merge("persistentvolumeclaims", "data-goes-0", "{'metadata': {'finalizers': null}}");
        await(() -> workloads().isAtRest("goes", 1));

        assertThat(claim("data-goes-0").uid()).isNotEqualTo(uid);
    }

    private Reply claim(String name) {
        return workloads().kube().get("persistentvolumeclaims", name);
    }

    private Reply bound(String name) {
        workloads().kube().create("persistentvolumeclaims", Workloads.claim(name));
        await(() -> claim(name).at("/status/phase").equals("Bound"));
        return claim(name);
    }
}
