package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.Lack;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.gateway.RestoreJobs.Room;
import io.github.etcdgitops.gateway.RestoreJobs.RoomJob;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.manifest.RoomManifest;
import io.github.etcdgitops.gateway.kube.read.RestorePhases;
import io.github.etcdgitops.golden.Golden;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoomManifestTest {
    private static final Golden GOLDEN = new Golden("manifests/room");

    @AfterAll
    static void everyGoldenFileWasRead() {
        GOLDEN.assertAllUsed();
    }

    private static Job rendered(RingObjects ring, Optional<String> machine) {
        return Rendered.as(Job.class, tree(ring, machine));
    }

    private static ObjectNode tree(RingObjects ring, Optional<String> machine) {
        return RoomManifest.of(new RoomJob(
                ring,
                new Room("data-orders-0", "uid-7", machine),
                "registry.example/etcd-gitops:1",
                Duration.ofMinutes(6),
                "0123abcd"));
    }

    @Test
    void rendersFreeSpaceCheck() {
        GOLDEN.assertMatches("room-defaults.yaml", Rendered.yaml(tree(Samples.defaults("3.5.16"), Optional.empty())));
        GOLDEN.assertMatches("room-full.yaml", Rendered.yaml(tree(Samples.full(), Optional.of("node-a"))));
    }

    @Test
    void canWriteNothingAndKnowsNoSecret() {
        var pod = rendered(Samples.full(), Optional.of("node-a"))
                .getSpec()
                .getTemplate()
                .getSpec();

        assertThat(pod.getContainers())
                .singleElement()
                .extracting(Container::getVolumeMounts)
                .satisfies(mounts -> assertThat(mounts).hasSize(1).allMatch(m -> m.getReadOnly()));
        assertThat(pod.getVolumes()).hasSize(1).allMatch(v -> v.getPersistentVolumeClaim() != null);
        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getSecurityContext().getFsGroup()).isNull();
        assertThat(pod.getContainers()
                        .getFirst()
                        .getSecurityContext()
                        .getCapabilities()
                        .getDrop())
                .containsExactly("ALL");
    }

    /// A volume for one machine alone can be mounted nowhere else while the member runs.
    @Test
    void runsWhereTheMemberRunsWithoutTakingItsShare() {
        var pod = rendered(Samples.full(), Optional.of("node-a")).getSpec().getTemplate();

        var nodes = pod.getSpec().getAffinity().getNodeAffinity();
        assertThat(nodes.getRequiredDuringSchedulingIgnoredDuringExecution().getNodeSelectorTerms())
                .singleElement()
                .satisfies(term ->
                        assertThat(term.getMatchFields().getFirst().getValues()).containsExactly("node-a"));
        assertThat(pod.getSpec().getAffinity().getPodAntiAffinity()).isNull();
        assertThat(pod.getSpec().getContainers().getFirst().getResources().getRequests())
                .hasEntrySatisfying(
                        "memory", memory -> assertThat(memory.toString()).isEqualTo("32Mi"));
        assertThat(Labels.selector(Samples.ORDERS).entrySet())
                .noneMatch(pod.getMetadata().getLabels().entrySet()::contains);
    }

    @Test
    void nameFitsJobAndDiffersFromInspectionName() {
        var longest = new ClusterRef("shop", "o".repeat(52));

        assertThat(RestoreJobs.roomName(longest, "uid-7", "0123abcd"))
                .hasSizeLessThanOrEqualTo(63)
                .isNotEqualTo(RestoreJobs.inspectionName(longest, "uid-7", "0123abcd"))
                .isNotEqualTo(RestoreJobs.roomName(longest, "uid-8", "0123abcd"));
    }

    private static Phase phase(String job, String state) throws IOException {
        String pod = """
            {"metadata":{},"status":{"phase":"Running",
            "containerStatuses":[{"name":"room","image":"ours:1","state":%s}]}}\
            """.formatted(state);
        var mapper = new ObjectMapper();
        return RestorePhases.of(mapper.readTree(job), Optional.of(mapper.readTree(pod)));
    }

    private static String ended(int code, String message) {
        return "{\"terminated\":{\"exitCode\":" + code + ",\"message\":\"" + message.replace("\"", "\\\"") + "\"}}";
    }

    @Test
    void tellsTheFreeBytesOnceThePodHasEnded() throws IOException {
        String complete = "{\"status\":{\"conditions\":[{\"type\":\"Complete\",\"status\":\"True\"}]}}";

        assertThat(phase("{}", "{\"waiting\":{\"reason\":\"ContainerCreating\"}}"))
                .isEqualTo(new Phase.Pending(""));
        assertThat(phase("{}", "{\"running\":{}}")).isEqualTo(new Phase.Pending(""));
        assertThat(phase("{}", ended(0, "{\"free\":12}"))).isEqualTo(new Phase.Measured(12));
        assertThat(phase(complete, ended(0, "{\"free\":9007199254740993}")))
                .isEqualTo(new Phase.Measured(9_007_199_254_740_993L));
        assertThat(phase("{}", ended(20, "no such folder")))
                .isEqualTo(new Phase.Failed("room", 20, "it ended with exit code 20", "no such folder"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no", "{}", "[]", "{\"free\":\"12\"}", "{\"free\":1.5}", "{\"free\":1"})
    void takesNothingForAnAnswerThatIsNone(String message) throws IOException {
        assertThat(phase("{}", ended(0, message)))
                .isEqualTo(new Phase.Failed("room", 0, "its result cannot be parsed", ""));
    }

    @Test
    void saysThatTheImageCannotBePulled() throws IOException {
        assertThat(phase("{}", "{\"waiting\":{\"reason\":\"ImagePullBackOff\"}}"))
                .isEqualTo(new Phase.Pending(Lack.CONTAINER, "the image ours:1 cannot be pulled"));
    }
}
