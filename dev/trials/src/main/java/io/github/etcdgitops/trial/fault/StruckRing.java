package io.github.etcdgitops.trial.fault;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.watch.ToleranceWatch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// A ring under the client that faults strike in the midst of a change. Runs mend it afterwards, with what
/// plans ask for approved and what findings name typed, by somebody who knows nothing else.
public record StruckRing(Bench bench, String ring) {
    private static final int RUNS = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(12);
    private static final Pattern DELETE_CLAIM = Pattern.compile("delete pvc ([a-z0-9-]+)");
    private static final Pattern CLUSTER_ID = Pattern.compile("names the cluster ID ([0-9a-f]+)");
    private static final String REPAIRS = """
        repair:
          volumes: automatic
          members: automatic
          space: automatic
        """;

    public enum Fault {
        POD_KILLED,
        VOLUME_EMPTIED,
        VOLUME_LOST,
        MEMBER_REMOVED,
        NO_SPACE,
        RUN_KILLED;

        public boolean costsAMember() {
            return this == VOLUME_EMPTIED || this == VOLUME_LOST || this == MEMBER_REMOVED;
        }
    }

    /// When the ring was at full tolerance for good, since the fault, and how many runs had begun until
    /// there was nothing left to do.
    public record Mended(Duration full, int runs, boolean asked) {
        @Override
        public String toString() {
            return full.toSeconds() + " s, " + runs + " runs" + (asked ? ", somebody was asked" : "");
        }
    }

    public String file() {
        return "clusters/" + ring + ".yaml";
    }

    byte[] document(int size, String version) {
        return bench.document(ring, size, version, REPAIRS);
    }

    public void ask(int size, String version) throws Exception {
        bench.git().commit(ring + " has " + size + " of " + version, Map.of(file(), document(size, version)));
    }

    /// That many steps have ended, or the run has.
    public static void after(Run run, int steps) {
        EtcdProcess.await(steps + " steps", PATIENCE, () -> run.steps().size() >= steps || !run.isAlive());
    }

    public void strike(Run run, Fault fault, int ordinal) throws Exception {
        String pod = ring + "-" + ordinal;
        String named = bench.namespace() + "/" + pod;
        switch (fault) {
            case POD_KILLED -> bench.sandbox().make("kill-pod", named);
            case VOLUME_EMPTIED -> bench.sandbox().make("wipe-volume", named);
            case VOLUME_LOST -> bench.sandbox().make("lose-volume", named);
            case MEMBER_REMOVED -> removed(pod);
            case NO_SPACE -> new Members(bench, ring).alarm("ACTIVATE");
            case RUN_KILLED -> run.kill();
        }
    }

    private void removed(String pod) {
        var members = new Members(bench, ring);
        if (members.list().orElse(List.of()).stream().anyMatch(m -> m.name().equals(pod))) {
            members.remove(pod);
        }
    }

    /// Until there is nothing left to do.
    ///
    /// @param began the moment of the fault, by `System.nanoTime()`
    public Mended untilWhole(int size, String version, long began) throws Exception {
        boolean approved = false;
        try (var watch = new ToleranceWatch(new Members(bench, ring), size, version)) {
            for (int run = 1; run <= RUNS; run++) {
                var last = bench.tool().start("reconcile");
                last.exit();
                var plan = bench.tool().start("plan", "--detailed-exitcode", "-o", "json");
                if (plan.exit() == 0 && bench.isAtRest(ring, size) && watch.isFull()) {
                    return new Mended(Duration.ofNanos(watch.fullSince() - began), run, approved);
                }
                TrialFailure.unless(
                        run < RUNS,
                        ring + " is not whole after " + RUNS + " runs: "
                                + Plans.findings(Plans.ring(plan.stdout(), bench.namespace(), ring)) + " "
                                + last.tail());
                approved |= follow(plan.stdout());
            }
        }
        throw new IllegalStateException("the last run returns or fails");
    }

    /// Approves what waits, and types what the findings say.
    private boolean follow(String plan) throws Exception {
        var claims = DELETE_CLAIM.matcher(Plans.findings(Plans.ring(plan, bench.namespace(), ring)));
        boolean asked = false;
        while (claims.find()) {
            asked = true;
            bench.kube()
                    .persistentVolumeClaims()
                    .inNamespace(bench.namespace())
                    .withName(claims.group(1))
                    .delete();
        }
        var text = bench.tool().start("plan");
        text.exit();
        var lost = CLUSTER_ID.matcher(text.stdout());
        return lost.find() ? approved("--cluster-id", lost.group(1)) | asked : approved() | asked;
    }

    public String approvals() {
        return "approvals/" + ring + ".yaml";
    }

    /// By somebody who names the ring's cluster ID where a plan asks for that. Whether anything waited for
    /// it.
    public boolean approved(String... more) throws Exception {
        var words = new ArrayList<>(List.of("--by", "the trial", "--reason", "second faults"));
        words.addAll(List.of(more));
        var approval = bench.tool().start("approve", words.toArray(String[]::new));
        if (approval.exit() != 0 || approval.stdout().isBlank()) {
            return false;
        }
        bench.git()
                .commit("Approve " + ring, Map.of(approvals(), approval.stdout().getBytes(StandardCharsets.UTF_8)));
        return true;
    }
}
