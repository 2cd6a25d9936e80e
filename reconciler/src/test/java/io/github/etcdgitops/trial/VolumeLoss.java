package io.github.etcdgitops.trial;

import io.github.etcdgitops.it.EtcdProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/// Takes the volumes of a ring's members away, so that Kubernetes calls their claims lost.
record VolumeLoss(Bench bench, String ring) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /// In a sandbox the member's process ends with it; elsewhere it goes on with the files that it has
    /// open.
    void lose(int ordinal) throws IOException {
        String pod = ring + "-" + ordinal;
        if (bench.options().sandbox().isPresent()) {
            bench.sandbox().make("lose-volume", bench.namespace() + "/" + pod);
        } else {
            deleteVolume("data-" + pod);
        }
        EtcdProcess.await("the loss of data-" + pod, PATIENCE, () -> isLost(ordinal));
    }

    boolean isLost(int ordinal) {
        return phase("data-" + ring + "-" + ordinal).equals("Lost");
    }

    private void deleteVolume(String claim) {
        var volumes = bench.kube().persistentVolumes();
        String name = bench.kube()
                .persistentVolumeClaims()
                .inNamespace(bench.namespace())
                .withName(claim)
                .get()
                .getSpec()
                .getVolumeName();
        volumes.withName(name).delete();
        // It would stay for as long as a claim has it.
        volumes.withName(name).edit(volume -> {
            volume.getMetadata().setFinalizers(null);
            return volume;
        });
    }

    private String phase(String claim) {
        var found = bench.kube()
                .persistentVolumeClaims()
                .inNamespace(bench.namespace())
                .withName(claim)
                .get();
        return found == null || found.getStatus() == null
                ? ""
                : String.valueOf(found.getStatus().getPhase());
    }

    /// Which process each other member is, by pod, restarts and start.
    Map<String, String> processesBut(int ordinal) {
        var processes = new TreeMap<String, String>();
        new Members(bench, ring)
                .pods().stream()
                        .filter(pod -> !pod.getMetadata().getName().equals(ring + "-" + ordinal))
                        .forEach(pod -> pod.getStatus()
                                .getContainerStatuses()
                                .forEach(c -> processes.put(
                                        pod.getMetadata().getName(),
                                        pod.getMetadata().getUid() + " restarts " + c.getRestartCount() + " since "
                                                + c.getState().getRunning().getStartedAt())));
        return processes;
    }
}
