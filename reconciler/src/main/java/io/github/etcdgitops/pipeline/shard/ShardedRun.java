package io.github.etcdgitops.pipeline.shard;

import io.github.etcdgitops.execute.lease.Pause;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.gateway.ShardBoard;
import io.github.etcdgitops.gateway.ShardBoard.Post;
import io.github.etcdgitops.pipeline.Ran;
import io.github.etcdgitops.pipeline.Reconciliation;
import io.github.etcdgitops.pipeline.RunContext;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.RingRun;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// One whole run. Read this first: plan, publish, execute, publish.
///
/// Several processes may share it, each for its part of the rings. The leader publishes the plan of the
/// whole environment before any process acts, and one report when all have ended. A run without shards has
/// a single shard: its leader sends no messages, waits for no process, and needs no right to the board.
public final class ShardedRun {
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final Reconciliation reconciliation;
    private final Shard shard;
    private final Optional<Surroundings> others;

    public record Surroundings(ShardBoard board, Pause pause, InstantSource clock, Patience patience) {}

    /// How long the others wait for the leader's plan, and the leader for all of them once its own part is
    /// done.
    public record Patience(Duration plan, Duration ends) {}

    public ShardedRun(Reconciliation reconciliation, Surroundings surroundings, Shard shard) {
        this(reconciliation, shard, shard.count() == 1 ? Optional.empty() : Optional.of(surroundings));
    }

    private ShardedRun(Reconciliation reconciliation, Shard shard, Optional<Surroundings> others) {
        this.reconciliation = reconciliation;
        this.shard = shard;
        this.others = others;
    }

    public static ShardedRun alone(Reconciliation reconciliation) {
        return new ShardedRun(reconciliation, Shard.WHOLE, Optional.empty());
    }

    /// Plans and publishes; changes nothing.
    public Ran dryRun(RunContext context, Supplier<DesiredState> accepted) {
        return Ran.dry(context, published(context, accepted, _ -> {}).plan());
    }

    /// The leader's part. Rings without a document belong to it. `accepted` throws where this commit must
    /// not be acted on: the other processes are told, and follow it. `exitName` names the exit code of the
    /// rings' results.
    public Ran lead(RunContext context, Supplier<DesiredState> accepted, Function<List<Outcome>, String> exitName) {
        return lead(context, accepted, _ -> {}, exitName);
    }

    /// The same for a plan; `agreed` throws where it is not the expected one. If the plan cannot be
    /// published, nothing is done.
    public Ran lead(
            RunContext context,
            Supplier<DesiredState> accepted,
            Consumer<FleetPlan> agreed,
            Function<List<Outcome>, String> exitName) {
        var published = published(context, accepted, agreed);
        var desired = published.desired();
        var plan = published.plan();
        var results = reconciliation.execute(desired, plan, mine(context, desired), context.runId());
        var rings = new ArrayList<>(results.stream().map(RingRun::of).toList());
        var missing = gather(context, rings);
        if (rings.stream().allMatch(r -> r.outcome() == Outcome.NOTHING)) {
            return new Ran(context, plan, results, plan, missing);
        }
        var after = reconciliation.after(desired, plan);
        var outcomes = new ArrayList<>(rings.stream().map(RingRun::outcome).toList());
        // A missing shard counts as still busy.
        outcomes.addAll(Collections.nCopies(missing.size(), Outcome.BUSY));
        var run = context.ended(plan, exitName.apply(outcomes), rings);
        reconciliation.report().ifPresent(r -> r.result(after, context, run));
        return new Ran(context, plan, results, after, missing);
    }

    private record Published(DesiredState desired, FleetPlan plan) {}

