package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.Workloads.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What becomes of Jobs that have one pod and try it once. Their pods are on a node that is not there, and what a
/// kubelet would say about them is said by the test.
interface JobRunClaims {
    Workloads workloads();

    @Test
    default void makesOnePodOfAJob() {
        Reply job = create("one");

        JsonNode pod = pod("one");

        await(() -> job("one").at("/status/active").equals("1"));
        assertThat(pod.at("/metadata/name").asText()).startsWith("one-").hasSize("one-".length() + 5);
        assertThat(pod.at("/metadata/labels/app").asText()).isEqualTo("one");
        assertThat(pod.at("/metadata/labels/job-name").asText()).isEqualTo("one");
        assertThat(pod.at("/metadata/labels/controller-uid").asText()).isEqualTo(job.uid());
        assertThat(pod.at("/metadata/annotations/template").asText()).isEqualTo("one");
        assertThat(pod.at("/metadata/ownerReferences")).hasSize(1);
        DefaultClaims.has(pod.at("/metadata/ownerReferences/0"), """
                {'apiVersion': 'batch/v1', 'kind': 'Job', 'name': 'one', 'controller': true,
                 'blockOwnerDeletion': true}
                """);
        assertThat(pod.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo(job.uid());
        assertThat(pod.at("/spec/restartPolicy").asText()).isEqualTo("Never");
        assertThat(pod.at("/spec/initContainers/0/name").asText()).isEqualTo("first");
        assertThat(job("one").at("/status/startTime")).isNotEmpty();
    }

    @Test
    default void completesAJobWhosePodSucceeded() {
        create("succeeds");

        report(pod("succeeds"), "Succeeded");
        await(() -> isTrue("succeeds", "Complete"));

        Reply job = job("succeeds");
        assertThat(job.at("/status/succeeded")).isEqualTo("1");
        assertThat(job.at("/status/completionTime")).isNotEmpty();
        assertThat(job.body().at("/status").has("active")).isFalse();
        assertThat(workloads().pods("succeeds")).hasSize(1);
    }

    @Test
    default void givesAJobUpWithItsFirstPodThatFails() {
        create("fails");

        report(pod("fails"), "Failed");
        await(() -> isTrue("fails", "Failed"));

        Reply job = job("fails");
        assertThat(reason(job, "Failed")).isEqualTo("BackoffLimitExceeded");
        assertThat(job.at("/status/failed")).isEqualTo("1");
        assertThat(job.body().at("/status").has("active")).isFalse();
        assertThat(workloads().pods("fails")).hasSize(1);
    }

    @Test
    default void endsAJobAtItsDeadline() {
        ObjectNode late = Workloads.job("late");
        late.withObject("/spec").put("activeDeadlineSeconds", 1);
        workloads().kube().create("jobs", late);
        String pod = pod("late").at("/metadata/name").asText();

        await(() -> isEnding(pod) || isGone(pod));
        takeAway(pod);
        await(() -> isTrue("late", "Failed"));

        assertThat(reason(job("late"), "Failed")).isEqualTo("DeadlineExceeded");
        assertThat(workloads().pods("late")).isEmpty();
    }

    @Test
    default void takesAJobsPodsAwayAfterIt() {
        create("background");
        String pod = pod("background").at("/metadata/name").asText();

        workloads().kube().delete("jobs", "background", "{'propagationPolicy': 'Background'}");

        await(() -> isEnding(pod) || isGone(pod));
        takeAway(pod);
        assertThat(job("background").code()).isEqualTo(404);
    }

    @Test
    default void takesAJobsPodsAwayBeforeIt() {
        Reply created = create("foreground");
        String pod = pod("foreground").at("/metadata/name").asText();

        workloads().kube().delete("jobs", "foreground", "{'propagationPolicy': 'Foreground'}");
        await(() -> isEnding(pod));
        Reply waiting = job("foreground");
        takeAway(pod);
        await(() -> job("foreground").code() == 404);

        assertThat(waiting.uid()).isEqualTo(created.uid());
        assertThat(waiting.body().at("/metadata").has("deletionTimestamp")).isTrue();
        assertThat(workloads().pods("foreground")).isEmpty();
    }

    @Test
    default void leavesAJobsPodsWhereNothingIsSaidOfThem() {
        create("orphaning");
        String pod = pod("orphaning").at("/metadata/name").asText();

        workloads().kube().delete("jobs", "orphaning", "");
        await(() -> job("orphaning").code() == 404);

        assertThat(workloads().pod(pod).body().at("/metadata").has("ownerReferences"))
                .isFalse();
        assertThat(isEnding(pod)).isFalse();
        takeAway(pod);
    }

    private Reply create(String name) {
        Reply created = workloads().kube().create("jobs", Workloads.job(name));
        assertThat(created.code()).isEqualTo(201);
        return created;
    }

    private Reply job(String name) {
        return workloads().kube().get("jobs", name);
    }

    private JsonNode pod(String job) {
        await(() -> !workloads().pods(job).isEmpty());
        List<JsonNode> pods = workloads().pods(job);
        assertThat(pods).hasSize(1);
        return pods.getFirst();
    }

    private void report(JsonNode pod, String phase) {
        workloads()
                .kube()
                .merge("pods", pod.at("/metadata/name").asText() + "/status", "{'status': {'phase': '" + phase + "'}}");
    }

    private boolean isTrue(String job, String type) {
        return condition(job(job), type).path("status").asText().equals("True");
    }

    private static String reason(Reply job, String type) {
        return condition(job, type).path("reason").asText();
    }

    private static JsonNode condition(Reply job, String type) {
        for (JsonNode condition : job.body().at("/status/conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition;
            }
        }
        return job.body().path("nothing");
    }

    private boolean isEnding(String pod) {
        return workloads().ends(pod);
    }

    private boolean isGone(String pod) {
        return workloads().pod(pod).code() == 404;
    }

    /// As its kubelet would in the end.
    private void takeAway(String pod) {
        workloads().kube().delete("pods", pod, "{'gracePeriodSeconds': 0}");
        await(() -> isGone(pod));
    }
}
