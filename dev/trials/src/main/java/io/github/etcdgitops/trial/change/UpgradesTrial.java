package io.github.etcdgitops.trial.change;

import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// From 3.3 over 3.4 to the newest 3.5 by one commit, from there over 3.6 to 3.7 and back, and from 3.4 to 3.7 at
/// once where these are at hand, under a client that also watches and keeps a lease; beside it what `kubectl
/// rollout restart` does to an equal ring. An image that cannot be pulled, a version that must not run, and one
/// that lies behind.
public final class UpgradesTrial implements Trial {
    private static final List<String> VIA = List.of("3.4.23", "3.5.16");
    private static final String LAST = "3.5.30";

    /// `name` is the beginning of the rings' names.
    private record Route(String name, boolean secured, String first, List<String> via, String last) {
        private static final Route OLD = new Route("up", false, "3.3.25", VIA, LAST);

        /// Without roles there are no users: etcd-gitops makes them from 3.4 on.
        private static final Route OLD_WITH_USERS = new Route("up", false, "3.4.23", VIA.subList(1, 2), LAST);

        private static final Route TODAY = new Route("today", false, LAST, List.of("3.6.14"), "3.7.1");
        /// What members of 3.4 leave in the log is in the way of 3.6.
        private static final Route PAST =
                new Route("past", false, "3.4.23", List.of("3.5.16", "3.5.33", "3.6.14"), "3.7.1");
        private static final Route PAST_SECURED = new Route("past-tls", true, PAST.first, PAST.via, PAST.last);

        /// No registry that trials know has 3.6 and 3.7.
        static List<Route> of(Bench bench) {
            var old = bench.options().users() ? OLD_WITH_USERS : OLD;
            return Stream.of(old, TODAY, PAST, PAST_SECURED)
                    .filter(route -> route == old || (bench.options().sandbox().isPresent() && route.atHand()))
                    .filter(route -> !route.secured() || !bench.options().quick())
                    .toList();
        }

        byte[] document(Bench bench, String ring, int size, String version) {
            String more = (secured ? TlsTrial.BOTH_MUTUAL : "") + "rollout:\n  via: [\"" + String.join("\", \"", via)
                    + "\"]\n";
            return bench.document(ring, size, version, more);
        }

        void commit(Bench bench, String ring, int size, String version) throws Exception {
            bench.git()
                    .commit(
                            ring + " is to run " + version,
                            Map.of("clusters/" + ring + ".yaml", document(bench, ring, size, version)));
        }

        private boolean atHand() {
            return Stream.concat(Stream.of(first, last), via.stream())
                    .allMatch(version -> EtcdBinaries.find(version).isPresent());
        }

        boolean returns() {
            return this == TODAY;
        }

        int restarts() {
            return via.size() + 1;
        }
    }

    @Override
    public String name() {
        return "upgrades";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        for (int size : bench.options().sizes()) {
            for (var route : Route.of(bench)) {
                String prefix = route.name() + size + ".";
                double restart = restart(bench, route, size, figures, prefix + "kubectl.");
                double upgrade = upgrade(bench, route, size, figures, prefix);
                figures.put(prefix + "shareOfTime", Math.round(upgrade / restart * 100) / 100.0);
            }
        }
        refusals(bench, figures);
    }

    private static long upgrade(Bench bench, Route route, int size, Figures figures, String prefix) throws Exception {
        String ring = route.name() + size;
        route.commit(bench, ring, size, route.first());
        bench.converge(ring, size);
        long millis = change(bench, route, size, route.last(), figures, prefix);
        if (route.returns()) {
            change(bench, route, size, route.first(), figures, prefix + "back.");
        }
        return millis;
    }

    private static long change(Bench bench, Route route, int size, String to, Figures figures, String prefix)
            throws Exception {
        String ring = route.name() + size;
        var watch = new RingWatch(bench, ring, true);
        var client = bench.watchedLoad(ring, route.secured());
        long millis;
        try {
            route.commit(bench, ring, size, to);
            figures.put(prefix + "beganMillis", client.load().runningMillis());
            var run = bench.tool().demand(0, "reconcile");
            millis = workMillis(run);
            figures.put(prefix + "steps", steps(run));
            figures.put(prefix + "verified", verified(run));
        } finally {
            Bench.demand(client.stop(), figures, prefix);
            watch.demand(figures, prefix);
        }
        figures.put(prefix + "millis", millis);
        bench.demandNothingToDo();
        demandAlike(bench, ring, size);
        return millis;
    }

