package io.github.etcdgitops.trial.repair;

import io.fabric8.kubernetes.api.model.Pod;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.WriteLoad;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.UpgradesTrial;
import io.github.etcdgitops.trial.fault.VolumeLoss;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// Rings under the client on local volumes, each member on a machine of its own, lose machines. One that is gone for
/// good takes its member's volume along: the member comes back elsewhere. One that stands still is no reason for
/// anything by itself; whoever asks for another member gets it, also while what ran there may go on. What comes back
/// with such a machine does not rejoin.
public final class MachinesTrial implements Trial {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String GONE_SOON = "repair: {volumes: automatic, machineGoneAfter: 1m}\n";

    @Override
    public String name() {
        return "machines";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        for (int size : bench.options().sizes()) {
            int machines = bench.kube().nodes().list().getItems().size();
            TrialFailure.unless(
                    machines >= size + 2,
                    machines + " machines are too few for a ring of " + size + ": sandbox up --nodes " + (size + 2));
            new Ring(bench, "homes" + size, size).run(figures, "of" + size + ".");
        }
    }

    private record Ring(Bench bench, String ring, int size) {
        void run(Figures figures, String prefix) throws Exception {
            String document = new String(
                            bench.document(ring, size, bench.options().version(), GONE_SOON), StandardCharsets.UTF_8)
                    .replace("    size: 1Gi\n", "    size: 1Gi\n    storageClassName: local\n");
            bench.git()
                    .commit(
                            ring + " has local volumes",
                            Map.of("clusters/" + ring + ".yaml", document.getBytes(StandardCharsets.UTF_8)));
            bench.converge(ring, size);
            var load = bench.load(ring);
            try {
                gone(figures, prefix);
                frozen(load, figures, prefix);
                tooMany(load);
            } finally {
                Bench.demandKept(load.stop(), figures, prefix);
            }
            bench.demandNothingToDo();
            TrialFailure.unlessSame("the members of " + ring, size, LiveRing.demandAlike(bench, ring));
            bench.git().remove("clusters/" + ring + ".yaml");
            bench.erase(ring);
        }

        /// Of five, two at once.
        private void gone(Figures figures, String prefix) throws Exception {
            var lost = size > 3 ? List.of(1, size - 1) : List.of(size - 1);
            var machines = lost.stream().map(this::machine).toList();
            var siblings = siblings(lost);
            var members = members();
            for (String machine : machines) {
                bench.sandbox().make("node-gone", machine);
            }
            said("machine-silent");
            bench.tool().start("reconcile").exit();
            TrialFailure.unlessSame("the members beside a silent machine", members, members());

            machines.forEach(machine -> bench.kube().nodes().withName(machine).delete());
            said("machine-gone");
            bench.tool().start("reconcile").exit();
            TrialFailure.unlessSame("the members of which a machine is gone for a moment", members, members());
            said("volume-lost");
            figures.timed(prefix + "replaced", () -> {
                UpgradesTrial.said(bench.tool().start("reconcile"), "ResetVolume");
                bench.converge(ring, size);
            });
            TrialFailure.unlessSame("the siblings' processes", siblings, siblings(lost));

            members = members();
            for (String machine : machines) {
                bench.sandbox().make("node-back", machine);
            }
            EtcdProcess.await(
                    "the end of what was on the disks",
                    LONG,
                    () -> machines.stream().noneMatch(this::hasVolume));
            bench.converge(ring, size);
            TrialFailure.unlessSame("the members once the disks of before are back", members, members());
        }

        /// Its process goes on for a while once the machine does, under the ID of the former member.
        private void frozen(WriteLoad load, Figures figures, String prefix) throws Exception {
            String machine = machine(1);
            var process = process(1);
            String former = id(1);
            // Whoever is away besides gets another pod on its machine, from Kubernetes.
            var away = size > 3 ? List.of(1, 3) : List.of(1);
            var siblings = siblings(away);
            bench.sandbox().make("node-frozen", machine);
            said("The pod's deletion was due at");
            bench.tool().start("reconcile").exit();
            TrialFailure.unlessSame("who is asked for by nobody", former, id(1));

            String document = ReplaceTrial.document(bench, ring, 1, former);
            if (size > 3) {
                withAnotherAway();
            }
            bench.tool().start("reconcile").exit();
            TrialFailure.unless(process.isAlive(), "the process of " + ring + "-1 does not stand still");
            byte[] approval = bench.tool()
                    .demand(0, "approve", "--by", "the trial", "--reason", "the machine is off, as far as we know")
                    .stdout()
                    .getBytes(StandardCharsets.UTF_8);
            bench.git().commit("the pod is let go", Map.of("approvals/" + ring + ".yaml", approval));
            figures.timed(prefix + "released", () -> {
                UpgradesTrial.said(bench.tool().start("reconcile"), "ReleasePod");
                bench.converge(ring, size);
            });
            TrialFailure.unless(!machine(1).equals(machine), "the new pod is on the machine that stands still");
            TrialFailure.unlessSame("the siblings' processes", siblings, siblings(away));

            var members = members();
            TrialFailure.unless(process.isAlive(), "the process of before does not stand still any more");
            bench.sandbox().make("node-back", machine);
            EtcdProcess.await("the end of the process of before", LONG, () -> !process.isAlive());
            long acknowledged = load.acknowledged();
            EtcdProcess.await("writes", LONG, () -> load.acknowledged() > acknowledged + 200);
            bench.git().remove("approvals/" + ring + ".yaml");
            bench.git().remove(document);
            bench.converge(ring, size);
            TrialFailure.unlessSame("the members once the former goes on", members, members());
        }