    private Published published(RunContext context, Supplier<DesiredState> accepted, Consumer<FleetPlan> agreed) {
        try {
            var desired = accepted.get();
            reconciliation.requireKubernetes(context.environment());
            var plan = reconciliation.view().plan(desired, context.environment());
            agreed.accept(plan);
            reconciliation.report().ifPresent(r -> r.plan(plan, context));
            post(context, ShardWord.Published.of(context.commit(), plan));
            return new Published(desired, plan);
        } catch (RuntimeException e) {
            try {
                post(context, ShardWord.NoPlan.because(e));
            } catch (RuntimeException alsoThis) {
                e.addSuppressed(alsoThis);
            }
            throw e;
        }
    }

    /// Adds the results of the others; returns those that did not report in time.
    private List<Integer> gather(RunContext context, List<RingRun> rings) {
        var missing = new ArrayList<Integer>();
        others.ifPresent(surroundings -> {
            var end =
                    surroundings.clock().instant().plus(surroundings.patience().ends());
            for (int other = 1; other < shard.count(); other++) {
                if (await(surroundings, context, other, end).orElse(null) instanceof ShardWord.Ended(var theirs)) {
                    rings.addAll(theirs);
                } else {
                    missing.add(other);
                }
            }
        });
        return missing;
    }

    /// The part of any other process: the published operations of its rings. `desiredAt` reads the leader's
    /// commit, which is the same for all: the branch may have moved since.
    public Ran follow(RunContext own, Function<String, DesiredState> desiredAt) {
        var published = awaitPlan(others.orElseThrow(), own);
        var context = own.at(published.commit());
        var desired = desiredAt.apply(context.commit());
        var mine = mine(context, desired);
        var turns = published.turns();
        var plan = reconciliation.view().part(desired, context.environment(), mine, turns);
        var results = new ArrayList<>(reconciliation.execute(
                desired, plan, ref -> mine.test(ref) && published.covers(plan.of(ref)), context.runId()));
        plan.clusters().stream()
                .filter(c -> !published.covers(c))
                .forEach(c -> results.add(ClusterResult.of(
                        c.ref(),
                        Outcome.STALE,
                        "the ring changed since the plan was published. The next run plans again")));
        post(context, new ShardWord.Ended(results.stream().map(RingRun::of).toList()));
        boolean unchanged = results.stream().allMatch(r -> r.outcome() == Outcome.NOTHING);
        var after = unchanged || reconciliation.ending().isPresent()
                ? plan
                : reconciliation.view().part(desired, context.environment(), mine, turns);
        return new Ran(context, plan, results, after);
    }

    /// Rings that are assigned to no shard belong to the leader.
    private Predicate<ClusterRef> mine(RunContext context, DesiredState desired) {
        var assigned = Shard.assign(Environments.rings(desired, context.environment()), shard.count());
        return ref -> assigned.getOrDefault(ref, Shard.WHOLE.index()) == shard.index();
    }

    private void post(RunContext context, ShardWord word) {
        others.ifPresent(surroundings -> surroundings
                .board()
                .post(context.environment(), shard.index(), new Post(context.runId(), ShardWord.write(word))));
    }

    private ShardWord.Published awaitPlan(Surroundings surroundings, RunContext context) {
        var patience = surroundings.patience().plan();
        String leader = "shard 0 of run " + context.runId();
        var word = await(
                        surroundings, context, 0, surroundings.clock().instant().plus(patience))
                .orElseThrow(() -> new RunException(
                        RunException.Kind.TEMPORARY,
                        reconciliation
                                .ending()
                                .orElse(leader + " published no plan within " + patience.toMinutes() + " minutes")));
        return switch (word) {
            case ShardWord.Published published -> published;
            case ShardWord.NoPlan noPlan ->
                throw new RunException(noPlan.kind(), leader + " has no plan: " + noPlan.why());
            case ShardWord.Ended _ -> throw ShardWord.unreadable();
        };
    }

    private Optional<ShardWord> await(Surroundings surroundings, RunContext context, int other, Instant end) {
        while (true) {
            var word = surroundings
                    .board()
                    .read(context.environment(), other)
                    .filter(post -> post.run().equals(context.runId()))
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
