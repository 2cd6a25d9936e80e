package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.InspectionJob;
import io.github.etcdgitops.gateway.RestoreJobs.Look;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.manifest.InspectionManifest;
import io.github.etcdgitops.gateway.kube.manifest.RingManifests;
import io.github.etcdgitops.gateway.kube.read.RestorePhases;
import io.github.etcdgitops.golden.Golden;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.journal.Inspection;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InspectionManifestTest {
    private static final Golden GOLDEN = new Golden("manifests/inspect");
    private static final String RUNS = "{\"running\":{}}";
    private static final String NOT_YET = "{\"waiting\":{\"reason\":\"PodInitializing\"}}";
    private static final String ENDED = "{\"terminated\":{\"exitCode\":0}}";

    @AfterAll
    static void everyGoldenFileWasRead() {
        GOLDEN.assertAllUsed();
    }

    private static InspectionJob job(RingObjects ring) {
        return new InspectionJob(
                ring,
                new Look("data-orders-1", "uid-7", "a1", "uid-pod/2"),
                "registry.example/etcd-gitops:1",
                Duration.ofMinutes(30),
                "0123abcd");
    }

    private static Job rendered(RingObjects ring) {
        return Rendered.as(Job.class, InspectionManifest.of(job(ring)));
    }

    private static Stream<Container> containers(Job job) {
        var pod = job.getSpec().getTemplate().getSpec();
        return Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream());
    }

    private static Container container(Job job, String name) {
        return containers(job).filter(c -> c.getName().equals(name)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"3.3.25", "3.5.16"})
    void rendersALookOfEachVersion(String version) {
        GOLDEN.assertMatches(
                "inspect-" + version + ".yaml", Rendered.yaml(InspectionManifest.of(job(Samples.defaults(version)))));
    }

    @Test
    void rendersALookOfAFullSpec() {
        GOLDEN.assertMatches("inspect-full.yaml", Rendered.yaml(InspectionManifest.of(job(Samples.full()))));
    }

    @Test
    void onlyTheCopyingContainerHasTheVolumeAndCannotWriteToIt() {
        var job = rendered(Samples.full());

        assertThat(containers(job)
                        .filter(c -> c.getVolumeMounts().stream()
                                .anyMatch(m -> m.getName().equals("kept"))))
                .extracting(Container::getName)
                .containsExactly("copy");
        assertThat(container(job, "copy").getVolumeMounts())
                .filteredOn(m -> m.getName().equals("kept"))
                .allMatch(m -> m.getReadOnly());
        assertThat(job.getSpec().getTemplate().getSpec().getSecurityContext().getFsGroup())
                .isNull();
        assertThat(job.getSpec().getTemplate().getSpec().getSecurityContext().getSupplementalGroups())
                .isNotEmpty();
        assertThat(job.getSpec().getTemplate().getSpec().getVolumes())
                .filteredOn(v -> v.getEmptyDir() != null)
                .allMatch(v -> v.getEmptyDir().getSizeLimit() != null);
    }

    /// What is copied names the ring's members, one of which may be alive.
    @Test
    void etcdOnTheCopyIsIsolated() {
        var job = rendered(Samples.full());
        var serve = container(job, "serve");

        assertThat(serve.getArgs()).contains("--force-new-cluster");
        assertThat(serve.getArgs().stream().filter(a -> a.contains("://") || a.contains("0.0.0.0")))
                .isNotEmpty()
                .allMatch(a -> a.contains("://127.0.0.1:"));
        assertThat(serve.getPorts()).isEmpty();
        for (String proxy : new String[] {"HTTP_PROXY", "HTTPS_PROXY"}) {
            assertThat(serve.getEnv())
                    .filteredOn(e -> e.getName().equals(proxy))
                    .extracting(EnvVar::getValue)
                    .containsExactly("http://127.0.0.1:1");
        }
        var pod = job.getSpec().getTemplate().getSpec();
        assertThat(pod.getDnsPolicy()).isEqualTo("None");
        assertThat(pod.getDnsConfig().getNameservers()).containsExactly("127.0.0.1");
    }

    /// The volume may be one for a single machine, and the member's pod has it.
    @Test
    void copiesOnlyTheMembersOwnDataAndCompactsItWhereItIsCompared() {
        var witness = new RestoreJobs.Witness(4000, Optional.of("node-7"));
        var look = new Look("data-orders-1", "uid-7", "a1", "uid-pod/2", Optional.of(witness));
        var job = Rendered.as(
                Job.class,
                InspectionManifest.of(
                        new InspectionJob(Samples.full(), look, "ours", Duration.ofMinutes(30), "0123abcd")));

        assertThat(container(job, "copy").getArgs()).contains("--own");
        assertThat(container(job, "tell").getArgs()).contains("--compact=4000");
        assertThat(job.getSpec()
                        .getTemplate()
                        .getSpec()
                        .getAffinity()
                        .getNodeAffinity()
                        .getRequiredDuringSchedulingIgnoredDuringExecution()
                        .getNodeSelectorTerms())
                .singleElement()
                .satisfies(term -> assertThat(term.getMatchFields())
                        .singleElement()
                        .satisfies(field -> assertThat(field.getValues()).containsExactly("node-7")));
        assertThat(container(rendered(Samples.full()), "copy").getArgs()).doesNotContain("--own");
    }

    @Test
    void isSelectedByNothingThatSelectsMembersAndKeptAwayFromNoMachine() {
        var pod = rendered(Samples.full()).getSpec().getTemplate();

        assertThat(Labels.selector(Samples.ORDERS).entrySet())
                .noneMatch(pod.getMetadata().getLabels().entrySet()::contains);
        assertThat(pod.getSpec().getTopologySpreadConstraints()).isEmpty();
        assertThat(pod.getSpec().getPriorityClassName()).isNull();
        var affinity = pod.getSpec().getAffinity();
        assertThat(affinity == null || affinity.getPodAntiAffinity() == null).isTrue();
        assertThat(pod.getSpec().getTolerations())
                .isEqualTo(Rendered.as(StatefulSet.class, RingManifests.statefulSet(Samples.full(), 5))
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getTolerations());
    }

    @Test
    void hasNoTokenAndNoSecretAndEndsByItself() {
        var job = rendered(Samples.full());

        var pod = job.getSpec().getTemplate().getSpec();
        assertThat(job.getSpec().getActiveDeadlineSeconds()).isEqualTo(1800);
        assertThat(job.getSpec().getBackoffLimit()).isZero();
        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getVolumes()).noneMatch(v -> v.getSecret() != null || v.getProjected() != null);
        assertThat(containers(job))
                .hasSize(3)
                .allSatisfy(
                        c -> assertThat(c.getSecurityContext().getCapabilities().getDrop())
                                .containsExactly("ALL"));
    }

    @Test
    void nameFitsJobAndDiffersPerClaimAndOperation() {
        var longest = new ClusterRef("shop", "o".repeat(52));

        assertThat(RestoreJobs.inspectionName(longest, "uid-7", "0123abcd")).hasSizeLessThanOrEqualTo(63);
        assertThat(RestoreJobs.inspectionName(longest, "uid-7", "0123abcd"))
                .isEqualTo(RestoreJobs.inspectionName(longest, "uid-7", "0123abcd"))
                .isNotEqualTo(RestoreJobs.inspectionName(longest, "uid-8", "0123abcd"))
                .isNotEqualTo(RestoreJobs.inspectionName(longest, "uid-7", "0123abce"));
    }

    private static Phase phase(String copy, String tell, String serve) throws IOException {
        String pod = """
            {"metadata":{},"status":{"phase":"Running",
            "initContainerStatuses":[{"name":"copy","image":"ours:1","state":%s}],
            "containerStatuses":[{"name":"tell","image":"ours:1","state":%s},
            {"name":"serve","image":"etcd:1","state":%s}]}}\
            """.formatted(copy, tell, serve);
        var mapper = new ObjectMapper();
        return RestorePhases.of(mapper.readTree("{}"), Optional.of(mapper.readTree(pod)));
    }

    private static String told(String message) {
        return "{\"terminated\":{\"exitCode\":0,\"message\":\"" + message.replace("\"", "\\\"") + "\"}}";
    }

    @Test
    void followsPodUntilItHasReported() throws IOException {
        var revision = told("{\"revision\":12,\"compactRevision\":-1,\"hash\":4294967295}");
        var found = new Inspection.Outcome.Told(12, Optional.of(new Inspection.Hash(-1, 4_294_967_295L)));

        assertThat(phase(NOT_YET, NOT_YET, NOT_YET)).isEqualTo(new Phase.Pending(""));
        assertThat(phase(RUNS, NOT_YET, NOT_YET)).isEqualTo(new Phase.Copying());
        assertThat(phase(ENDED, NOT_YET, NOT_YET)).isEqualTo(new Phase.Restoring());
        assertThat(phase(ENDED, RUNS, NOT_YET)).isEqualTo(new Phase.Restoring());
        assertThat(phase(ENDED, RUNS, RUNS)).isEqualTo(new Phase.Serving());
        assertThat(phase(ENDED, revision, RUNS)).isEqualTo(new Phase.Told(found));
        // Whatever becomes of etcd afterwards.
        assertThat(phase(ENDED, revision, "{\"terminated\":{\"exitCode\":137}}"))
                .isEqualTo(new Phase.Told(found));
        assertThat(phase(ENDED, told("{\"revision\":3}"), RUNS))
                .isEqualTo(new Phase.Told(new Inspection.Outcome.Told(3, Optional.empty())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no", "{}", "[]", "{\"revision\":\"12\"}", "{\"revision\":1.5}", "{\"revision\":1"})
    void takesNothingForAnAnswerThatIsNone(String message) throws IOException {
        assertThat(phase(ENDED, told(message), RUNS))
                .isEqualTo(new Phase.Failed("tell", 0, "its result cannot be parsed", ""));
    }

    @Test
    void saysWhichContainerFailed() throws IOException {
        String failed = "{\"terminated\":{\"exitCode\":2,\"message\":\"panic: corrupt\"}}";

        assertThat(phase(failed, NOT_YET, NOT_YET))
                .isEqualTo(new Phase.Failed("copy", 2, "it ended with exit code 2", "panic: corrupt"));
        assertThat(phase(ENDED, RUNS, failed))
                .isEqualTo(new Phase.Failed("serve", 2, "it ended with exit code 2", "panic: corrupt"));
        assertThat(phase(ENDED, failed, RUNS))
                .isEqualTo(new Phase.Failed("tell", 2, "it ended with exit code 2", "panic: corrupt"));
    }
}
