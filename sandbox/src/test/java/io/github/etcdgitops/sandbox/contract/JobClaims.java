package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.KubeUnderTest.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import org.junit.jupiter.api.Test;

/// Jobs as they are written. What becomes of them is in [JobRunClaims].
interface JobClaims {
    KubeUnderTest kube();

    @Test
    default void fillsInAJob() {
        Reply job = kube().create("jobs", Samples.job("filled-job"));

        assertThat(job.code()).isEqualTo(201);
        DefaultClaims.has(job.body().path("spec"), """
                {'completions': 1, 'parallelism': 1, 'backoffLimit': 6,
                 'template': {'spec': {'restartPolicy': 'Never', 'dnsPolicy': 'ClusterFirst',
                  'terminationGracePeriodSeconds': 30, 'securityContext': {}}}}
                """);
        DefaultClaims.has(job.body().at("/spec/template/spec/initContainers/0"), """
                {'imagePullPolicy': 'IfNotPresent', 'terminationMessagePath': '/dev/termination-log',
                 'terminationMessagePolicy': 'FallbackToLogsOnError', 'ports': [{'containerPort': 2390,
                  'protocol': 'TCP'}], 'resources': {'limits': {'memory': '1Gi'}}}
                """);
    }

    @Test
    default void tellsTheJobsPodsFromAllOthers() {
        Reply job = kube().create("jobs", Samples.job("selecting"));

        assertThat(job.at("/spec/template/metadata/labels/app")).isEqualTo("selecting");
        assertThat(job.at("/spec/template/metadata/labels/job-name")).isEqualTo("selecting");
        assertThat(job.at("/spec/template/metadata/labels/controller-uid")).isEqualTo(job.uid());
        assertThat(job.body().at("/spec/selector/matchLabels")).hasSize(1);
    }

    @Test
    default void keepsOfAJobsPodWhatItStartedWith() {
        Reply job = kube().create("jobs", Samples.job("fixed"));

        Reply template =
                kube().merge("jobs", "fixed", "{'spec': {'template': {'metadata': {'labels': {'app': 'other'}}}}}");
        Reply completions = kube().merge("jobs", "fixed", "{'spec': {'completions': 2}}");
        Reply deadline = kube().merge("jobs", "fixed", "{'spec': {'activeDeadlineSeconds': 1000}}");

        assertThat(template.code()).isEqualTo(422);
        assertThat(completions.code()).isEqualTo(422);
        assertThat(completions.at("/details/causes/0/field")).isEqualTo("spec.completions");
        assertThat(deadline.code()).isEqualTo(200);
        assertThat(deadline.uid()).isEqualTo(job.uid());
    }

    @Test
    default void refusesAJobWhosePodsWouldNeverEnd() {
        ObjectNode always = Samples.job("always");
        always.withObject("/spec/template/spec").put("restartPolicy", "Always");
        ObjectNode silent = Samples.job("silent");
        silent.withObject("/spec/template/spec").remove("restartPolicy");

        assertThat(kube().create("jobs", always).code()).isEqualTo(422);
        assertThat(kube().create("jobs", silent).code()).isEqualTo(422);
    }

    @Test
    default void refusesAJobThatMakesNoSense() {
        ObjectNode negative = Samples.job("negative");
        negative.withObject("/spec").put("activeDeadlineSeconds", -1);
        ObjectNode others = Samples.job("others");
        others.withObject("/spec").set("selector", json("{'matchLabels': {'app': 'others'}}"));
        ObjectNode unmounted = Samples.job("unmounted");
        ((ObjectNode) unmounted.at("/spec/template/spec/initContainers/0"))
                .withArray("volumeMounts")
                .add(json("{'name': 'nothing', 'mountPath': '/data'}"));

        assertThat(kube().create("jobs", negative).code()).isEqualTo(422);
        assertThat(kube().create("jobs", others).code()).isEqualTo(422);
        assertThat(kube().create("jobs", unmounted).code()).isEqualTo(422);
    }

    @Test
    default void cutsAPrefixThatIsTooLongForAName() {
        ObjectNode pod = Samples.boundPod("unused");
        pod.withObject("/metadata").put("generateName", "x".repeat(60) + "-").remove("name");

        Reply created = kube().create("pods", pod);

        assertThat(created.at("/metadata/name")).hasSize(63).startsWith("x".repeat(58));
    }
}
