package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.cli.wiring.LeaseHolderName;
import io.github.etcdgitops.gateway.KubernetesGateway;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HolderTest {
    private static final Map<String, String> POD =
            Map.of("POD_NAME", "run-1", "POD_NAMESPACE", "etcd-gitops", "POD_UID", "uid-1");

    private static KubernetesGateway kube(boolean podMayRun) {
        return (KubernetesGateway) Proxy.newProxyInstance(
                HolderTest.class.getClassLoader(), new Class<?>[] {KubernetesGateway.class}, (_, method, _) -> {
                    if (method.getName().equals("podMayRun")) {
                        return podMayRun;
                    }
                    throw new AssertionError(method.getName());
                });
    }

    private static boolean gone(String holder, Map<String, String> environment, boolean podMayRun) {
        return LeaseHolderName.gone(holder, environment, kube(podMayRun));
    }

    @Test
    void treatsEndedLocalProcessAsGone() throws Exception {
        String self = LeaseHolderName.self(Map.of());
        var ended = new ProcessBuilder("true").start();
        ended.waitFor();
        String other = self.replace("/" + ProcessHandle.current().pid() + "/", "/" + ended.pid() + "/");

        assertThat(self).startsWith("process/");
        assertThat(gone(self, Map.of(), true)).isFalse();
        assertThat(gone(other, Map.of(), true)).isTrue();
        assertThat(gone(other.replaceFirst("process/", "process/another"), Map.of(), true))
                .as("on another machine")
                .isFalse();
    }

    @Test
    void treatsHolderPodThatNoLongerRunsAsGone() {
        String holder = LeaseHolderName.self(POD);

        assertThat(holder).startsWith("pod/etcd-gitops/run-1/uid-1/");
        assertThat(gone(holder, Map.of(), true)).isFalse();
        assertThat(gone(holder, Map.of(), false)).isTrue();
    }

    /// Somebody starts one by hand in the pod of another that is at work.
    @Test
    void twoProcessesOfAPodAreTwoHolders() {
        String self = LeaseHolderName.self(POD);
        String another = self.replaceFirst("/\\d+/(\\d+)$", "/1/$1");

        assertThat(gone(self, POD, true)).isFalse();
        assertThat(another).isNotEqualTo(self);
        assertThat(gone(another, POD, true))
                .as("a process of that number and another start")
                .isTrue();
    }

    @Test
    void holderOfFormerContainerIsGone() {
        String[] parts = LeaseHolderName.self(POD).split("/");
        parts[5] = "4026531000";

        assertThat(gone(String.join("/", parts), POD, true)).isTrue();
        assertThat(gone(String.join("/", parts), Map.of(), true)).isFalse();
    }

    @Test
    void unknownHolderMayBeAlive() {
        assertThat(gone("somebody", POD, true)).isFalse();
        assertThat(gone("pod/a/b", POD, false)).isFalse();
        assertThat(gone("process/a/b/c/d", POD, false)).isFalse();
    }
}
