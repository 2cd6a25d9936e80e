package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.gateway.RestoreJobs.Lack;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.gateway.kube.api.Excerpt;
import io.github.etcdgitops.gateway.kube.read.RestorePhases;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestorePhasesTest {
    private static final String ACTIVE = "{}";
    private static final String ENDED = "{\"terminated\":{\"exitCode\":0,\"reason\":\"Completed\"}}";
    private static final String RUNS = "{\"running\":{}}";
    private static final String NOT_YET = "{\"waiting\":{\"reason\":\"PodInitializing\"}}";

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }

    private static String pod(String receive, String restore, String last) {
        return """
            {"metadata":{},"status":{"phase":"Pending","initContainerStatuses":[
            {"name":"receive","image":"ours:1","state":%s},{"name":"restore","image":"etcd:1","state":%s}],
            "containerStatuses":[{"name":"%s","image":"x","state":%s}]}}\
            """.formatted(
                receive, restore, last.equals("serves") ? "serve" : "settle", last.equals("serves") ? RUNS : last);
    }

    private static Phase phase(String job, String pod) throws IOException {
        return RestorePhases.of(json(job), Optional.of(json(pod)));
    }

    @Test
    void followsThePodFromContainerToContainer() throws IOException {
        assertThat(phase(ACTIVE, pod(NOT_YET, NOT_YET, NOT_YET))).isEqualTo(new Phase.Pending(""));
        assertThat(phase(ACTIVE, pod(RUNS, NOT_YET, NOT_YET))).isEqualTo(new Phase.Receiving());
        assertThat(phase(ACTIVE, pod(ENDED, NOT_YET, NOT_YET))).isEqualTo(new Phase.Restoring());
        assertThat(phase(ACTIVE, pod(ENDED, RUNS, NOT_YET))).isEqualTo(new Phase.Restoring());
        assertThat(phase(ACTIVE, pod(ENDED, ENDED, NOT_YET))).isEqualTo(new Phase.Restoring());
        assertThat(phase(ACTIVE, pod(ENDED, ENDED, RUNS))).isEqualTo(new Phase.Settling());
        assertThat(phase(ACTIVE, pod(ENDED, ENDED, "serves"))).isEqualTo(new Phase.Serving());
        assertThat(phase(ACTIVE, pod(ENDED, ENDED, ENDED))).isEqualTo(new Phase.Succeeded());
    }

    @Test
    void believesTheJobThatItIsComplete() throws IOException {
        String complete = "{\"status\":{\"conditions\":[{\"type\":\"Complete\",\"status\":\"True\"}]}}";

        assertThat(RestorePhases.of(json(complete), Optional.empty())).isEqualTo(new Phase.Succeeded());
    }

    @Test
    void saysWhichContainerFailedAndItsLastWord() throws IOException {
        String failed = """
            {"terminated":{"exitCode":1,"reason":"Error","message":"{\\"level\\":\\"info\\"}\\nError: data-dir exists\\n"}}\
            """;

        assertThat(phase(ACTIVE, pod(ENDED, failed, NOT_YET)))
                .isEqualTo(new Phase.Failed("restore", 1, "it ended with exit code 1", "Error: data-dir exists"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        137 | OOMKilled          | it needed more memory than its limit
        137 | Error              | it ended with exit code 137
        128 | ContainerCannotRun | it could not be started
        128 | StartError         | it could not be started
        """)
    void saysInOurWordsHowAContainerEnded(int code, String reason, String words) throws IOException {
        String ended = "{\"terminated\":{\"exitCode\":" + code + ",\"reason\":\"" + reason + "\"}}";

        assertThat(phase(ACTIVE, pod(ended, NOT_YET, NOT_YET))).isEqualTo(new Phase.Failed("receive", code, words, ""));
    }

    @Test
    void endOfDrillEtcdIsFailure() throws IOException {
        String pod = pod(ENDED, ENDED, "serves").replace(RUNS, ENDED);

        assertThat(phase(ACTIVE, pod)).isEqualTo(new Phase.Failed("serve", 0, "it ended with exit code 0", ""));
    }

    @Test
    void saysThatTheDeadlineIsOver() throws IOException {
        String late = """
            {"spec":{"activeDeadlineSeconds":90},"status":{"conditions":[
            {"type":"Failed","status":"True","reason":"DeadlineExceeded"}]}}\
            """;

        assertThat(RestorePhases.of(json(late), Optional.empty()))
                .isEqualTo(new Phase.Failed("", -1, "it was not finished within 90 seconds", ""));
        // Its pod is being killed, and still looks busy.
        assertThat(phase(late, pod(RUNS, NOT_YET, NOT_YET))).isInstanceOf(Phase.Failed.class);
    }

    @Test
    void saysThatTheMachineEvictedThePod() throws IOException {
        assertThat(phase(ACTIVE, "{\"status\":{\"phase\":\"Failed\",\"reason\":\"Evicted\"}}"))
                .isEqualTo(new Phase.Failed("", -1, "the node evicted the pod", ""));
        assertThat(phase(ACTIVE, "{\"status\":{\"phase\":\"Failed\",\"reason\":\"Whatever\"}}"))
                .isEqualTo(new Phase.Failed("", -1, "the pod failed", ""));
    }

    @ParameterizedTest
    @CsvSource({"ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"})
    void saysWhichImageCannotBePulled(String reason) throws IOException {
        String waiting = "{\"waiting\":{\"reason\":\"" + reason + "\"}}";

        assertThat(phase(ACTIVE, pod(ENDED, waiting, NOT_YET)))
                .isEqualTo(new Phase.Pending(Lack.CONTAINER, "the image etcd:1 cannot be pulled"));
    }

    @Test
    void saysThatNoMachineTakesThePod() throws IOException {
        String unscheduled = """
            {"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False",
            "message":"0/1 nodes are available"}]}}\
            """;

        assertThat(phase(ACTIVE, unscheduled))
                .isEqualTo(new Phase.Pending(Lack.MACHINE, "no node takes the pod: 0/1 nodes are available"));
    }

    @Test
    void doesNotTakeAPodForBusyThatIsBeingTakenAway() throws IOException {
        String leaving =
                pod(RUNS, NOT_YET, NOT_YET).replace("\"metadata\":{}", "\"metadata\":{\"deletionTimestamp\":\"x\"}");

        assertThat(phase(ACTIVE, leaving)).isEqualTo(new Phase.Pending("the pod is being removed"));
    }

    @Test
    void waitsForAPod() throws IOException {
        assertThat(RestorePhases.of(json(ACTIVE), Optional.empty()))
                .isEqualTo(new Phase.Pending(Lack.POD, "there is no pod yet"));
    }

    @Test
    void printsNoForeignControlCharacters() {
        assertThat(Excerpt.of("a\u001b[31mb\u202ec\u0007\n\n")).isEqualTo("a\\u001b[31mb\\u202ec\\u0007");
        assertThat(Excerpt.of("")).isEmpty();
        assertThat(Excerpt.of("x".repeat(1000))).hasSize(300).endsWith("…");
        assertThat(Excerpt.of("panic: first\ngoroutine 1 [running]:\nmain.go:3"))
                .isEqualTo("panic: first");
    }
}
