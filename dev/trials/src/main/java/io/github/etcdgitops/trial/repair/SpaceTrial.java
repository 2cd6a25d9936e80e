package io.github.etcdgitops.trial.repair;

import io.etcd.jetcd.ByteSequence;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Rings with a small quota, under the client, run out of space by what others overwrite; one run brings
/// each back to writing, and nothing that was acknowledged is gone. Where a document leaves it to people,
/// the ring stays as it is, and so does one of three of which a member is away. Of five it gets its room
/// meanwhile.
public final class SpaceTrial implements Trial {
    private static final long QUOTA = 64L << 20;
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final int BLOCK = 500_000;

    @Override
    public String name() {
        return "space";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        for (int size : bench.options().sizes()) {
            String ring = "space" + size;
            String prefix = "of" + size + ".";
            commit(bench, ring, size, "manual");
            bench.converge(ring, size);
            var load = bench.load(ring);
            try {
                overwrite(bench, ring);
                stays(bench, ring, "out of space");
                commit(bench, ring, size, "automatic");
                new MemberAway(bench, ring).during(1, size, () -> {
                    if (size < 5) {
                        stays(bench, ring, "Space is freed after this");
                    } else {
                        freed(bench, ring, load, figures, prefix + "freedWithOneAway");
                    }
                });
                if (size < 5) {
                    freed(bench, ring, load, figures, prefix + "freed");
                }
                bench.converge(ring, size);
            } finally {
                Bench.demandKept(load.stop(), figures, prefix);
            }
            bench.demandNothingToDo();
            TrialFailure.unlessSame("the members of " + ring, size, LiveRing.demandAlike(bench, ring));
            bench.git().remove("clusters/" + ring + ".yaml");
            bench.erase(ring);
        }
    }

    /// It is planned or said, and nothing is done.
    private static void stays(Bench bench, String name, String said) throws Exception {
        var ring = Plans.ring(bench.tool().planned("-o", "json").stdout(), bench.namespace(), name);
        TrialFailure.unless(Plans.findings(ring).contains(said), "nobody is told: " + ring);
        bench.tool().start("reconcile").exit();
        TrialFailure.unless(!written(bench, name), "the ring takes writes, although nobody has let room be made");
    }

    private static void freed(Bench bench, String ring, WriteLoad load, Figures figures, String what) throws Exception {
        figures.timed(what, () -> {
            allow(bench, ring);
            var run = bench.tool().start("reconcile");
            run.exit();
            UpgradesTrial.said(run, "FreeSpace");
        });
        writesAgain(load);
    }

    /// etcd 3.3 does not report how much of its file is in use, so there a person must allow it. An earlier approval
    /// may still hold.
    static void allow(Bench bench, String ring) throws Exception {
        if (bench.options().etcd().atLeast(3, 4, 0)) {
            return;
        }
        var approval = bench.tool().start("approve", "--by", "the trial", "--reason", "no room is left");
        if (approval.exit() == 0) {
            byte[] document = approval.stdout().getBytes(StandardCharsets.UTF_8);
            bench.git().commit("space of " + ring + " may be freed", Map.of("approvals/" + ring + ".yaml", document));
        }
    }

    private static void writesAgain(WriteLoad load) {
        long acknowledged = load.acknowledged();
        EtcdProcess.await("writes", LONG, () -> load.acknowledged() > acknowledged + 200);
    }

    /// One key, until there is no room for it any more.
    static void overwrite(Bench bench, String ring) {
        EtcdProcess.await("a ring that is out of space", LONG, () -> !written(bench, ring));
    }

    /// False where the ring refused the write for want of space.
    static boolean written(Bench bench, String ring) {
        var way = new Members(bench, ring).ways().getFirst();
        // Whoever has just read something here has signed in.
        LiveRing.revision(way);
        try (var client = way.client().retryMaxAttempts(0).build()) {
            client.getKVClient()
                    .put(ByteSequence.from("filler", StandardCharsets.UTF_8), ByteSequence.from(new byte[BLOCK]))
                    .get(10, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException e) {
            if (String.valueOf(e.getMessage()).contains("space exceeded")) {
                return false;
            }
            throw new TrialFailure("a write failed otherwise: " + e.getMessage());
        } catch (TimeoutException e) {
            throw new TrialFailure("a write was not answered: " + e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new TrialFailure("interrupted");
        }
    }

    static void commit(Bench bench, String ring, int size, String space) throws Exception {
        String more = "etcd:\n  quotaBackendBytes: " + QUOTA + "\nrepair:\n  space: " + space
                + "\nmaintenance:\n  keepRevisions: 100\n";
        bench.git()
                .commit(
                        ring + " makes room: " + space,
                        Map.of(
                                "clusters/" + ring + ".yaml",
                                bench.document(ring, size, bench.options().version(), more)));
    }
}
