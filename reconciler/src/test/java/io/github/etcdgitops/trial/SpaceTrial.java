package io.github.etcdgitops.trial;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.WriteLoad;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A ring of three with a small quota, under the client, runs out of space by what others overwrite; one
/// run brings it back to writing, and nothing that was acknowledged is gone. Where a document leaves it
/// to people, the ring stays as it is.
final class SpaceTrial implements Trial {
    private static final String RING = "space";
    private static final long QUOTA = 64L << 20;
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final int BLOCK = 500_000;

    @Override
    public String name() {
        return "space";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        commit(bench, "manual");
        bench.converge(RING, 3);
        var load = bench.load(RING);
        try {
            overwrite(bench);
            waits(bench);
            commit(bench, "automatic");
            figures.timed("freed", () -> UpgradesTrial.said(bench.tool().demand(0, "reconcile"), "FreeSpace"));
            writesAgain(load);
        } finally {
            Bench.demandKept(load.stop(), figures, "");
        }
        bench.tool().demand(0, "plan", "--detailed-exitcode");
        TrialFailure.unlessSame("the members of " + RING, 3, LiveRing.demandAlike(bench, RING));
    }

    /// It is planned and said, and nothing is done.
    private static void waits(Bench bench) throws Exception {
        var ring = Plans.ring(bench.tool().demand(0, "plan", "-o", "json").stdout(), bench.namespace(), RING);
        TrialFailure.unless(Plans.findings(ring).contains("out of space"), "nobody is told: " + ring);
        bench.tool().start("reconcile").exit();
        TrialFailure.unless(!written(bench), "the ring takes writes, although nobody has let room be made");
    }

    private static void writesAgain(WriteLoad load) {
        long acknowledged = load.acknowledged();
        EtcdProcess.await("writes", LONG, () -> load.acknowledged() > acknowledged + 200);
    }

    /// One key, until there is no room for it any more.
    private static void overwrite(Bench bench) {
        EtcdProcess.await("a ring that is out of space", LONG, () -> !written(bench));
    }

    /// False where the ring refused the write for want of space.
    private static boolean written(Bench bench) {
        var way = new Members(bench, RING).ways().getFirst();
        try (var client = Client.builder()
                .endpoints("http://" + way.endpoint())
                .retryMaxAttempts(0)
                .build()) {
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

    private static void commit(Bench bench, String space) throws Exception {
        String more = "etcd:\n  quotaBackendBytes: " + QUOTA + "\nrepair:\n  space: " + space
                + "\nmaintenance:\n  keepRevisions: 100\n";
        bench.git()
                .commit(
                        RING + " makes room: " + space,
                        Map.of(
                                "clusters/" + RING + ".yaml",
                                bench.document(RING, 3, bench.options().version(), more)));
    }
}
