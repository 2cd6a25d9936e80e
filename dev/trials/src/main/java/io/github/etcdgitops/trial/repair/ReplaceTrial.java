package io.github.etcdgitops.trial.repair;

import io.fabric8.kubernetes.client.dsl.PodResource;
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
import io.github.etcdgitops.trial.fault.MemberAway;
import io.github.etcdgitops.trial.fault.SpoiltData;
import io.github.etcdgitops.trial.fault.VolumeLoss;
import io.github.etcdgitops.trial.watch.JournalTries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Rings under the client of which a member is good for nothing any more: one bit of its data is another
/// one, its container ends again and again, or a document names it. It gets a successor, and the disk of
/// before brings nobody back. Who still serves stays while another member is away.
public final class ReplaceTrial implements Trial {
    /// With a snapshot of its own a member knows its peers when it starts, so that etcd compares its data
    /// with theirs; from 3.6 on it always does.
    private static final int LOOKS = 4;
    private static final String BY_ITSELF = """
        etcd:
          snapshotCount: 1000
        repair:
          members: automatic
        """;
    private static final Duration LONG = Duration.ofMinutes(6);
    private static final int PODS = 3;

    /// Whether etcd compares compacted data. Older versions do not notice in a ring at rest that data differs.
    private static boolean compares(Bench bench) {
        return bench.options().etcd().atLeast(3, 5, 5);
    }

    @Override
    public String name() {
        return "replace";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.tool().environment("ETCD_GITOPS_IMAGE", bench.options().image().orElse("etcd-gitops:sandbox"));
        for (int size : bench.options().sizes()) {
            String ring = "spoilt" + size;
            String prefix = "of" + size + ".";
            VolumesTrial.commit(
                    bench, ring, size, (compares(bench) ? "features: {CompactHashCheck: true}\n" : "") + BY_ITSELF);
            bench.converge(ring, size);
            var load = bench.load(ring);
            try {
                if (compares(bench)) {
                    differs(bench, ring, size, load, figures, prefix);
                }
                ends(bench, ring, size, figures, prefix);
                named(bench, ring, size);
                away(bench, ring, size);
            } finally {
                Bench.demandKept(load.stop(), figures, prefix);
            }
            bench.demandNothingToDo();
            TrialFailure.unlessSame("the members of " + ring, size, LiveRing.demandAlike(bench, ring));
            bench.git().remove("clusters/" + ring + ".yaml");
            bench.erase(ring);
        }
    }

    /// Nobody writes from the alarm until the member is out of the ring.
    private static void differs(Bench bench, String ring, int size, WriteLoad load, Figures figures, String prefix)
            throws Exception {
        int ordinal = size - 1;
        var former = id(bench, ring, ordinal);
        new SpoiltData(bench, ring).flip(ordinal);
        EtcdProcess.await(
                "the plan to name it",
                LONG,
                () -> findings(bench, ring).contains("the data of " + ring + "-" + ordinal + " differs"));
        beside(bench, ring, 1, List.of());
        var siblings = new VolumeLoss(bench, ring).processesBut(ordinal);
        figures.timed(prefix + "differs", () -> demandReplaced(bench, ring, ordinal, former, "ReplaceMember"));
        long acknowledged = load.acknowledged();
        EtcdProcess.await("writes", LONG, () -> load.acknowledged() > acknowledged + 200);
        bench.converge(ring, size);
        TrialFailure.unlessSame("the siblings' processes", siblings, new VolumeLoss(bench, ring).processesBut(ordinal));
        TrialFailure.unlessSame("the members", size, LiveRing.demandAlike(bench, ring));
    }

    /// Three other pods are of no help.
    private static void ends(Bench bench, String ring, int size, Figures figures, String prefix) throws Exception {
        var tries = new JournalTries(bench, ring);
        var loss = new VolumeLoss(bench, ring);
        var former = id(bench, ring, 0);
        var siblings = loss.processesBut(0);
        tries.forget();
        new SpoiltData(bench, ring).spoil(0);
        for (int number = 1; number <= PODS; number++) {
            String uid = failing(bench, loss, 0);
            UpgradesTrial.said(bench.tool().demand(0, "reconcile"), "pod number " + number + " ");
            EtcdProcess.await("another pod", LONG, () -> !uid(bench, ring, 0).equals(uid));
            failing(bench, loss, 0);
            bench.tool().start("reconcile").exit();
            TrialFailure.unlessSame("who is counted once is not replaced yet", former, id(bench, ring, 0));
            tries.age();
        }
        TrialFailure.unlessSame("the siblings' processes", siblings, loss.processesBut(0));
        beside(bench, ring, size - 1, size > 3 ? List.of(ring + "-0") : List.of());
        tries.age();
        var others = loss.processesBut(0);
        figures.timed(prefix + "ends", () -> demandReplaced(bench, ring, 0, former, "ReplaceMember"));
        bench.converge(ring, size);
        TrialFailure.unlessSame("the siblings' processes", others, loss.processesBut(0));
    }

