package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.KubeUnderTest.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import org.junit.jupiter.api.Test;

/// Patching.
interface PatchClaims {
    KubeUnderTest kube();

    private Reply operations(String name, String operations) {
        return kube().send(
                        "PATCH",
                        kube().path("configmaps") + "/" + name,
                        "application/json-patch+json",
                        operations.replace('\'', '"'));
    }

    @Test
    default void removesWhatIsNullInAMergePatch() {
        kube().create("configmaps", Samples.labelled("merged", "{'x': 'y', 'z': 'z'}"));

        Reply merged = kube().merge(
                        "configmaps", "merged", "{'data': {'a': null, 'c': '3'}, 'metadata': {'labels': {'x': null}}}");

        assertThat(merged.code()).isEqualTo(200);
        assertThat(merged.body().path("data")).isEqualTo(json("{'b': '2', 'c': '3'}"));
        assertThat(merged.body().at("/metadata/labels")).isEqualTo(json("{'z': 'z'}"));
    }

    @Test
    default void replacesListsInAMergePatch() {
        kube().create("configmaps", Samples.configMap("lists"));

        kube().merge("configmaps", "lists", "{'metadata': {'finalizers': ['example.com/one', 'example.com/two']}}");
        Reply one = kube().merge("configmaps", "lists", "{'metadata': {'finalizers': ['example.com/two']}}");

        assertThat(one.at("/metadata/finalizers/0")).isEqualTo("example.com/two");
        assertThat(one.body().at("/metadata/finalizers")).hasSize(1);
        kube().merge("configmaps", "lists", "{'metadata': {'finalizers': null}}");
    }

    @Test
    default void refusesAPatchOfAnotherState() {
        Reply created = kube().create("configmaps", Samples.configMap("guarded"));
        kube().merge("configmaps", "guarded", "{'data': {'a': 'newer'}}");

        Reply late = kube().merge(
                        "configmaps",
                        "guarded",
                        "{'metadata': {'resourceVersion': '" + created.version() + "'}, 'data': {'a': 'late'}}");

        assertThat(late.code()).isEqualTo(409);
        assertThat(late.at("/reason")).isEqualTo("Conflict");
        assertThat(kube().get("configmaps", "guarded").at("/data/a")).isEqualTo("newer");
    }

    @Test
    default void carriesOutOperations() {
        kube().create("configmaps", Samples.configMap("operations"));

        Reply patched = operations(
                "operations",
                "[{'op': 'test', 'path': '/data/a', 'value': '1'}, {'op': 'replace', 'path': '/data/a', 'value': '9'},"
                        + " {'op': 'remove', 'path': '/data/b'}, {'op': 'add', 'path': '/data/c', 'value': '3'}]");

        assertThat(patched.code()).isEqualTo(200);
        assertThat(patched.body().path("data")).isEqualTo(json("{'a': '9', 'c': '3'}"));
    }

    @Test
    default void doesNothingWhenATestFails() {
        Reply created = kube().create("configmaps", Samples.configMap("tested"));

        Reply refused = operations(
                "tested",
                "[{'op': 'replace', 'path': '/data/a', 'value': '9'},"
                        + " {'op': 'test', 'path': '/data/b', 'value': 'else'}]");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.at("/reason")).isEqualTo("Invalid");
        assertThat(kube().get("configmaps", "tested").version()).isEqualTo(created.version());
    }

    @Test
    default void refusesOperationsOnWhatIsNotThere() {
        kube().create("configmaps", Samples.configMap("missing"));

        assertThat(operations("missing", "[{'op': 'remove', 'path': '/data/zzz'}]")
                        .code())
                .isEqualTo(422);
        assertThat(operations("absent", "[{'op': 'remove', 'path': '/data/a'}]").code())
                .isEqualTo(404);
    }

    @Test
    default void annotatesByAStrategicPatch() {
        kube().create("configmaps", Samples.configMap("strategic"));

        Reply patched = kube().send(
                        "PATCH",
                        kube().path("configmaps") + "/strategic",
                        "application/strategic-merge-patch+json",
                        "{\"metadata\": {\"annotations\": {\"a\": \"b\"}, \"labels\": {\"c\": null}}}");

        assertThat(patched.code()).isEqualTo(200);
        assertThat(patched.at("/metadata/annotations/a")).isEqualTo("b");
    }

    @Test
    default void refusesOtherTypesOfPatches() {
        kube().create("configmaps", Samples.configMap("type"));

        Reply refused = kube().send("PATCH", kube().path("configmaps") + "/type", "text/plain", "{}");

        assertThat(refused.code()).isEqualTo(415);
    }
}
