package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.execute.ClusterResult;
import io.github.etcdgitops.execute.ClusterResult.Outcome;
import io.github.etcdgitops.execute.Pause;
import io.github.etcdgitops.gateway.ShardBoard;
import io.github.etcdgitops.gateway.ShardBoard.Post;
import io.github.etcdgitops.pipeline.Reconciliation.Ran;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.FleetPlan;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.RingRun;
import io.github.etcdgitops.report.RunJson;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.DesiredState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// A run by several processes at once, each for its share of the rings. The leader publishes the plan of the whole
/// environment before anybody does anything, and one report when all have ended.
public final class ShardedRun {
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final Reconciliation reconciliation;
    private final Surroundings surroundings;
    private final Shard shard;
    private final String runId;

    /// `patience` is how long one process waits for word of another; `ending` says why it shall not wait any longer, if
    /// so.
    public record Surroundings(
            ShardBoard board, Pause pause, InstantSource clock, Duration patience, Supplier<Optional<String>> ending) {}

    public ShardedRun(Reconciliation reconciliation, Surroundings surroundings, Shard shard, String runId) {
        this.reconciliation = reconciliation;
        this.surroundings = surroundings;
        this.shard = shard;
        this.runId = runId;
    }

    /// What this process did, and which others did not end in time: only the leader waits for them.
    public record Shared(Ran ran, List<Integer> missing) {
        public Shared {
            missing = List.copyOf(missing);
        }
    }

    /// The leader's part.
    public Shared lead(
            DesiredState desired, String environment, String commit, Function<List<ClusterResult>, String> exitName) {
        reconciliation.requireKubernetes(environment);
        var plan = reconciliation.view().plan(desired, environment);
        reconciliation.report().ifPresent(r -> r.plan(plan, commit, runId));
        post(environment, ShardWord.Published.of(commit, plan));
        var results = reconciliation.execute(desired, plan, mine(desired, environment));
        var rings = new ArrayList<>(results.stream().map(RingRun::of).toList());
        var missing = new ArrayList<Integer>();
        for (int other = 1; other < shard.count(); other++) {
            var ended = await(environment, other);
            ended.ifPresent(text ->
                    rings.addAll(ShardWord.read(text, ShardWord.Ended.class).rings()));
            if (ended.isEmpty()) {
                missing.add(other);
            }
        }
        if (rings.stream().allMatch(r -> r.outcome() == Outcome.NOTHING)) {
            return new Shared(new Ran(plan, results, plan), missing);
        }
        var after = reconciliation.view().plan(desired, environment);
        var run = new RunJson.Run(runId, commit, PlanJson.hash(plan), exitName.apply(results), rings);
        reconciliation.report().ifPresent(r -> r.result(after, run));
        return new Shared(new Ran(plan, results, after), missing);
    }

    /// The commit that the leader planned, once it has published that.
    public String awaitCommit(String environment) {
        return published(environment).commit();
    }

    /// The part of any other: what was published and concerns its rings. `desired` is of the leader's commit.
    public Shared follow(DesiredState desired, String environment, Function<List<ClusterResult>, String> exitName) {
        var published = published(environment);
        var mine = mine(desired, environment);
        var plan = reconciliation.view().part(desired, environment, mine);
        var results = new ArrayList<>(
                reconciliation.execute(desired, plan, ref -> mine.test(ref) && published.covers(of(plan, ref))));
        plan.clusters().stream()
                .filter(c -> !published.covers(c))
                .forEach(c -> results.add(ClusterResult.of(
                        c.ref(),
                        Outcome.STALE,
                        "the ring changed since the plan was published; the next run plans anew")));
        post(
                environment,
                new ShardWord.Ended(
                        exitName.apply(results),
                        results.stream().map(RingRun::of).toList()));
        return new Shared(new Ran(plan, results, reconciliation.view().part(desired, environment, mine)), List.of());
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

    private ShardWord.Published published(String environment) {
        return await(environment, 0)
                .map(text -> ShardWord.read(text, ShardWord.Published.class))
                .orElseThrow(() -> new RunException(
                        RunException.Kind.TEMPORARY,
                        surroundings
                                .ending()
                                .get()
                                .orElse("shard 0 of run " + runId + " published no plan within "
                                        + surroundings.patience().toMinutes() + " minutes")));
    }

    private Optional<String> await(String environment, int other) {
        var end = surroundings.clock().instant().plus(surroundings.patience());
        while (true) {
            var word = surroundings
                    .board()
                    .read(environment, other)
                    .filter(post -> post.run().equals(runId))
                    .map(Post::text);
            if (word.isPresent()
                    || surroundings.clock().instant().isAfter(end)
                    || surroundings.ending().get().isPresent()) {
                return word;
            }
            surroundings.pause().pass(BETWEEN_LOOKS);
        }
    }
}
