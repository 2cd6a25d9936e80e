package io.github.etcdgitops.sandbox.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import org.junit.jupiter.api.Test;

/// Deleting.
interface DeletionClaims {
    String HELD = "example.com/held";

    KubeUnderTest kube();

    private ObjectNode held(String name) {
        ObjectNode object = Samples.configMap(name);
        object.withObject("/metadata").putArray("finalizers").add(HELD);
        return object;
    }

    private static String precondition(String what, String value) {
        return "{'kind': 'DeleteOptions', 'apiVersion': 'v1', 'preconditions': {'" + what + "': '" + value + "'}}";
    }

    @Test
    default void deletesAtOnceWhatNothingHolds() {
        Reply created = kube().create("configmaps", Samples.configMap("gone"));

        Reply deleted = kube().delete("configmaps", "gone", "");

        assertThat(deleted.code()).isEqualTo(200);
        assertThat(deleted.at("/status")).isEqualTo("Success");
        assertThat(deleted.at("/details/uid")).isEqualTo(created.uid());
        assertThat(kube().get("configmaps", "gone").code()).isEqualTo(404);
    }

    @Test
    default void deletesOnlyTheObjectThatIsMeant() {
        Reply created = kube().create("configmaps", Samples.configMap("meant"));

        Reply other = kube().delete("configmaps", "meant", precondition("uid", "00000000-0000-0000-0000-000000000000"));
        Reply meant = kube().delete("configmaps", "meant", precondition("uid", created.uid()));

        assertThat(other.code()).isEqualTo(409);
        assertThat(other.at("/reason")).isEqualTo("Conflict");
        assertThat(meant.code()).isEqualTo(200);
        assertThat(kube().get("configmaps", "meant").code()).isEqualTo(404);
    }

    @Test
    default void deletesOnlyTheStateThatIsMeant() {
        Reply created = kube().create("configmaps", Samples.configMap("state"));
        Reply newer = kube().merge("configmaps", "state", "{'data': {'a': 'newer'}}");

        Reply late = kube().delete("configmaps", "state", precondition("resourceVersion", created.version()));
        Reply now = kube().delete("configmaps", "state", precondition("resourceVersion", newer.version()));

        assertThat(late.code()).isEqualTo(409);
        assertThat(now.code()).isEqualTo(200);
    }

    @Test
    default void waitsForFinalizers() {
        kube().create("configmaps", held("held"));

        Reply deleted = kube().delete("configmaps", "held", "");
        Reply again = kube().delete("configmaps", "held", "");
        Reply more = kube().merge(
                        "configmaps", "held", "{'metadata': {'finalizers': ['" + HELD + "', 'example.com/more']}}");
        Reply kept = kube().get("configmaps", "held");
        Reply released = kube().merge("configmaps", "held", "{'metadata': {'finalizers': null}}");

        assertThat(deleted.code()).isEqualTo(200);
        assertThat(deleted.at("/kind")).isEqualTo("ConfigMap");
        assertThat(again.code()).isEqualTo(200);
        assertThat(more.code()).isEqualTo(422);
        assertThat(kept.at("/metadata/deletionTimestamp")).isNotEmpty();
        assertThat(kept.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("0");
        assertThat(released.code()).isEqualTo(200);
        assertThat(kube().get("configmaps", "held").code()).isEqualTo(404);
    }

    @Test
    default void neverTakesADeletionBack() {
        kube().create("configmaps", held("doomed"));
        kube().delete("configmaps", "doomed", "");
        ObjectNode alive = kube().get("configmaps", "doomed").object();
        alive.withObject("/metadata").remove("deletionTimestamp");

        Reply written = kube().update("configmaps", "doomed", alive);

        assertThat(written.at("/metadata/deletionTimestamp")).isNotEmpty();
        kube().merge("configmaps", "doomed", "{'metadata': {'finalizers': null}}");
    }

    @Test
    default void deletesAPodWithoutANodeAtOnce() {
        kube().create("pods", Samples.pod("unbound"));

        kube().delete("pods", "unbound", "");

        assertThat(kube().get("pods", "unbound").code()).isEqualTo(404);
    }

    @Test
    default void letsAPodOnANodeEndGracefully() {
        kube().create("pods", Samples.boundPod("bound"));

        Reply deleted = kube().delete("pods", "bound", "");
        Reply leaving = kube().get("pods", "bound");
        Reply shorter = kube().delete("pods", "bound", "{'gracePeriodSeconds': 5}");
        Reply longer = kube().delete("pods", "bound", "{'gracePeriodSeconds': 50}");
        Reply ended = kube().delete("pods", "bound", "{'gracePeriodSeconds': 0}");

        assertThat(deleted.code()).isEqualTo(200);
        assertThat(deleted.at("/kind")).isEqualTo("Pod");
        assertThat(leaving.at("/metadata/deletionTimestamp")).isNotEmpty();
        assertThat(leaving.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("30");
        assertThat(shorter.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("5");
        assertThat(longer.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("5");
        assertThat(ended.code()).isEqualTo(200);
        assertThat(kube().get("pods", "bound").code()).isEqualTo(404);
    }

    @Test
    default void endsAnEndedPodAtOnce() {
        kube().create("pods", Samples.boundPod("ended"));
        kube().merge("pods", "ended/status", "{'status': {'phase': 'Failed'}}");

        kube().delete("pods", "ended", "");

        assertThat(kube().get("pods", "ended").code()).isEqualTo(404);
    }

    @Test
    default void deletesWhatASelectorFinds() {
        kube().create("configmaps", Samples.labelled("all-1", "{'many': 'yes'}"));
        kube().create("configmaps", Samples.labelled("all-2", "{'many': 'yes'}"));
        kube().create("configmaps", Samples.labelled("all-3", "{'many': 'no'}"));

        Reply deleted =
                kube().send("DELETE", kube().path("configmaps") + "?labelSelector=many%3Dyes", KubeUnderTest.PLAIN, "");

        assertThat(deleted.code()).isEqualTo(200);
        assertThat(kube().get("configmaps", "all-1").code()).isEqualTo(404);
        assertThat(kube().get("configmaps", "all-2").code()).isEqualTo(404);
        assertThat(kube().get("configmaps", "all-3").code()).isEqualTo(200);
    }

    @Test
    default void acceptsNothingNewInANamespaceThatEnds() {
        String name = kube().namespace() + "-ending";
        String maps = "/api/v1/namespaces/" + name + "/configmaps";
        kube().send(
                        "POST",
                        "/api/v1/namespaces",
                        KubeUnderTest.PLAIN,
                        "{\"metadata\": {\"name\": \"" + name + "\"},"
                                + " \"apiVersion\": \"v1\", \"kind\": \"Namespace\"}");
        kube().send("POST", maps, KubeUnderTest.PLAIN, held("holder").toString());

        kube().send("DELETE", "/api/v1/namespaces/" + name, KubeUnderTest.PLAIN, "");
        Reply refused = kube().send(
                        "POST",
                        maps,
                        KubeUnderTest.PLAIN,
                        Samples.configMap("late").toString());
        Reply ending = kube().send("GET", "/api/v1/namespaces/" + name, KubeUnderTest.PLAIN, "");
        kube().send("PATCH", maps + "/holder", KubeUnderTest.MERGE, "{\"metadata\": {\"finalizers\": null}}");

        assertThat(ending.at("/status/phase")).isEqualTo("Terminating");
        assertThat(ending.at("/metadata/deletionTimestamp")).isNotEmpty();
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.at("/reason")).isEqualTo("Forbidden");
        assertThat(refused.at("/details/causes/0/reason")).isEqualTo("NamespaceTerminating");
    }
}