        /// The former may go, since three of four answer then; its successor has to wait.
        private void withAnotherAway() throws Exception {
            String other = machine(3);
            String pod = uid(1);
            bench.sandbox().make("node-frozen", other);
            said(other + " of " + ring + "-3 has not reported");
            for (int run = 0; run < 2; run++) {
                bench.tool().start("reconcile").exit();
            }
            TrialFailure.unless(new Members(bench, ring).voters().size() >= size - 1, "more than one member is gone");
            TrialFailure.unlessSame("the pod while another member is away", pod, uid(1));
            bench.sandbox().make("node-back", other);
            EtcdProcess.await(
                    "all but one", LONG, () -> new Members(bench, ring).ways().size() == size - 1);
        }

        /// A majority stands still: nothing is done, and the ring goes on with them.
        private void tooMany(WriteLoad load) throws Exception {
            var members = members();
            var processes = new VolumeLoss(bench, ring).processesBut(-1);
            var machines = new TreeSet<String>();
            for (int ordinal = 0; ordinal <= size / 2; ordinal++) {
                machines.add(machine(ordinal));
            }
            for (String machine : machines) {
                bench.sandbox().make("node-frozen", machine);
            }
            said("quorum-lost");
            for (int run = 0; run < 2; run++) {
                bench.tool().start("reconcile").exit();
            }
            for (String machine : machines) {
                bench.sandbox().make("node-back", machine);
            }
            EtcdProcess.await(
                    "all members", LONG, () -> new Members(bench, ring).ways().size() == size);
            long acknowledged = load.acknowledged();
            EtcdProcess.await("writes", LONG, () -> load.acknowledged() > acknowledged + 200);
            bench.converge(ring, size);
            TrialFailure.unlessSame("the members of which a majority stood still", members, members());
        }

        private void said(String words) {
            EtcdProcess.await(
                    "the plan to say '" + words + "'", LONG, () -> findings().contains(words));
        }

        private String findings() {
            try {
                var run = bench.tool().start("plan", "-o", "json");
                run.exit();
                return Plans.findings(Plans.ring(run.stdout(), bench.namespace(), ring));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private Pod pod(int ordinal) {
            return bench.kube()
                    .pods()
                    .inNamespace(bench.namespace())
                    .withName(ring + "-" + ordinal)
                    .get();
        }

        private String uid(int ordinal) {
            return pod(ordinal).getMetadata().getUid();
        }

        private String machine(int ordinal) {
            return pod(ordinal).getSpec().getNodeName();
        }

        private String id(int ordinal) {
            return ReplaceTrial.id(bench, ring, ordinal);
        }

        /// A container of the sandbox is a process of this machine.
        private ProcessHandle process(int ordinal) {
            String id =
                    pod(ordinal).getStatus().getContainerStatuses().getFirst().getContainerID();
            return ProcessHandle.of(Long.parseLong(id.replace("process://", "")))
                    .orElseThrow(() -> new TrialFailure("no process " + id));
        }

        private SortedSet<Members.Member> members() {
            return new TreeSet<>(new Members(bench, ring).list().orElse(List.of()));
        }

        private Map<String, String> siblings(List<Integer> lost) {
            var processes = new VolumeLoss(bench, ring).processesBut(lost.getFirst());
            lost.forEach(ordinal -> processes.remove(ring + "-" + ordinal));
            return processes;
        }

        private boolean hasVolume(String machine) {
            return bench.kube().persistentVolumes().list().getItems().stream()
                    .filter(volume -> volume.getSpec().getClaimRef() != null
                            && bench.namespace()
                                    .equals(volume.getSpec().getClaimRef().getNamespace()))
                    .anyMatch(volume ->
                            String.valueOf(volume.getSpec().getNodeAffinity()).contains("[" + machine + "]"));
        }
    }
}
