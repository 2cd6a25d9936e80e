package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.KubeUnderTest.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import org.junit.jupiter.api.Test;

/// Creating and updating.
interface WriteClaims {
    KubeUnderTest kube();

    @Test
    default void givesANewObjectItsIdentity() {
        Reply created = kube().create("statefulsets", Samples.statefulSet("identity"));

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.at("/kind")).isEqualTo("StatefulSet");
        assertThat(created.at("/apiVersion")).isEqualTo("apps/v1");
        assertThat(created.uid()).hasSize(36);
        assertThat(created.version()).matches("\\d+");
        assertThat(created.at("/metadata/namespace")).isEqualTo(kube().namespace());
        assertThat(created.at("/metadata/creationTimestamp")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        assertThat(created.at("/metadata/generation")).isEqualTo("1");
    }

    @Test
    default void refusesANameThatIsTaken() {
        kube().create("statefulsets", Samples.statefulSet("taken"));

        Reply again = kube().create("statefulsets", Samples.statefulSet("taken"));

        assertThat(again.code()).isEqualTo(409);
        assertThat(again.at("/reason")).isEqualTo("AlreadyExists");
        assertThat(again.at("/details/name")).isEqualTo("taken");
        assertThat(again.at("/message")).isEqualTo("statefulsets.apps \"taken\" already exists");
    }

    @Test
    default void refusesAStaleResourceVersion() {
        Reply created = kube().create("configmaps", Samples.configMap("stale"));
        kube().merge("configmaps", "stale", "{'data': {'a': 'newer'}}");

        Reply late = kube().update("configmaps", "stale", created.object().put("immutable", false));

        assertThat(late.code()).isEqualTo(409);
        assertThat(late.at("/reason")).isEqualTo("Conflict");
        assertThat(late.at("/details/name")).isEqualTo("stale");
        assertThat(late.at("/message")).contains("the object has been modified");
        assertThat(kube().get("configmaps", "stale").at("/data/a")).isEqualTo("newer");
    }

    @Test
    default void updatesWithoutAResourceVersionWhateverIsThere() {
        kube().create("configmaps", Samples.configMap("forced"));

        Reply forced = kube().update("configmaps", "forced", json("""
                {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'forced'}, 'data': {'c': '3'}}"""));

        assertThat(forced.code()).isEqualTo(200);
        assertThat(forced.body().path("data")).isEqualTo(json("{'c': '3'}"));
    }