    /// From the beginning of the first step to the end of the last, without the wait for etcd to raise
    /// the ring's version: what the run does before and after is the same whatever it does to rings.
    static long workMillis(Run run) {
        var steps = run.steps();
        long waited = steps.stream()
                .filter(s -> s.path("step").asText().equals("AwaitClusterVersion"))
                .mapToLong(s -> s.path("millis").asLong())
                .sum();
        var began = Instant.parse(steps.getFirst().path("time").asText());
        var last = steps.getLast();
        return Duration.between(began, Instant.parse(last.path("time").asText()))
                        .toMillis()
                + last.path("millis").asLong()
                - waited;
    }

    static List<String> steps(Run run) {
        return run.steps().stream()
                .map(s -> s.path("time").asText().substring(11, 23) + " "
                        + s.path("step").asText() + " " + s.path("millis").asLong())
                .toList();
    }

    /// What each member was found to be once it was back: version, ID, and whose data it shares.
    private static List<String> verified(Run run) {
        return run.steps().stream()
                .filter(s -> List.of("AwaitRolled", "CompareMember", "AwaitClusterVersion")
                        .contains(s.path("step").asText()))
                .map(s -> s.path("step").asText() + ": " + s.path("detail").asText())
                .toList();
    }

    private static long restart(Bench bench, Route route, int size, Figures figures, String prefix) throws Exception {
        String ring = "equal-" + route.name() + size;
        route.commit(bench, ring, size, route.last());
        bench.converge(ring, size);
        // As many restarts as the upgrade makes.
        return new KubectlRestart(bench, ring, size, route.secured())
                .times(route.restarts(), figures, prefix)
                .millis();
    }

    private static void demandAlike(Bench bench, String ring, int size) {
        TrialFailure.unlessSame("the members of " + ring, size, LiveRing.demandAlike(bench, ring));
    }

    /// None of it costs a write, and the ring can be upgraded as it should be afterwards.
    private static void refusals(Bench bench, Figures figures) throws Exception {
        String ring = "refused";
        commit(bench, ring, 3, VIA.getLast(), "");
        bench.converge(ring, 3);
        var watch = new RingWatch(bench, ring, true);
        var client = bench.watchedLoad(ring);
        try {
            commit(bench, ring, 3, "3.5.1", "");
            said(bench.tool().demand(10, "plan"), "can leave members with different data");
            commit(bench, ring, 3, VIA.getFirst(), "");
            said(bench.tool().demand(10, "reconcile"), "cannot be downgraded");
            long began = System.nanoTime();
            commit(bench, ring, 3, "3.5.29", "");
            var stuck = bench.tool().start("reconcile");
            TrialFailure.unless(stuck.exit() == 20, "an image that is not there ended with " + stuck.exit());
            said(stuck, "ImagePullBackOff");
            TrialFailure.unless(new Members(bench, ring).voters().size() == 3, "the ring has other voters");
            bench.tool().demand(0, "reconcile");
            said(bench.tool().planned(), "was started and taken back");
            figures.put("backedOutMillis", millis(began));
            commit(bench, ring, 3, LAST, "");
            bench.tool().demand(0, "reconcile");
        } finally {
            Bench.demand(client.stop(), figures, "refused.");
            watch.demand(figures, "refused.");
        }
        demandAlike(bench, ring, 3);
    }

    /// By the end of the run.
    public static void said(Run run, String text) throws Exception {
        run.exit();
        String all = run.stdout() + run.stderr();
        TrialFailure.unless(all.contains(text), "not said: " + text + "; but " + run.tail());
    }

    public static void commit(Bench bench, String ring, int size, String version, String more) throws Exception {
        bench.git()
                .commit(
                        ring + " is to run " + version,
                        Map.of("clusters/" + ring + ".yaml", bench.document(ring, size, version, more)));
    }

    private static long millis(long began) {
        return (System.nanoTime() - began) / 1_000_000;
    }
}
