package io.github.etcdgitops.trial;

import io.github.etcdgitops.it.EtcdProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;

/// Two faults in the midst of a change, at moments by chance, of rings under the client: some runs later each
/// ring has all that it should have, with what plans ask for approved and typed by somebody who knows nothing
/// else.
final class TwoFaultsTrial implements Trial {
    private static final int RUNS = 10;
    private static final Pattern DELETE_CLAIM = Pattern.compile("delete pvc ([a-z0-9-]+)");
    private static final String REPAIRS = """
        repair:
          volumes: automatic
          members: automatic
          space: automatic
        """;

    private enum Change {
        GROWTH(3, 5, false),
        SHRINKING(5, 3, false),
        UPGRADE_OF_3(3, 3, true),
        UPGRADE_OF_5(5, 5, true);

        private final int from;
        private final int to;
        private final boolean upgrade;

        Change(int from, int to, boolean upgrade) {
            this.from = from;
            this.to = to;
            this.upgrade = upgrade;
        }

        /// Voters without which it goes on, all the time.
        int spare() {
            return (Math.min(from, to) - 1) / 2;
        }
    }

    private enum Fault {
        POD_KILLED,
        VOLUME_EMPTIED,
        VOLUME_LOST,
        MEMBER_REMOVED,
        NO_SPACE,
        RUN_KILLED;

        boolean costsAMember() {
            return this == VOLUME_EMPTIED || this == VOLUME_LOST || this == MEMBER_REMOVED;
        }
    }

    private record Strike(Fault fault, int ordinal, int steps) {}

    @Override
    public String name() {
        return "two-faults";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        long seed = bench.options().seed();
        var random = new Random(seed);
        figures.put("seed", seed);
        var told = new ArrayList<String>();
        for (int play = 0; play < bench.options().kills(); play++) {
            var change = Change.values()[play % Change.values().length];
            var first = strike(random, change, 0);
            var second = strike(random, change, first.fault().costsAMember() ? 1 : 0);
            String what = change + ": " + first + ", " + second;
            try {
                told.add(what + ": " + new Play(bench, "two-" + play, change).seconds(first, second) + " s");
            } finally {
                figures.put("plays", told);
                figures.put("last", what);
            }
        }
    }

    private static Strike strike(Random random, Change change, int costly) {
        while (true) {
            var fault = Fault.values()[random.nextInt(Fault.values().length)];
            int steps = 1 + random.nextInt(16);
            if (!fault.costsAMember() || costly < change.spare()) {
                return new Strike(fault, random.nextInt(change.from), steps);
            }
        }
    }

    private record Play(Bench bench, String ring, Change change) {
        /// Until the ring is whole again, from the first fault on.
        long seconds(Strike first, Strike second) throws Exception {
            bench.git().commit("Found " + ring, Map.of(file(), document(change.from, false)));
            bench.converge(ring, change.from);
            var load = bench.load(ring);
            try {
                bench.git().commit("Change " + ring, Map.of(file(), document(change.to, change.upgrade)));
                var run = bench.tool().start("reconcile");
                after(run, first.steps());
                long began = System.nanoTime();
                strike(run, first);
                after(run, first.steps() + second.steps());
                strike(run, second);
                run.exit();
                untilWhole();
                return (System.nanoTime() - began) / 1_000_000_000;
            } finally {
                Bench.demandKept(load.stop(), new Figures(), "");
                bench.git().remove(file());
                bench.erase(ring);
            }
        }

        private String file() {
            return "clusters/" + ring + ".yaml";
        }

        private byte[] document(int size, boolean upgraded) {
            return bench.document(ring, size, upgraded ? "3.5.30" : "3.5.16", REPAIRS);
        }

        /// That many steps have ended, or the run has.
        private static void after(Run run, int steps) {
            EtcdProcess.await(
                    steps + " steps", Duration.ofMinutes(12), () -> run.steps().size() >= steps || !run.isAlive());
        }

        private void strike(Run run, Strike strike) throws Exception {
            String pod = ring + "-" + strike.ordinal();
            String named = bench.namespace() + "/" + pod;
            switch (strike.fault()) {
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

        private void untilWhole() throws Exception {
            for (int run = 1; run <= RUNS; run++) {
                var last = bench.tool().start("reconcile");
                last.exit();
                var plan = bench.tool().start("plan", "--detailed-exitcode", "-o", "json");
                if (plan.exit() == 0 && bench.isAtRest(ring, change.to)) {
                    return;
                }
                TrialFailure.unless(
                        run < RUNS,
                        ring + " is not whole after " + RUNS + " runs: "
                                + Plans.findings(Plans.ring(plan.stdout(), bench.namespace(), ring)) + " "
                                + last.tail());
                follow(plan.stdout());
            }
        }

        /// Approves what waits, and types what the findings say.
        private void follow(String plan) throws Exception {
            var claims = DELETE_CLAIM.matcher(Plans.findings(Plans.ring(plan, bench.namespace(), ring)));
            while (claims.find()) {
                bench.kube()
                        .persistentVolumeClaims()
                        .inNamespace(bench.namespace())
                        .withName(claims.group(1))
                        .delete();
            }
            var approval = bench.tool().start("approve", "--by", "the trial", "--reason", "two faults");
            if (approval.exit() == 0 && !approval.stdout().isBlank()) {
                bench.git()
                        .commit(
                                "Approve " + ring,
                                Map.of(
                                        "approvals/" + ring + ".yaml",
                                        approval.stdout().getBytes(StandardCharsets.UTF_8)));
            }
        }
    }
}
