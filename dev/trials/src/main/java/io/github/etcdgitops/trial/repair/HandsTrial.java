package io.github.etcdgitops.trial.repair;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fault.VolumeLoss;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// Rings under the client to which somebody does things by hand: takes a member out, takes the StatefulSet
/// away from its pods, deletes it with its pods. Nothing is done about it before somebody has approved it,
/// and then the ring is what it was.
public final class HandsTrial implements Trial {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @Override
    public String name() {
        return "hands";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        for (int size : bench.options().sizes()) {
            new Ring(bench, "handled" + size, size).run(figures, "of" + size + ".");
        }
    }

    private record Ring(Bench bench, String ring, int size) {
        void run(Figures figures, String prefix) throws Exception {
            bench.bringTo(ring, size);
            var load = bench.load(ring);
            try {
                removed(figures, prefix);
                orphaned();
                deleted(figures, prefix);
                long acknowledged = load.acknowledged();
                EtcdProcess.await("writes", PATIENCE, () -> load.acknowledged() > acknowledged + 200);
            } finally {
                Bench.demandKept(load.stop(), figures, prefix);
            }
            TrialFailure.unlessSame("the members of " + ring, size, LiveRing.demandAlike(bench, ring));
            bench.git().remove("clusters/" + ring + ".yaml");
            bench.erase(ring);
        }

        private void removed(Figures figures, String prefix) throws Exception {
            int ordinal = 1;
            var siblings = new VolumeLoss(bench, ring).processesBut(ordinal);
            var members = members();
            new Members(bench, ring).remove(ring + "-" + ordinal);
            var left = members();
            TrialFailure.unlessSame("the members after one was removed", size - 1, left.size());
            heldAs("member-gap");
            TrialFailure.unlessSame("the members that nobody approved another of", left, members());

            approve();
            figures.timed(prefix + "filled", () -> bench.tool().demand(0, "reconcile"));
            bench.converge(ring, size);
            bench.git().remove("approvals/" + ring + ".yaml");

            TrialFailure.unless(members().containsAll(left), "other members than those that stayed");
            TrialFailure.unless(!members().equals(members), "the member that was removed is there");
            TrialFailure.unlessSame(
                    "the siblings' processes", siblings, new VolumeLoss(bench, ring).processesBut(ordinal));
        }

        /// Who did it brings it back as well.
        private void orphaned() throws Exception {
            var processes = new VolumeLoss(bench, ring).processesBut(-1);
            var kept = set().get();
            set().withPropagationPolicy(DeletionPropagation.ORPHAN).delete();
            EtcdProcess.await("the end of the StatefulSet", PATIENCE, () -> set().get() == null);
            heldAs("statefulset-missing");
            TrialFailure.unless(set().get() == null, "the StatefulSet was made anew around pods that run");
            bench.kube().resource(again(kept)).create();
            bench.converge(ring, size);
            TrialFailure.unlessSame("the processes", processes, new VolumeLoss(bench, ring).processesBut(-1));
        }

        private void deleted(Figures figures, String prefix) throws Exception {
            var members = members();
            set().withPropagationPolicy(DeletionPropagation.BACKGROUND).delete();
            EtcdProcess.await(
                    "the end of the pods",
                    PATIENCE,
                    () -> new Members(bench, ring).pods().isEmpty());
            heldAs("statefulset-missing");
            TrialFailure.unless(set().get() == null, "the StatefulSet was made anew unasked");

            approve();
            figures.timed(prefix + "startedAgain", () -> bench.tool().demand(0, "reconcile"));
            bench.converge(ring, size);
            bench.git().remove("approvals/" + ring + ".yaml");
            TrialFailure.unlessSame("the members of the ring that started again", members, members());
        }

        private void heldAs(String finding) throws Exception {
            bench.tool().start("reconcile").exit();
            var plan = bench.tool().start("plan", "-o", "json");
            plan.exit();
            String findings = Plans.findings(Plans.ring(plan.stdout(), bench.namespace(), ring));
            TrialFailure.unless(findings.contains(finding), "no " + finding + " in " + findings);
        }

        private void approve() throws Exception {
            byte[] approval = bench.tool()
                    .demand(0, "approve", "--by", "the trial", "--reason", "it was a mistake")
                    .stdout()
                    .getBytes(StandardCharsets.UTF_8);
            bench.git().commit(ring + " is to be as it was", Map.of("approvals/" + ring + ".yaml", approval));
        }

        private SortedSet<Members.Member> members() {
            return new TreeSet<>(new Members(bench, ring).list().orElse(List.of()));
        }

        private RollableScalableResource<StatefulSet> set() {
            return bench.kube()
                    .apps()
                    .statefulSets()
                    .inNamespace(bench.namespace())
                    .withName(ring);
        }

        private static StatefulSet again(StatefulSet kept) {
            return kept.edit()
                    .editMetadata()
                    .withUid(null)
                    .withResourceVersion(null)
                    .withCreationTimestamp(null)
                    .endMetadata()
                    .withStatus(null)
                    .build();
        }
    }
}
