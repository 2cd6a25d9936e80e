package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.Workloads.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import org.junit.jupiter.api.Test;

/// Pods that come and go, and the claims that stay.
interface ScaleClaims {
    Workloads workloads();

    @Test
    default void givesPodsAndClaimsTheirIdentity() {
        workloads().create(Workloads.ringWithClaims("identity", 2), 2);

        Reply pod = workloads().pod("identity-1");
        Reply claim = workloads().kube().get("persistentvolumeclaims", "data-identity-1");
        assertThat(pod.at("/metadata/labels/app")).isEqualTo("identity");
        assertThat(pod.body()
                        .at("/metadata/labels")
                        .path("statefulset.kubernetes.io/pod-name")
                        .asText())
                .isEqualTo("identity-1");
        assertThat(pod.at("/spec/hostname")).isEqualTo("identity-1");
        assertThat(pod.at("/spec/subdomain")).isEqualTo("identity-peer");
        assertThat(pod.at("/spec/nodeName")).isNotEmpty();
        assertThat(pod.at("/spec/volumes/0/persistentVolumeClaim/claimName")).isEqualTo("data-identity-1");
        assertThat(pod.body().at("/metadata/ownerReferences")).hasSize(1);
        assertThat(pod.at("/metadata/ownerReferences/0/uid"))
                .isEqualTo(workloads().set("identity").uid());
        assertThat(pod.at("/metadata/ownerReferences/0/controller")).isEqualTo("true");
        assertThat(claim.body().at("/metadata/labels").toString())
                .isIn("{\"app\":\"identity\",\"own\":\"label\"}", "{\"own\":\"label\",\"app\":\"identity\"}");
        assertThat(claim.body().at("/metadata").has("ownerReferences")).isFalse();
    }

    @Test
    default void makesAllPodsWhetherReadyOrNotWhenParallel() {
        workloads().create(Workloads.unready(Workloads.ring("parallel", 3)), 0);

        assertThat(workloads().pods("parallel")).hasSize(3);
    }

    @Test
    default void makesTheNextPodOnlyWhenTheFormerIsReadyWhenOrdered() {
        workloads().kube().create("statefulsets", Workloads.ordered(Workloads.unready(Workloads.ring("ordered", 2))));
        await(() -> workloads().pod("ordered-0").at("/status/phase").equals("Running"));

        assertThat(workloads().isSeen(workloads().set("ordered"))).isTrue();
        assertThat(workloads().pods("ordered")).hasSize(1);
    }

    @Test
    default void takesTheHighestOrdinalsAndKeepsTheirClaimsForWhenTheyComeBack() {
        workloads().create(Workloads.ringWithClaims("shrinks", 3), 3);
        String uid = workloads().pod("shrinks-0").uid();
        Reply claim = workloads().kube().get("persistentvolumeclaims", "data-shrinks-2");

        workloads().scale("shrinks", 1);
        await(() -> workloads().isAtRest("shrinks", 1));
        Reply kept = workloads().kube().get("persistentvolumeclaims", "data-shrinks-2");
        workloads().scale("shrinks", 3);
        await(() -> workloads().isAtRest("shrinks", 3));

        assertThat(workloads().pod("shrinks-0").uid()).isEqualTo(uid);
        assertThat(kept.uid()).isEqualTo(claim.uid());
        Reply again = workloads().kube().get("persistentvolumeclaims", "data-shrinks-2");
        assertThat(again.uid()).isEqualTo(claim.uid());
        assertThat(again.at("/spec/volumeName")).isEqualTo(claim.at("/spec/volumeName"));
    }

    @Test
    default void takesOneAfterTheOtherFromTheHighestOrdinalWhenOrdered() {
        workloads().create(Workloads.ordered(Workloads.ring("descends", 3)), 3);
        workloads().hold("descends-2");

        workloads().scale("descends", 1);
        await(() ->
                workloads().ends("descends-2") && workloads().isSeen(workloads().set("descends")));
        boolean others = workloads().ends("descends-1");
        workloads().release("descends-2");
        await(() -> workloads().isAtRest("descends", 1));

        assertThat(others).isFalse();
    }

    @Test
    default void takesAClaimThatIsThereAsItIs() {
        Reply before = workloads().kube().create("persistentvolumeclaims", Workloads.claim("data-adopts-0"));

        workloads().create(Workloads.ringWithClaims("adopts", 1), 1);

        Reply after = workloads().kube().get("persistentvolumeclaims", "data-adopts-0");
        assertThat(after.uid()).isEqualTo(before.uid());
        assertThat(after.body().at("/metadata/labels").toString()).isEqualTo("{\"made\":\"before\"}");
    }

    @Test
    default void makesAPodAnewOnlyWhenTheOldOneIsGone() {
        workloads().create(Workloads.ring("anew", 1), 1);
        String uid = workloads().pod("anew-0").uid();
        workloads().hold("anew-0");

        workloads().deletePod("anew-0");
        await(() -> workloads().ends("anew-0")
                && workloads().set("anew").body().at("/status/currentReplicas").asInt() == 0);
        String ending = workloads().pod("anew-0").uid();
        workloads().release("anew-0");
        await(() -> workloads().isAtRest("anew", 1));

        assertThat(ending).isEqualTo(uid);
        assertThat(workloads().pod("anew-0").uid()).isNotEqualTo(uid);
    }

    @Test
    default void takesItsPodsAlongWhenDeletedAndLeavesTheClaims() {
        workloads().create(Workloads.ringWithClaims("deleted", 1), 1);

        workloads().kube().delete("statefulsets", "deleted", "{'propagationPolicy': 'Background'}");
        await(() -> workloads().pods("deleted").isEmpty());

        assertThat(workloads().set("deleted").code()).isEqualTo(404);
        assertThat(workloads()
                        .kube()
                        .get("persistentvolumeclaims", "data-deleted-0")
                        .at("/status/phase"))
                .isEqualTo("Bound");
        await(() -> workloads()
                .kube()
                .list("controllerrevisions", "labelSelector=app%3Ddeleted")
                .body()
                .path("items")
                .isEmpty());
    }

    @Test
    default void leavesItsPodsToTheNextSetOfItsName() {
        workloads().create(Workloads.ring("orphans", 2), 2);
        String pod = workloads().pod("orphans-0").uid();
        String revision = workloads().revision("orphans-0");

        workloads().kube().delete("statefulsets", "orphans", "{'propagationPolicy': 'Orphan'}");
        await(() -> workloads().set("orphans").code() == 404);
        Reply orphan = workloads().pod("orphans-0");
        workloads().create(Workloads.ring("orphans", 2), 2);
        await(() -> workloads().pod("orphans-0").body().at("/metadata").has("ownerReferences"));

        assertThat(orphan.uid()).isEqualTo(pod);
        assertThat(orphan.body().at("/metadata/ownerReferences")).isEmpty();
        Reply adopted = workloads().pod("orphans-0");
        assertThat(adopted.uid()).isEqualTo(pod);
        assertThat(adopted.at("/metadata/ownerReferences/0/uid"))
                .isEqualTo(workloads().set("orphans").uid());
        assertThat(workloads().set("orphans").at("/status/currentRevision")).isEqualTo(revision);
    }
}
