package io.github.etcdgitops.trial.bench;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// By what a ring that was left alone is known: its processes are those that were there, with the same
/// members and the same revision, and nobody wrote its StatefulSet or its journal.
public record RingMark(Map<String, String> processes, String members, long revision, String objects) {
    public static RingMark of(Bench bench, String ring) {
        var members = new Members(bench, ring);
        var processes = new TreeMap<String, String>();
        members.pods()
                .forEach(pod -> pod.getStatus()
                        .getContainerStatuses()
                        .forEach(c -> processes.put(
                                pod.getMetadata().getName(),
                                pod.getMetadata().getUid() + " started "
                                        + c.getState().getRunning().getStartedAt() + " restarts "
                                        + c.getRestartCount())));
        var set = bench.kube()
                .apps()
                .statefulSets()
                .inNamespace(bench.namespace())
                .withName(ring)
                .get();
        var journal = bench.kube()
                .configMaps()
                .inNamespace(bench.namespace())
                .withName(ring + "-journal")
                .get();
        return new RingMark(
                processes,
                members.list().map(TreeSet::new).map(TreeSet::toString).orElse("no answer"),
                LiveRing.revision(members.ways().getFirst()),
                set.getMetadata().getGeneration() + " " + journal.getMetadata().getResourceVersion());
    }

    public void demandUnchanged(Bench bench, String ring, String after) {
        var now = of(bench, ring);
        TrialFailure.unless(now.equals(this), "the ring was touched after " + after + ": " + this + ", now " + now);
    }
}
