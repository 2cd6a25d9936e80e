package io.github.etcdgitops.trial.fault;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.watch.JournalTries;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/// Takes the volumes of a ring's members away, so that Kubernetes calls their claims lost.
public record VolumeLoss(Bench bench, String ring) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String HOLD = "example.com/hold";

    /// In a sandbox the member's process ends with it; elsewhere it goes on with the files that it has
    /// open.
    public void lose(int ordinal) throws IOException {
        new JournalTries(bench, ring).forget();
        String pod = ring + "-" + ordinal;
        if (bench.options().sandbox().isPresent()) {
            bench.sandbox().make("lose-volume", bench.namespace() + "/" + pod);
        } else {
            deleteVolume(bench.kube(), bench.namespace(), "data-" + pod);
        }
        EtcdProcess.await("the loss of data-" + pod, PATIENCE, () -> isLost(ordinal));
    }

    /// Somebody deletes the claim: it stays for as long as its pod.
    public void delete(int ordinal) {
        new JournalTries(bench, ring).forget();
        claims(ordinal).delete();
        EtcdProcess.await(
                "the end of data-" + ring + "-" + ordinal,
                PATIENCE,
                () -> claims(ordinal).get().getMetadata().getDeletionTimestamp() != null);
    }

    /// Somebody deletes the claim and the pod: there is another claim afterwards.
    public void exchange(int ordinal) {
        String former = uid(ordinal);
        delete(ordinal);
        bench.kube()
                .pods()
                .inNamespace(bench.namespace())
                .withName(ring + "-" + ordinal)
                .delete();
        EtcdProcess.await("another claim", PATIENCE, () -> {
            var claim = claims(ordinal).get();
            return claim != null && !claim.getMetadata().getUid().equals(former);
        });
        EtcdProcess.await("a member that cannot start", PATIENCE.multipliedBy(2), () -> restarts(ordinal) >= 3);
    }

    /// Whether something holds on to claims that are to go, as a driver that is stuck does.
    public void holdOn(int ordinal, boolean held) {
        claims(ordinal).edit(claim -> {
            var finalizers = claim.getMetadata().getFinalizers();
            finalizers.remove(HOLD);
            if (held) {
                finalizers.add(HOLD);
            }
            return claim;
        });
    }

    public int restarts(int ordinal) {
        var pod = bench.kube()
                .pods()
                .inNamespace(bench.namespace())
                .withName(ring + "-" + ordinal)
                .get();
        return pod == null || pod.getStatus() == null
                ? 0
                : pod.getStatus().getContainerStatuses().stream()
                        .mapToInt(c -> c.getRestartCount())
                        .sum();
    }

    private Resource<PersistentVolumeClaim> claims(int ordinal) {
        return bench.kube()
                .persistentVolumeClaims()
                .inNamespace(bench.namespace())
                .withName("data-" + ring + "-" + ordinal);
    }

    public String uid(int ordinal) {
        return claims(ordinal).get().getMetadata().getUid();
    }

    public boolean isLost(int ordinal) {
        return phase("data-" + ring + "-" + ordinal).equals("Lost");
    }

    public static void deleteVolume(KubernetesClient kube, String namespace, String claim) {
        var volumes = kube.persistentVolumes();
        String name = kube.persistentVolumeClaims()
                .inNamespace(namespace)
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
    public Map<String, String> processesBut(int ordinal) {
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
