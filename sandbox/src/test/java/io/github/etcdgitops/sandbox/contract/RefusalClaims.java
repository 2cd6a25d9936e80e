package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.KubeUnderTest.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is not accepted.
interface RefusalClaims {
    KubeUnderTest kube();

    private static void invalid(Reply refused, String field) {
        assertThat(refused.code()).as(refused.at("/message")).isEqualTo(422);
        assertThat(refused.at("/reason")).isEqualTo("Invalid");
        assertThat(refused.body().at("/details/causes").findValuesAsText("field"))
                .contains(field);
    }

    @Test
    default void refusesToChangeWhatIsFixedInAStatefulSet() {
        kube().create("statefulsets", Samples.statefulSet("fixed"));

        for (String change : List.of(
                "{'spec': {'serviceName': 'other'}}",
                "{'spec': {'podManagementPolicy': 'Parallel'}}",
                "{'spec': {'revisionHistoryLimit': 3}}",
                "{'spec': {'volumeClaimTemplates': []}}")) {
            Reply refused = kube().merge("statefulsets", "fixed", change);

            invalid(refused, "spec");
            assertThat(refused.at("/message"))
                    .isEqualTo("StatefulSet.apps \"fixed\" is invalid: spec: Forbidden: updates to statefulset spec for"
                            + " fields other than 'replicas', 'template', and 'updateStrategy' are forbidden");
            assertThat(refused.at("/details/kind")).isEqualTo("StatefulSet");
        }
    }

    @Test
    default void changesTheRestOfAStatefulSet() {
        kube().create("statefulsets", Samples.statefulSet("free"));

        Reply changed = kube().merge("statefulsets", "free", """
                {'spec': {'replicas': 0, 'updateStrategy': {'rollingUpdate': {'partition': 5}},
                 'template': {'metadata': {'annotations': {'a': 'b'}}}}}""");

        assertThat(changed.code()).isEqualTo(200);
        assertThat(changed.at("/spec/updateStrategy/rollingUpdate/partition")).isEqualTo("5");
        assertThat(changed.at("/spec/template/metadata/annotations/a")).isEqualTo("b");
    }

    @Test
    default void refusesAStatefulSetThatCannotBe() {
        ObjectNode strangers = Samples.statefulSet("refused");
        strangers.withObject("/spec/selector/matchLabels").put("app", "other");
        ObjectNode negative = Samples.statefulSet("refused");
        negative.withObject("/spec").put("replicas", -1);
        ObjectNode once = Samples.statefulSet("refused");
        once.withObject("/spec/template/spec").put("restartPolicy", "Never");

        invalid(kube().create("statefulsets", strangers), "spec.template.metadata.labels");
        invalid(kube().create("statefulsets", negative), "spec.replicas");
        invalid(kube().create("statefulsets", once), "spec.template.spec.restartPolicy");
    }

    @Test
    default void refusesAPodThatCannotBe() {
        ObjectNode empty = Samples.pod("refused");
        empty.withObject("/spec").putArray("containers");
        ObjectNode bare = Samples.pod("refused");
        ((ObjectNode) bare.at("/spec/containers/0")).remove("image");
        ObjectNode mounts = Samples.pod("refused");
        ((ObjectNode) mounts.at("/spec/containers/0"))
                .putArray("volumeMounts")
                .add(json("{'name': 'nowhere', 'mountPath': '/data'}"));

        invalid(kube().create("pods", empty), "spec.containers");
        invalid(kube().create("pods", bare), "spec.containers[0].image");
        invalid(kube().create("pods", mounts), "spec.containers[0].volumeMounts[0].name");
    }

    @Test
    default void refusesToChangeWhatIsFixedInAPod() {
        kube().create("pods", Samples.boundPod("fixed"));

        invalid(kube().merge("pods", "fixed", "{'spec': {'restartPolicy': 'Never'}}"), "spec");
        invalid(kube().merge("pods", "fixed", "{'spec': {'nodeName': 'another'}}"), "spec");
    }

    @Test
    default void refusesToChangeWhatIsFixedInAClaim() {
        kube().create("persistentvolumeclaims", Samples.claim("fixed"));

        invalid(kube().merge("persistentvolumeclaims", "fixed", "{'spec': {'storageClassName': 'other'}}"), "spec");
        assertThat(kube().merge(
                                "persistentvolumeclaims",
                                "fixed",
                                "{'spec': {'resources': {'requests': {'storage': '2Gi'}}}}")
                        .code())
                .isBetween(403, 422);
    }

    @Test
    default void refusesAClaimThatAsksForNothing() {
        ObjectNode nothing = Samples.claim("nothing");
        nothing.withObject("/spec/resources").remove("requests");

        invalid(kube().create("persistentvolumeclaims", nothing), "spec.resources[storage]");
    }

    @Test
    default void refusesNamesAndLabelsThatAreNone() {
        invalid(kube().create("configmaps", Samples.configMap("Not_A_Name")), "metadata.name");
        invalid(kube().create("services", Samples.service("1st", "{'ports': [{'port': 1}]}")), "metadata.name");
        invalid(kube().create("configmaps", Samples.labelled("label", "{'a': 'no value'}")), "metadata.labels");
        invalid(kube().create("configmaps", Samples.labelled("label", "{'no key': 'a'}")), "metadata.labels");
        invalid(kube().create("configmaps", Samples.configMap("")), "metadata.name");
    }

    @Test
    default void refusesABudgetWithTwoLimits() {
        ObjectNode both = Samples.budget("both", "nobody", 1);
        both.withObject("/spec").put("maxUnavailable", 1);

        invalid(kube().create("poddisruptionbudgets", both), "spec");
    }

    @Test
    default void refusesAServiceWithoutPorts() {
        invalid(kube().create("services", Samples.service("portless", "{'selector': {'a': 'b'}}")), "spec.ports");
    }

    @Test
    default void refusesALeaseThatLastsNoTime() {
        ObjectNode lease = Samples.lease("short");
        lease.withObject("/spec").put("leaseDurationSeconds", 0);

        invalid(kube().create("leases", lease), "spec.leaseDurationSeconds");
    }

    @Test
    default void keepsWhatIsMarkedImmutable() {
        kube().create("configmaps", Samples.configMap("sealed").put("immutable", true));

        invalid(kube().merge("configmaps", "sealed", "{'data': {'a': 'other'}}"), "data");
        invalid(kube().merge("configmaps", "sealed", "{'immutable': false}"), "immutable");
        assertThat(kube().merge("configmaps", "sealed", "{'metadata': {'labels': {'a': 'b'}}}")
                        .code())
                .isEqualTo(200);
    }

    @Test
    default void makesNothingWhereThereIsNoNamespace() {
        Reply refused = kube().send(
                        "POST",
                        "/api/v1/namespaces/no-such-namespace/configmaps",
                        KubeUnderTest.PLAIN,
                        Samples.configMap("lost").toString());

        assertThat(refused.code()).isEqualTo(404);
        assertThat(refused.at("/details/kind")).isEqualTo("namespaces");
        assertThat(refused.at("/details/name")).isEqualTo("no-such-namespace");
    }

    @Test
    default void readsNothingButJson() {
        assertThat(kube().send("POST", kube().path("configmaps"), "text/plain", "{}")
                        .code())
                .isEqualTo(415);
        assertThat(kube().send("POST", kube().path("configmaps"), KubeUnderTest.PLAIN, "{")
                        .code())
                .isEqualTo(400);
    }
}
