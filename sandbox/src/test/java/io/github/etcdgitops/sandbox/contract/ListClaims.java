package io.github.etcdgitops.sandbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Listing.
interface ListClaims {
    KubeUnderTest kube();

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private List<String> names(String plural, String query) {
        Reply list = kube().list(plural, query);
        assertThat(list.code()).as(list.at("/message")).isEqualTo(200);
        return names(list.body());
    }

    private static List<String> names(JsonNode list) {
        var names = new ArrayList<String>();
        list.path("items").forEach(item -> names.add(item.at("/metadata/name").asText()));
        return names;
    }

    private List<String> labelled(String selector) {
        return names("configmaps", "labelSelector=" + encoded("group=select," + selector));
    }

    @Test
    default void selectsByLabels() {
        kube().create("configmaps", Samples.labelled("select-1", "{'group': 'select', 'a': 'x'}"));
        kube().create("configmaps", Samples.labelled("select-2", "{'group': 'select', 'a': 'y', 'b': ''}"));
        kube().create("configmaps", Samples.labelled("select-3", "{'group': 'select'}"));

        assertThat(labelled("a=x")).containsExactly("select-1");
        assertThat(labelled("a==x")).containsExactly("select-1");
        assertThat(labelled("a!=x")).containsExactly("select-2", "select-3");
        assertThat(labelled("a in (x, y)")).containsExactly("select-1", "select-2");
        assertThat(labelled("a notin (x)")).containsExactly("select-2", "select-3");
        assertThat(labelled("a")).containsExactly("select-1", "select-2");
        assertThat(labelled("!a")).containsExactly("select-3");
        assertThat(labelled("b=")).containsExactly("select-2");
        assertThat(labelled("a in (x,y),!b")).containsExactly("select-1");
    }

    @Test
    default void refusesSelectorsThatMeanNothing() {
        assertThat(kube().list("configmaps", "labelSelector=" + encoded("a in x"))
                        .code())
                .isEqualTo(400);
        assertThat(kube().list("configmaps", "fieldSelector=" + encoded("data.a=1"))
                        .code())
                .isEqualTo(400);
    }

    @Test
    default void selectsByFields() {
        kube().create("pods", Samples.pod("field-1"));
        kube().create("pods", Samples.boundPod("field-2"));
        kube().merge("pods", "field-2/status", "{'status': {'phase': 'Running'}}");

        String both = "labelSelector=" + encoded("app in (field-1,field-2)");
        assertThat(names("pods", "fieldSelector=metadata.name%3Dfield-1")).containsExactly("field-1");
        assertThat(names("pods", both + "&fieldSelector=spec.nodeName%3Dno-such-node"))
                .containsExactly("field-2");
        assertThat(names("pods", both + "&fieldSelector=status.phase%3DRunning"))
                .containsExactly("field-2");
        assertThat(names("pods", both + "&fieldSelector=status.phase%21%3DRunning"))
                .containsExactly("field-1");
    }

    @Test
    default void listsInPagesOfOneMoment() {
        for (int i = 1; i <= 5; i++) {
            kube().create("leases", labelledLease("page-" + i));
        }
        String query = "limit=2&labelSelector=paged";

        Reply first = kube().list("leases", query);
        kube().create("leases", labelledLease("page-3b"));
        Reply second = kube().list("leases", query + "&continue=" + encoded(first.at("/metadata/continue")));
        Reply third = kube().list("leases", query + "&continue=" + encoded(second.at("/metadata/continue")));

        assertThat(first.at("/kind")).isEqualTo("LeaseList");
        assertThat(names(first.body())).containsExactly("page-1", "page-2");
        assertThat(names(second.body())).containsExactly("page-3", "page-4");
        assertThat(names(third.body())).containsExactly("page-5");
        assertThat(third.at("/metadata/continue")).isEmpty();
        assertThat(List.of(second.version(), third.version())).containsOnly(first.version());
    }

    private static com.fasterxml.jackson.databind.node.ObjectNode labelledLease(String name) {
        var lease = Samples.lease(name);
        lease.withObject("/metadata/labels").put("paged", "yes");
        return lease;
    }

    @Test
    default void saysWhatIsLeft() {
        for (int i = 1; i <= 3; i++) {
            kube().create("configmaps", Samples.configMap("left-" + i));
        }
        int all = names("configmaps", "").size();

        assertThat(kube().list("configmaps", "limit=1").at("/metadata/remainingItemCount"))
                .isEqualTo(Integer.toString(all - 1));
    }

    @Test
    default void refusesAContinuationThatIsTooOld() {
        String token = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(
                        "{\"v\":\"meta.k8s.io/v1\",\"rv\":1,\"start\":\"a\\u0000\"}".getBytes(StandardCharsets.UTF_8));

        Reply old = kube().list("configmaps", "limit=1&continue=" + token);
        Reply none = kube().list("configmaps", "limit=1&continue=nonsense");

        assertThat(none.code()).isEqualTo(400);
        assumeTrue(old.code() != 200, "a server as young as this one still has its first revision");
        assertThat(old.code()).isEqualTo(410);
        assertThat(old.at("/reason")).isEqualTo("Expired");
    }

    @Test
    default void saysInTheListAloneWhatItsItemsAre() {
        kube().create("statefulsets", Samples.statefulSet("listed"));

        Reply list = kube().list("statefulsets", "fieldSelector=metadata.name%3Dlisted");

        assertThat(list.at("/kind")).isEqualTo("StatefulSetList");
        assertThat(list.at("/apiVersion")).isEqualTo("apps/v1");
        assertThat(list.version()).matches("\\d+");
        assertThat(list.body().path("items")).hasSize(1);
        assertThat(list.body().at("/items/0").has("kind")).isFalse();
        assertThat(list.body().at("/items/0").has("apiVersion")).isFalse();
    }

    @Test
    default void listsAllNamespacesAtOnce() {
        kube().create("configmaps", Samples.labelled("everywhere", "{'everywhere': '" + kube().namespace() + "'}"));

        Reply list = kube().send(
                        "GET",
                        "/api/v1/configmaps?labelSelector=everywhere%3D" + kube().namespace(),
                        KubeUnderTest.PLAIN,
                        "");

        assertThat(names(list.body())).containsExactly("everywhere");
    }

    @Test
    default void tellsWhichVersionsOfBudgetsThereAre() {
        Reply group = kube().send("GET", "/apis/policy", KubeUnderTest.PLAIN, "");

        assertThat(group.at("/kind")).isEqualTo("APIGroup");
        assertThat(group.body().path("versions").findValuesAsText("version")).contains("v1beta1");
        assertThat(kube().send("GET", "/version", KubeUnderTest.PLAIN, "").at("/gitVersion"))
                .startsWith("v1.");
    }
}
