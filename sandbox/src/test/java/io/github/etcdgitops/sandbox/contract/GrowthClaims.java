package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.KubeUnderTest.PLAIN;
import static io.github.etcdgitops.sandbox.contract.Workloads.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Claims that become larger, and a StatefulSet that is made anew around its pods, because the claims
/// that it makes cannot be changed.
interface GrowthClaims {
    String CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
    String VOLUMES = "/api/v1/persistentvolumes";

    Workloads workloads();

    @Test
    default void growsAClaimOnlyWhereItsClassLetsIt() {
        String grows = storageClass("grows", true);
        String stays = storageClass("stays", false);
        bound("of-growing", grows);
        bound("of-fixed", stays);

        Reply larger = ask("of-growing", "2Mi");
        Reply refused = ask("of-fixed", "2Mi");
        Reply smaller = ask("of-growing", "1Mi");
        Reply more = ask("of-growing", "3Mi");

        assertThat(larger.code()).isEqualTo(200);
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.at("/reason")).isEqualTo("Forbidden");
        assertThat(refused.at("/message"))
                .contains("only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc"
                        + " must support resize");
        assertThat(smaller.code()).isEqualTo(422);
        assertThat(smaller.at("/message")).contains("field can not be less than previous value");
        assertThat(more.code()).isEqualTo(200);
        assertThat(claim("of-growing").at("/spec/resources/requests/storage")).isEqualTo("3Mi");
        assertThat(claim("of-fixed").at("/spec/resources/requests/storage")).isEqualTo("1Mi");
        remove(grows, stays);
    }

    @Test
    default void changesNothingElseOfAClaim() {
        String grows = storageClass("else", true);
        bound("otherwise", grows);

        Reply otherClass = workloads()
                .kube()
                .merge("persistentvolumeclaims", "otherwise", "{'spec': {'storageClassName': 'other'}}");

        assertThat(otherClass.code()).isEqualTo(422);
        assertThat(claim("otherwise").at("/spec/storageClassName")).isEqualTo(grows);
        remove(grows);
    }

    /// As whoever makes volumes larger does, where nobody else does it here.
    @Test
    default void showsWhatAResizerWrites() {
        String grows = storageClass("resized", true);
        bound("resized", grows);

        ask("resized", "2Mi");
        workloads()
                .kube()
                .merge("persistentvolumeclaims", "resized/status", "{'status': {'capacity': {'storage': '2Mi'}}}");
        await(() -> claim("resized").at("/status/capacity/storage").equals("2Mi"));

        assertThat(claim("resized").at("/status/phase")).isEqualTo("Bound");
        remove(grows);
    }

    @Test
    default void recreatedStatefulSetAdoptsOrphanedPodsAndRevisions() {
        workloads().create(Workloads.ringWithClaims("regrown", 2), 2);
        Reply former = workloads().set("regrown");
        String revision = former.at("/status/currentRevision");
        var before = uids("regrown");

        orphan("regrown");
        var owners = workloads().pods("regrown").stream()
                .filter(pod -> pod.at("/metadata").has("ownerReferences"))
                .toList();
        boolean revisionOwned = revisionOf(revision).has("ownerReferences");
        workloads().create(larger("regrown", 2), 2);

        Reply set = workloads().set("regrown");
        assertThat(owners).isEmpty();
        assertThat(revisionOwned).isFalse();
        assertThat(set.uid()).isNotEqualTo(former.uid());
        assertThat(uids("regrown")).isEqualTo(before);
        assertThat(set.at("/status/currentRevision")).isEqualTo(revision);
        assertThat(set.at("/status/updateRevision")).isEqualTo(revision);
        assertThat(workloads().pod("regrown-1").at("/metadata/ownerReferences/0/uid"))
                .isEqualTo(set.uid());
        assertThat(revisionOf(revision).at("/ownerReferences/0/uid").asText()).isEqualTo(set.uid());
        assertThat(claim("data-regrown-1").at("/spec/resources/requests/storage"))
                .isEqualTo("1Mi");

        workloads().scale("regrown", 3);
        await(() -> workloads().isAtRest("regrown", 3));
        assertThat(claim("data-regrown-2").at("/spec/resources/requests/storage"))
                .isEqualTo("2Mi");
    }

    @Test
    default void recreatesNoPodWithoutStatefulSet() {
        workloads().create(Workloads.ringWithClaims("nobodys", 2), 2);
        String lost = workloads().pod("nobodys-1").uid();
        String kept = workloads().pod("nobodys-0").uid();

        orphan("nobodys");
        workloads().deletePod("nobodys-1");
        await(() -> workloads().pod("nobodys-1").code() == 404);
        boolean alone = workloads().pods("nobodys").size() == 1;
        workloads().create(larger("nobodys", 2), 2);

        assertThat(alone).isTrue();
        assertThat(workloads().pod("nobodys-0").uid()).isEqualTo(kept);
        assertThat(workloads().pod("nobodys-1").uid()).isNotEqualTo(lost);
    }

    /// Only as it was read; its status may have been written since.
    private void orphan(String name) {
        assertThat(orphaned(name, "1").code()).isEqualTo(409);
        await(() -> orphaned(name, workloads().set(name).version()).code() == 200);
        await(() -> workloads().set(name).code() == 404);
    }

    private Reply orphaned(String name, String version) {
        return workloads()
                .kube()
                .delete(
                        "statefulsets",
                        name,
                        "{'apiVersion': 'v1', 'kind': 'DeleteOptions', 'propagationPolicy': 'Orphan',"
                                + " 'preconditions': {'uid': '"
                                + workloads().set(name).uid() + "', 'resourceVersion': '" + version + "'}}");
    }

    private static ObjectNode larger(String name, int replicas) {
        ObjectNode ring = Workloads.ringWithClaims(name, replicas);
        ((ObjectNode) ring.at("/spec/volumeClaimTemplates/0/spec/resources/requests")).put("storage", "2Mi");
        return ring;
    }

    private JsonNode revisionOf(String name) {
        return workloads().kube().get("controllerrevisions", name).body().at("/metadata");
    }

    private Map<String, String> uids(String app) {
        var uids = new TreeMap<String, String>();
        workloads()
                .pods(app)
                .forEach(pod -> uids.put(
                        pod.at("/metadata/name").asText(),
                        pod.at("/metadata/uid").asText()));
        return uids;
    }

    /// Of whoever provisions the default class.
    private String storageClass(String suffix, boolean grows) {
        String name = workloads().kube().namespace() + "-" + suffix;
        String provisioner =
                workloads().kube().send("GET", CLASSES + "/standard", PLAIN, "").at("/provisioner");
        workloads()
                .kube()
                .send(
                        "POST",
                        CLASSES,
                        PLAIN,
                        "{\"apiVersion\": \"storage.k8s.io/v1\", \"kind\": \"StorageClass\", \"metadata\": {\"name\":"
                                + " \""
                                + name + "\"}, \"provisioner\": \"" + provisioner
                                + "\", \"allowVolumeExpansion\": " + grows + "}");
        return name;
    }

    private void remove(String... classes) {
        for (String name : classes) {
            workloads().kube().send("DELETE", CLASSES + "/" + name, PLAIN, "");
            workloads().kube().send("DELETE", VOLUMES + "/" + name, PLAIN, "");
        }
    }

    private void bound(String name, String storageClass) {
        ObjectNode claim = Workloads.claim(name);
        claim.withObject("/spec").put("storageClassName", storageClass);
        workloads().kube().create("persistentvolumeclaims", claim);
        volume(name, storageClass);
        await(() -> claim(name).at("/status/phase").equals("Bound"));
    }

    /// For a cluster whose provisioner knows its own class alone. Nobody mounts it; where another
    /// one is made for the claim, this one goes with the class. One volume for each class.
    private void volume(String name, String storageClass) {
        String namespace = workloads().kube().namespace();
        workloads()
                .kube()
                .send(
                        "POST",
                        VOLUMES,
                        PLAIN,
                        "{\"apiVersion\": \"v1\", \"kind\": \"PersistentVolume\", \"metadata\": {\"name\": \""
                                + storageClass
                                + "\"}, \"spec\": {\"capacity\": {\"storage\": \"1Mi\"}, \"accessModes\":"
                                + " [\"ReadWriteOnce\"], \"storageClassName\": \"" + storageClass
                                + "\", \"persistentVolumeReclaimPolicy\": \"Retain\", \"hostPath\": {\"path\":"
                                + " \"/nowhere\"}, \"claimRef\": {\"kind\": \"PersistentVolumeClaim\", \"apiVersion\":"
                                + " \"v1\", \"namespace\": \""
                                + namespace
                                + "\", \"name\": \"" + name + "\", \"uid\": \""
                                + claim(name).uid() + "\"}}}");
    }

    private Reply ask(String name, String size) {
        return workloads()
                .kube()
                .merge(
                        "persistentvolumeclaims",
                        name,
                        "{'spec': {'resources': {'requests': {'storage': '" + size + "'}}}}");
    }

    private Reply claim(String name) {
        return workloads().kube().get("persistentvolumeclaims", name);
    }
}
