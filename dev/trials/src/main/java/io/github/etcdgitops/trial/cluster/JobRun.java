package io.github.etcdgitops.trial.cluster;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.bench.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/// A run as a Job, in one pod after another if need be.
record JobRun(KubernetesClient kube, String namespace, String name) implements Work {
    @Override
    public boolean isAlive() {
        var job = kube.batch().v1().jobs().inNamespace(namespace).withName(name).get();
        TrialFailure.unless(job != null, "the Job " + name + " is gone");
        return job.getStatus().getConditions().stream()
                .noneMatch(c -> c.getStatus().equals("True")
                        && List.of("Complete", "Failed").contains(c.getType()));
    }

    @Override
    public int exit() {
        EtcdProcess.await("the end of the Job " + name, LONGEST, () -> !isAlive());
        return ends().isEmpty() ? -1 : ends().getLast().getExitCode();
    }

    /// Of all its pods that are left.
    @Override
    public String log() {
        return pods().stream().map(this::log).collect(Collectors.joining());
    }

    /// How the containers ended that have ended.
    List<ContainerStateTerminated> ends() {
        return pods().stream()
                .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
                .map(status -> status.getState().getTerminated())
                .filter(Objects::nonNull)
                .toList();
    }

    /// Its pod is taken off the record, and its process gets SIGKILL: a kubelet on a busy machine takes so long to end
    /// it that the run would be done.
    void killPod() {
        var pod = pods().getLast();
        var process = process(pod);
        kube.resource(pod).withGracePeriod(0).delete();
        process.destroyForcibly();
    }

    /// SIGKILL for its process. The pod stays on record.
    void crash() {
        process(pods().getLast()).destroyForcibly();
    }

    /// It runs on this machine.
    private ProcessHandle process(Pod pod) {
        String uid = pod.getMetadata().getUid();
        var processes = ProcessHandle.allProcesses()
                .filter(process -> group(process).contains(uid))
                .filter(process -> process.info()
                        .command()
                        .filter(c -> c.endsWith("/java"))
                        .isPresent())
                .toList();
        TrialFailure.unless(processes.size() == 1, "not one process of " + name + " runs here: " + processes);
        return processes.getFirst();
    }

    private static String group(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(process.pid()), "cgroup"));
        } catch (IOException _) {
            // It has ended meanwhile.
            return "";
        }
    }

    private List<Pod> pods() {
        return kube.pods().inNamespace(namespace).withLabel("job-name", name).list().getItems().stream()
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getCreationTimestamp()))
                .toList();
    }

    private String log(Pod pod) {
        try {
            return kube.pods()
                    .inNamespace(namespace)
                    .withName(pod.getMetadata().getName())
                    .getLog();
        } catch (KubernetesClientException e) {
            // Its container has not begun, or it is gone by now.
            TrialFailure.unless(e.getCode() == 400 || e.getCode() == 404, e.toString());
            return "";
        }
    }
}