    /// What is on the disk of before is put on the new one: nothing starts on it.
    private static void named(Bench bench, String ring, int size) throws Exception {
        var former = id(bench, ring, 1);
        var data = new SpoiltData(bench, ring);
        var kept = bench.folder().resolve("former-" + ring);
        copy(data.directories(1).getFirst(), kept);
        String name = document(bench, ring, 1, former);
        demandReplaced(bench, ring, 1, former, "ReplaceMember");
        bench.converge(ring, size);
        bench.git().remove(name);
        String successor = id(bench, ring, 1);
        copy(kept, data.volume(1).resolve(kept.getFileName()));
        String uid = uid(bench, ring, 1);
        pod(bench, ring, 1).delete();
        EtcdProcess.await("another pod", LONG, () -> !uid(bench, ring, 1).equals(uid));
        bench.converge(ring, size);
        EtcdProcess.await(
                "all members", LONG, () -> new Members(bench, ring).ways().size() == size);
        TrialFailure.unlessSame("the member after its former's data came back", successor, id(bench, ring, 1));
        TrialFailure.unlessSame("the members", size, LiveRing.demandAlike(bench, ring));
    }

    /// Nobody joins while another member is away, and nobody leaves but `mayGo`, who is of no use to anybody.
    private static void beside(Bench bench, String ring, int other, List<String> mayGo) throws Exception {
        var before = new Members(bench, ring).list().orElseThrow();
        new MemberAway(bench, ring).without(other, () -> {
            for (int run = 0; run < 2; run++) {
                bench.tool().start("reconcile").exit();
            }
            var left = new Members(bench, ring).list().orElseThrow();
            var gone = before.stream()
                    .filter(member -> !left.contains(member))
                    .map(Members.Member::name)
                    .toList();
            TrialFailure.unless(mayGo.containsAll(gone), "members left while another one was away: " + gone);
            TrialFailure.unless(left.size() + gone.size() == before.size(), "somebody joined while a member was away");
        });
        started(bench, ring, other);
    }

    /// While another one differs, etcd's check at the start ends it.
    private static void started(Bench bench, String ring, int ordinal) throws Exception {
        var member = new MemberAway(bench, ring);
        var loss = new VolumeLoss(bench, ring);
        EtcdProcess.await(
                "the member that was away, or its end",
                LONG,
                () -> member.serves(ordinal) || loss.restarts(ordinal) >= 3);
        if (!member.serves(ordinal)) {
            // The kubelet may start the member again while its volume is looked into.
            for (int run = 1; run <= LOOKS && !member.serves(ordinal); run++) {
                UpgradesTrial.said(bench.tool().demand(0, "reconcile"), "StartUnchecked");
            }
            EtcdProcess.await("the member without the check", LONG, () -> member.serves(ordinal));
        }
    }

    private static void away(Bench bench, String ring, int size) throws Exception {
        int ordinal = size - 1;
        var former = id(bench, ring, ordinal);
        String name = document(bench, ring, ordinal, former);
        new MemberAway(bench, ring).during(1, size, () -> {
            var run = bench.tool().start("reconcile");
            run.exit();
            UpgradesTrial.said(
                    run,
                    size > 3
                            ? "etcd adds no member while " + ring + "-1 does not answer"
                            : "only 1 of 2 voters would be healthy");
            TrialFailure.unlessSame(
                    "the members of " + ring,
                    size,
                    new Members(bench, ring).voters().size());
        });
        bench.converge(ring, size);
        TrialFailure.unless(!id(bench, ring, ordinal).equals(former), "it was not replaced once all were there");
        bench.git().remove(name);
    }

    static String document(Bench bench, String ring, int ordinal, String id) throws Exception {
        String name = "clusters/" + ring + "-" + ordinal + "-goes.yaml";
        bench.git().commit(ring + "-" + ordinal + " is to be replaced", Map.of(name, """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: MemberReplacement
            metadata:
              name: %s-%d-goes
            spec:
              cluster: {namespace: %s, name: %s}
              ordinal: %d
              memberId: "%s"
              reason: the trial wants it
            """.formatted(
                        ring, ordinal, bench.namespace(), ring, ordinal, id)
                .getBytes(StandardCharsets.UTF_8)));
        return name;
    }

    private static void demandReplaced(Bench bench, String ring, int ordinal, String former, String kind)
            throws Exception {
        UpgradesTrial.said(bench.tool().demand(0, "reconcile"), kind);
        TrialFailure.unless(!id(bench, ring, ordinal).equals(former), ring + "-" + ordinal + " is the same member");
    }

    private static String findings(Bench bench, String ring) {
        try {
            var run = bench.tool().start("plan", "-o", "json");
            run.exit();
            return Plans.findings(Plans.ring(run.stdout(), bench.namespace(), ring));
        } catch (IOException e) {
            throw new TrialFailure("no plan: " + e.getMessage());
        }
    }

    /// Waits until its container has ended often enough. The pod's UID.
    private static String failing(Bench bench, VolumeLoss loss, int ordinal) {
        EtcdProcess.await("a member that ends again and again", LONG, () -> loss.restarts(ordinal) >= 3);
        return uid(bench, loss.ring(), ordinal);
    }

    private static PodResource pod(Bench bench, String ring, int ordinal) {
        return bench.kube().pods().inNamespace(bench.namespace()).withName(ring + "-" + ordinal);
    }

    private static String uid(Bench bench, String ring, int ordinal) {
        var pod = pod(bench, ring, ordinal).get();
        return pod == null ? "" : pod.getMetadata().getUid();
    }

    /// As etcdctl prints it.
    static String id(Bench bench, String ring, int ordinal) {
        return new Members(bench, ring)
                .list().orElse(List.of()).stream()
                        .filter(m -> m.name().equals(ring + "-" + ordinal))
                        .findFirst()
                        .map(m -> Long.toHexString(Long.parseUnsignedLong(m.id())))
                        .orElseThrow(() -> new TrialFailure(ring + "-" + ordinal + " is no member"));
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(folder).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
