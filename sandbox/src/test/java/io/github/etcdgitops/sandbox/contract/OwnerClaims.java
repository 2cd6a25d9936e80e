package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.KubeUnderTest.PLAIN;
import static io.github.etcdgitops.sandbox.contract.KubeUnderTest.json;
import static io.github.etcdgitops.sandbox.contract.Workloads.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

/// What goes with what it belongs to.
interface OwnerClaims {
    Workloads workloads();

    @Test
    default void takesAnObjectAwayWithTheLastOfItsOwners() {
        String one = owner("one");
        String two = owner("two");
        owned("of-one", reference("one", one));
        owned("of-both", reference("one", one), reference("two", two));

        workloads().kube().delete("configmaps", "one", "");
        await(() -> isGone("of-one"));
        boolean early = isGone("of-both");
        workloads().kube().delete("configmaps", "two", "");
        await(() -> isGone("of-both"));

        assertThat(early).isFalse();
    }

    @Test
    default void takesAnOwnerOfTheSameNameForAnotherOne() {
        owner("namesake");

        owned("of-another", reference("namesake", "00000000-0000-0000-0000-000000000000"));

        await(() -> isGone("of-another"));
    }

    @Test
    default void leavesWhatIsOwnedWhenTheOwnerIsDeletedAsAnOrphaningOne() {
        owned("left", reference("leaves", owner("leaves")));

        workloads().kube().delete("configmaps", "leaves", "{'propagationPolicy': 'Orphan'}");
        await(() -> isGone("leaves"));

        assertThat(workloads()
                        .kube()
                        .get("configmaps", "left")
                        .body()
                        .at("/metadata")
                        .has("ownerReferences"))
                .isFalse();
    }

    @Test
    default void emptiesANamespaceAndLetsItGo() {
        String name = workloads().kube().namespace() + "-x";
        String path = "/api/v1/namespaces/" + name;
        workloads().kube().send("POST", "/api/v1/namespaces", PLAIN, "{\"metadata\": {\"name\": \"" + name + "\"}}");
        workloads()
                .kube()
                .send(
                        "POST",
                        path + "/configmaps",
                        PLAIN,
                        Samples.configMap("inside").toString());
        workloads()
                .kube()
                .send(
                        "POST",
                        "/apis/apps/v1/namespaces/" + name + "/statefulsets",
                        PLAIN,
                        Workloads.ringWithClaims("inside", 1).toString());
        await(() -> workloads()
                        .kube()
                        .send("GET", path + "/pods/inside-0", PLAIN, "")
                        .code()
                == 200);

        workloads().kube().send("DELETE", path, PLAIN, "");

        await(() -> workloads().kube().send("GET", path, PLAIN, "").code() == 404);
        assertThat(workloads()
                        .kube()
                        .send("GET", path + "/configmaps/inside", PLAIN, "")
                        .code())
                .isEqualTo(404);
    }

    private String owner(String name) {
        return workloads().kube().create("configmaps", Samples.configMap(name)).uid();
    }

    private static String reference(String name, String uid) {
        return "{'apiVersion': 'v1', 'kind': 'ConfigMap', 'name': '" + name + "', 'uid': '" + uid + "'}";
    }

    private void owned(String name, String... references) {
        ObjectNode object = Samples.configMap(name);
        for (String reference : references) {
            object.withObject("/metadata").withArray("ownerReferences").add(json(reference));
        }
        workloads().kube().create("configmaps", object);
    }

    private boolean isGone(String name) {
        return workloads().kube().get("configmaps", name).code() == 404;
    }
}
