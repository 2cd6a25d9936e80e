package io.github.etcdgitops.pipeline.shard;

import io.github.etcdgitops.execute.lease.Pause;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.gateway.ShardBoard;
import io.github.etcdgitops.gateway.ShardBoard.Post;
import io.github.etcdgitops.pipeline.Reconciliation;
import io.github.etcdgitops.pipeline.Reconciliation.Ran;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.RingRun;
import io.github.etcdgitops.report.RunJson;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// A run by several processes at once, each for its share of the rings. The leader publishes the plan of
/// the whole environment before anybody does anything, and one report when all have ended.
public final class ShardedRun {
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final Reconciliation reconciliation;
    private final Surroundings surroundings;
    private final Shard shard;
    private final String runId;

    public record Surroundings(ShardBoard board, Pause pause, InstantSource clock, Patience patience) {}

    /// How long the others wait for the leader's plan, and the leader for all of them once its own share
    /// is done.
    public record Patience(Duration plan, Duration ends) {}

    public ShardedRun(Reconciliation reconciliation, Surroundings surroundings, Shard shard, String runId) {
        this.reconciliation = reconciliation;
        this.surroundings = surroundings;
        this.shard = shard;
        this.runId = runId;
    }

    /// What this process did on which commit, and which others had not ended in time: only the leader
    /// waits for them.
    public record Shared(String commit, Ran ran, List<Integer> missing) {
        public Shared {
            missing = List.copyOf(missing);
        }
    }

    /// The leader's part. Rings without a document are nobody else's. `accepted` throws where nothing may be done on
    /// this commit: the others go by it, and are told.
    public Shared lead(
            Supplier<DesiredState> accepted,
            String environment,
            String commit,
            Function<List<Outcome>, String> exitName) {
        var published = published(accepted, environment, commit);
        var desired = published.desired();
        var plan = published.plan();
        var results = reconciliation.execute(
                desired,
                plan,
                mine(desired, environment).or(ref -> !desired.rings().containsKey(ref)),
                runId);
        var rings = new ArrayList<>(results.stream().map(RingRun::of).toList());
        var missing = gather(environment, rings);
        if (rings.stream().allMatch(r -> r.outcome() == Outcome.NOTHING)) {
            return new Shared(commit, new Ran(plan, results, plan), missing);
        }
        var after = reconciliation.after(desired, plan);
        var outcomes = new ArrayList<>(rings.stream().map(RingRun::outcome).toList());
        // As far as anybody knows, whoever is missing is still busy.
        outcomes.addAll(Collections.nCopies(missing.size(), Outcome.BUSY));
        var run = new RunJson.Run(runId, commit, PlanJson.hash(plan), exitName.apply(outcomes), rings);
        reconciliation.report().ifPresent(r -> r.result(after, run));
        return new Shared(commit, new Ran(plan, results, after), missing);
    }

    private record Published(DesiredState desired, FleetPlan plan) {}

    private Published published(Supplier<DesiredState> accepted, String environment, String commit) {
        try {
            var desired = accepted.get();
            reconciliation.requireKubernetes(environment);
            var plan = reconciliation.view().plan(desired, environment);
            reconciliation.report().ifPresent(r -> r.plan(plan, commit, runId));
            post(environment, ShardWord.Published.of(commit, plan));
            return new Published(desired, plan);
        } catch (RuntimeException e) {
            try {
                post(environment, ShardWord.NoPlan.because(e));
            } catch (RuntimeException alsoThis) {
                e.addSuppressed(alsoThis);
            }
            throw e;
        }
    }

    /// Adds what the others did; returns those that did not say so in time.
    private List<Integer> gather(String environment, List<RingRun> rings) {
        var end = surroundings.clock().instant().plus(surroundings.patience().ends());
        var missing = new ArrayList<Integer>();
        for (int other = 1; other < shard.count(); other++) {
            if (await(environment, other, end).orElse(null) instanceof ShardWord.Ended(var theirs)) {
                rings.addAll(theirs);
            } else {
                missing.add(other);
            }
        }
        return missing;
    }

    /// The part of any other: what was published and concerns its rings. `desiredAt` reads the leader's
    /// commit, which is everybody's: the branch may have moved since.
    public Shared follow(
            String environment, Function<String, DesiredState> desiredAt, Function<List<Outcome>, String> exitName) {
        var published = awaitPlan(environment);
        var desired = desiredAt.apply(published.commit());
        var mine = mine(desired, environment);
        var turns = published.turns();
        var plan = reconciliation.view().part(desired, environment, mine, turns);
        var results = new ArrayList<>(
                reconciliation.execute(desired, plan, ref -> mine.test(ref) && published.covers(of(plan, ref)), runId));
        plan.clusters().stream()
                .filter(c -> !published.covers(c))
                .forEach(c -> results.add(ClusterResult.of(
                        c.ref(),
                        Outcome.STALE,
                        "the ring changed since the plan was published. The next run plans again")));
        post(environment, new ShardWord.Ended(results.stream().map(RingRun::of).toList()));
        var after = reconciliation.ending().isPresent()
                ? plan
                : reconciliation.view().part(desired, environment, mine, turns);
        return new Shared(published.commit(), new Ran(plan, results, after), List.of());
    }

    private static ClusterPlan of(FleetPlan plan, ClusterRef ref) {
        return plan.clusters().stream()
                .filter(c -> c.ref().equals(ref))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the planner left out " + ref));
    }

    private Predicate<ClusterRef> mine(DesiredState desired, String environment) {
        var assigned = Shard.assign(Environments.rings(desired, environment), shard.count());
        return ref -> Integer.valueOf(shard.index()).equals(assigned.get(ref));
    }

    private void post(String environment, ShardWord word) {
        surroundings.board().post(environment, shard.index(), new Post(runId, ShardWord.write(word)));
    }

    private ShardWord.Published awaitPlan(String environment) {
        var end = surroundings.clock().instant().plus(surroundings.patience().plan());
        var word = await(environment, 0, end)
                .orElseThrow(() -> new RunException(
                        RunException.Kind.TEMPORARY,
                        reconciliation
                                .ending()
                                .orElse("shard 0 of run " + runId + " published no plan within "
                                        + surroundings.patience().plan().toMinutes() + " minutes")));
        return switch (word) {
            case ShardWord.Published published -> published;
            case ShardWord.NoPlan noPlan ->
                throw new RunException(noPlan.kind(), "shard 0 of run " + runId + " has no plan: " + noPlan.why());
            case ShardWord.Ended _ -> throw ShardWord.unreadable();
        };
    }

    private Optional<ShardWord> await(String environment, int other, Instant end) {
        while (true) {
            var word = surroundings
                    .board()
                    .read(environment, other)
                    .filter(post -> post.run().equals(runId))
                    .map(post -> ShardWord.read(post.text()));
            if (word.isPresent()
                    || surroundings.clock().instant().isAfter(end)
                    || reconciliation.ending().isPresent()) {
                return word;
            }
            surroundings.pause().pass(BETWEEN_LOOKS);
        }
    }
}
