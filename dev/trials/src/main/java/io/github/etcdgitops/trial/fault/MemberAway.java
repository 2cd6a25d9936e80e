package io.github.etcdgitops.trial.fault;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Members;
import java.time.Duration;

/// A member that is away for a while: its pod is gone, and the next one finds no machine.
public record MemberAway(Bench bench, String ring) {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /// The ring of `size` members is whole again afterwards.
    public void during(int ordinal, int size, Figures.Act meanwhile) throws Exception {
        without(ordinal, meanwhile);
        EtcdProcess.await("the member that was away", PATIENCE, () -> answering() == size && ready() == size);
    }

    /// It may come back afterwards.
    public void without(int ordinal, Figures.Act meanwhile) throws Exception {
        cordon(bench, true);
        try {
            bench.kube()
                    .pods()
                    .inNamespace(bench.namespace())
                    .withName(ring + "-" + ordinal)
                    .delete();
            EtcdProcess.await("a member that is away", PATIENCE, () -> !serves(ordinal));
            meanwhile.run();
        } finally {
            cordon(bench, false);
        }
    }

    public boolean serves(int ordinal) {
        var members = new Members(bench, ring);
        return members.pods().stream()
                .filter(pod -> pod.getMetadata().getName().equals(ring + "-" + ordinal))
                .map(pod -> pod.getStatus().getPodIP())
                .anyMatch(ip -> ip != null && members.list(ip).isPresent());
    }

    private int answering() {
        return new Members(bench, ring).ways().size();
    }

    private long ready() {
        return new Members(bench, ring)
                .pods().stream().filter(Readiness::isPodReady).count();
    }

    public static void cordon(Bench bench, boolean closed) {
        bench.kube()
                .nodes()
                .list()
                .getItems()
                .forEach(node -> cordon(bench, node.getMetadata().getName(), closed));
    }

    public static void cordon(Bench bench, String node, boolean closed) {
        bench.kube()
                .nodes()
                .withName(node)
                .edit(n -> new NodeBuilder(n)
                        .editOrNewSpec()
                        .withUnschedulable(closed)
                        .endSpec()
                        .build());
    }
}
