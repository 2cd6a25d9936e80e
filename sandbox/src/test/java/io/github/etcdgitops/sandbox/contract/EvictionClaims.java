package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.KubeUnderTest.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.Await;
import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import org.junit.jupiter.api.Test;

/// Evicting. Budgets' status is written as their controller would write it, so that it makes no difference
/// whether there is one.
interface EvictionClaims {
    KubeUnderTest kube();

    private Reply evict(String pod, String options) {
        ObjectNode eviction = json("{'apiVersion': 'policy/v1beta1', 'kind': 'Eviction', 'metadata': {'name': '" + pod
                + "', 'namespace': '" + kube().namespace() + "'}}");
        if (!options.isEmpty()) {
            eviction.set("deleteOptions", json(options));
        }
        return kube().send(
                        "POST",
                        kube().path("pods") + "/" + pod + "/eviction",
                        KubeUnderTest.PLAIN,
                        eviction.toString());
    }

    private void ready(String app, String pod) {
        ObjectNode bound = Samples.boundPod(pod);
        bound.withObject("/metadata/labels").put("app", app);
        kube().create("pods", bound);
        kube().merge(
                        "pods",
                        pod + "/status",
                        "{'status': {'phase': 'Running', 'conditions': [{'type': 'Ready'," + " 'status': 'True'}]}}");
    }

    private void budget(String app, int pods, int needed) {
        kube().create("poddisruptionbudgets", Samples.budget(app, app, needed));
        Await.until("the budget is known", java.time.Duration.ofSeconds(10), () -> {
            kube().merge(
                            "poddisruptionbudgets",
                            app + "/status",
                            "{'status': {'observedGeneration': 1,"
                                    + " 'currentHealthy': " + pods + ", 'desiredHealthy': " + needed
                                    + ", 'expectedPods': " + pods
                                    + ", 'disruptionsAllowed': " + (pods - needed) + "}}");
            return kube().get("poddisruptionbudgets", app)
                    .at("/status/currentHealthy")
                    .equals("" + pods);
        });
    }

    @Test
    default void evictsAPodThatNoBudgetCovers() {
        ready("uncovered", "uncovered");

        Reply evicted = evict("uncovered", "");

        assertThat(evicted.code()).isEqualTo(201);
        assertThat(evicted.at("/status")).isEqualTo("Success");
        assertThat(kube().get("pods", "uncovered").at("/metadata/deletionTimestamp"))
                .isNotEmpty();
    }

    @Test
    default void refusesAnEvictionThatTheBudgetDoesNotAllow() {
        ready("covered", "covered-0");
        budget("covered", 1, 1);

        Reply refused = evict("covered-0", "");

        assertThat(refused.code()).isEqualTo(429);
        assertThat(refused.at("/reason")).isEqualTo("TooManyRequests");
        assertThat(refused.at("/message"))
                .isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
        assertThat(refused.at("/details/causes/0/reason")).isEqualTo("DisruptionBudget");
        assertThat(refused.at("/details/causes/0/message"))
                .isEqualTo("The disruption budget covered needs 1 healthy pods and has 1 currently");
        assertThat(kube().get("pods", "covered-0").body().at("/metadata").has("deletionTimestamp"))
                .isFalse();
    }

    @Test
    default void usesUpTheBudget() {
        ready("used", "used-0");
        ready("used", "used-1");
        budget("used", 2, 1);

        Reply first = evict("used-0", "");
        Reply second = evict("used-1", "");

        assertThat(first.code()).isEqualTo(201);
        assertThat(second.code()).isEqualTo(429);
        assertThat(kube().get("poddisruptionbudgets", "used").at("/status/disruptionsAllowed"))
                .isEqualTo("0");
    }

    @Test
    default void triesAnEviction() {
        ready("tried", "tried-0");
        ready("tried", "tried-1");
        budget("tried", 2, 1);

        Reply tried = evict("tried-0", "{'dryRun': ['All']}");

        assertThat(tried.code()).isEqualTo(201);
        assertThat(kube().get("pods", "tried-0").body().at("/metadata").has("deletionTimestamp"))
                .isFalse();
        assertThat(evict("tried-1", "").code()).isEqualTo(201);
    }

    @Test
    default void evictsAPodThatDoesNotRunYet() {
        kube().create("pods", Samples.pod("pending"));
        kube().create("poddisruptionbudgets", Samples.budget("pending", "pending", 1));

        assertThat(evict("pending", "").code()).isEqualTo(201);
        assertThat(kube().get("pods", "pending").code()).isEqualTo(404);
    }

    @Test
    default void evictsOnlyThePodThatIsMeant() {
        ready("meant", "meant");

        assertThat(evict("meant", "{'preconditions': {'uid': '00000000-0000-0000-0000-000000000000'}}")
                        .code())
                .isEqualTo(409);
        assertThat(evict("no-such-pod", "").code()).isEqualTo(404);
    }
}