    @Test
    default void refusesAnUpdateThatMeansAnotherObjectOfThatName() {
        kube().create("configmaps", Samples.configMap("other-uid"));
        ObjectNode other = Samples.configMap("other-uid");
        other.withObject("/metadata").put("uid", "00000000-0000-0000-0000-000000000000");

        Reply refused = kube().update("configmaps", "other-uid", other);

        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.at("/reason")).isEqualTo("Conflict");
    }

    @Test
    default void refusesAnObjectThatIsNotThatOfThePath() {
        kube().create("configmaps", Samples.configMap("path"));
        ObjectNode elsewhere = Samples.configMap("path");
        elsewhere.withObject("/metadata").put("namespace", "elsewhere");

        assertThat(kube().update("configmaps", "path", Samples.configMap("another"))
                        .code())
                .isEqualTo(400);
        assertThat(kube().update("configmaps", "path", elsewhere).code()).isEqualTo(400);
        assertThat(kube().create("configmaps", elsewhere).code()).isEqualTo(400);
        assertThat(kube().create("configmaps", Samples.lease("path-2")).code()).isEqualTo(400);
    }

    @Test
    default void saysWhichObjectIsAbsent() {
        Reply absent = kube().get("statefulsets", "absent");

        assertThat(absent.code()).isEqualTo(404);
        assertThat(absent.body()).isEqualTo(json("""
                        {'kind': 'Status', 'apiVersion': 'v1', 'metadata': {}, 'status': 'Failure',
                         'message': 'statefulsets.apps \\'absent\\' not found', 'reason': 'NotFound',
                         'details': {'name': 'absent', 'group': 'apps', 'kind': 'statefulsets'}, 'code': 404}
                        """));
        assertThat(kube().delete("statefulsets", "absent", "").body()).isEqualTo(absent.body());
        assertThat(kube().merge("statefulsets", "absent", "{}").body()).isEqualTo(absent.body());
        assertThat(kube().update("statefulsets", "absent", Samples.statefulSet("absent"))
                        .body())
                .isEqualTo(absent.body());
    }

    @Test
    default void namesNoObjectWhereNothingIsServed() {
        Reply group =
                kube().send("GET", "/apis/nothing.example/v1/namespaces/default/rings/r", KubeUnderTest.PLAIN, "");
        Reply kind = kube().send("GET", kube().path("rings") + "/r", KubeUnderTest.PLAIN, "");

        assertThat(group.code()).isEqualTo(404);
        assertThat(group.at("/details/name")).isEmpty();
        assertThat(kind.code()).isEqualTo(404);
        assertThat(kind.at("/details/name")).isEmpty();
    }

    @Test
    default void makesALeaseThatIsUpdatedUnlessItsUidIsGiven() {
        ObjectNode lease = Samples.lease("made");
        lease.withObject("/metadata").put("resourceVersion", "5").put("uid", "00000000-0000-0000-0000-000000000000");
        ObjectNode anybody = Samples.lease("made");
        anybody.withObject("/metadata").put("resourceVersion", "5");

        assertThat(kube().update("leases", "made", lease).code()).isEqualTo(409);
        assertThat(kube().get("leases", "made").code()).isEqualTo(404);
        assertThat(kube().update("leases", "made", anybody).code()).isEqualTo(201);
    }

    @Test
    default void takesNoWriteForWhatChangesNothing() {
        Reply created = kube().create("leases", Samples.lease("same"));

        Reply same = kube().update("leases", "same", created.object());

        assertThat(same.code()).isEqualTo(200);
        assertThat(same.version()).isEqualTo(created.version());
    }

    @Test
    default void countsChangesOfTheSpecAlone() {
        kube().create("statefulsets", Samples.statefulSet("generation"));

        Reply annotated = kube().merge("statefulsets", "generation", "{'metadata': {'annotations': {'a': 'b'}}}");
        Reply changed = kube().merge(
                        "statefulsets",
                        "generation",
                        "{'spec': {'updateStrategy':" + " {'rollingUpdate': {'partition': 3}}}}");
        Reply reported = kube().merge("statefulsets", "generation/status", "{'status': {'readyReplicas': 0}}");

        assertThat(annotated.at("/metadata/generation")).isEqualTo("1");
        assertThat(changed.at("/metadata/generation")).isEqualTo("2");
        assertThat(reported.at("/metadata/generation")).isEqualTo("2");
    }

    @Test
    default void keepsStatusAndTheRestApart() {
        ObjectNode reported = Samples.boundPod("apart");
        reported.putObject("status").put("phase", "Running");
        Reply created = kube().create("pods", reported);
        Reply status = kube().merge(
                        "pods",
                        "apart/status",
                        "{'status': {'podIP': '10.9.9.9'}," + " 'spec': {'activeDeadlineSeconds': 7}}");

        Reply rest = kube().merge(
                        "pods",
                        "apart",
                        "{'status': {'podIP': '10.1.1.1'}," + " 'metadata': {'annotations': {'a': 'b'}}}");

        assertThat(created.at("/status/phase")).isEqualTo("Pending");
        assertThat(status.at("/status/podIP")).isEqualTo("10.9.9.9");
        assertThat(status.body().path("spec")).isEqualTo(created.body().path("spec"));
        assertThat(rest.at("/status/podIP")).isEqualTo("10.9.9.9");
        assertThat(rest.at("/metadata/annotations/a")).isEqualTo("b");
    }

    @Test
    default void generatesNames() {
        ObjectNode unnamed = Samples.configMap("");
        unnamed.withObject("/metadata").put("generateName", "any-").remove("name");

        assertThat(kube().create("configmaps", unnamed).at("/metadata/name")).matches("any-[a-z0-9]{5}");
    }

    @Test
    default void keepsNothingOfADryRun() {
        Reply created = kube().create("configmaps", Samples.configMap("dry"));
        String dry = "?dryRun=All";

        Reply other = kube().send(
                        "POST",
                        kube().path("configmaps") + dry,
                        KubeUnderTest.PLAIN,
                        Samples.configMap("dry-2").toString());
        Reply merged = kube().merge("configmaps", "dry" + dry, "{'data': {'a': 'tried'}}");
        Reply deleted = kube().delete("configmaps", "dry" + dry, "");

        assertThat(other.code()).isEqualTo(201);
        assertThat(merged.at("/data/a")).isEqualTo("tried");
        assertThat(deleted.code()).isEqualTo(200);
        assertThat(kube().get("configmaps", "dry-2").code()).isEqualTo(404);
        assertThat(kube().get("configmaps", "dry").version()).isEqualTo(created.version());
    }

    @Test
    default void refusesANewObjectWithAResourceVersion() {
        ObjectNode old = Samples.configMap("old");
        old.withObject("/metadata").put("resourceVersion", "5");

        assertThat(kube().create("configmaps", old).code()).isEqualTo(500);
        assertThat(kube().get("configmaps", "old").code()).isEqualTo(404);
    }

    @Test
    default void takesNullForNothing() {
        ObjectNode nulls = Samples.statefulSet("nulls");
        nulls.withObject("/spec").putNull("revisionHistoryLimit");
        nulls.withObject("/metadata").putNull("annotations");

        Reply created = kube().create("statefulsets", nulls);

        assertThat(created.at("/spec/revisionHistoryLimit")).isEqualTo("10");
        assertThat(created.body().path("metadata").has("annotations")).isFalse();
    }
}
