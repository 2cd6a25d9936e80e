package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.gateway.kube.read.PodLife;
import io.github.etcdgitops.state.KubeState.Whereabouts;
import io.github.etcdgitops.state.PodPhase;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodLifeTest {
    private static Whereabouts whereabouts(String pod) throws Exception {
        return PodLife.of(new ObjectMapper().readTree(pod), false, Optional.empty())
                .whereabouts();
    }

    @Test
    void tellsTheNodeAndThatTheContainerRuns() throws Exception {
        var seen = whereabouts("{\"spec\":{\"nodeName\":\"node-7\"},\"status\":{\"phase\":\"Running\","
                + "\"containerStatuses\":[{\"state\":{\"running\":{}}}]}}");

        assertThat(seen).isEqualTo(new Whereabouts(PodPhase.RUNNING, Optional.of("node-7"), true));
    }

    @Test
    void containerInCrashLoopDoesNotRun() throws Exception {
        var seen = whereabouts("{\"spec\":{\"nodeName\":\"node-7\"},\"status\":{\"phase\":\"Running\","
                + "\"containerStatuses\":[{\"state\":{\"waiting\":{\"reason\":\"CrashLoopBackOff\"}}}]}}");

        assertThat(seen.runs()).isFalse();
    }

    @Test
    void unscheduledPodRunsNothing() throws Exception {
        var seen = whereabouts("{\"spec\":{},\"status\":{\"phase\":\"Pending\"}}");

        assertThat(seen).isEqualTo(new Whereabouts(PodPhase.PENDING, Optional.empty(), false));
    }

    /// The kubelet says the one when a pull has failed and the other until it tries again, in turns: a plan that
    /// hung on which of them it was would be stale a minute later.
    @Test
    void reportsBothReasonsOfFailedPullAlike() throws Exception {
        assertThat(waiting("ErrImagePull").map(t -> t.split(":")[0]))
                .isEqualTo(waiting("ImagePullBackOff").map(t -> t.split(":")[0]))
                .contains("ImagePullBackOff");
    }

    @Test
    void reportsNoTroubleWhileContainerIsCreated() throws Exception {
        assertThat(waiting("ContainerCreating")).isEmpty();
    }

    private static Optional<String> waiting(String reason) throws Exception {
        var pod = "{\"status\":{\"containerStatuses\":[{\"state\":{\"waiting\":" + "{\"reason\":\"" + reason
                + "\",\"message\":\"not found\"}}}]}}";
        return PodLife.of(new ObjectMapper().readTree(pod), false, Optional.empty())
                .trouble();
    }
}
