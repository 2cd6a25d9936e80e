package io.github.etcdgitops.worlds;

import io.github.etcdgitops.execute.Executor;
import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.RingReading;
import io.github.etcdgitops.execute.handlers.Handlers;
import io.github.etcdgitops.execute.job.ImageOrder;
import io.github.etcdgitops.execute.lease.Pause;
import io.github.etcdgitops.execute.lease.Timepiece;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.StepListener;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.RingProbe;
import io.github.etcdgitops.observe.Observer;
import io.github.etcdgitops.plan.BackupStanding;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.Orphan;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.deletion.Clearance;
import io.github.etcdgitops.ring.deletion.Deletion;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/// The product at work on one ring of a world, run after run. Each run is a process of its own: other
/// gateways, another holder of the Lease, and whoever ran before is known to be gone.
final class Play {
    static final ClusterRef REF = new ClusterRef("demo", "orders");
    /// Time between two runs: long enough for pods to come back and for etcd to count them.
    private static final int BETWEEN = 20;

    final FakeWorld world;
    EtcdClusterSpec spec;
    final RingProbe ring;
    final Vault vault;
    /// There where the ring has no document: the tombstones that there are.
    Optional<List<Tombstone>> tombstones = Optional.empty();
    PolicyEngine policies = new PolicyEngine(Fleet.DEFAULT, List.of());
    private final Watch watch;
    private final List<String> outcomes = new ArrayList<>();
    private int runs;
    private int names;
    private long boundaries;

    Play(FakeWorld world, EtcdClusterSpec spec) {
        this.world = world;
        this.spec = spec;
        this.ring = world.look(REF);
        this.vault = new Vault(world);
        this.watch = new Watch(world, ring);
    }

    /// A run that is killed at this boundary, if it comes to it.
    ///
    /// @return whether it did
    boolean killAt(String at) {
        try {
            once(boundary -> {
                if (boundary.equals(at)) {
                    throw new Crash(boundary);
                }
            });
            return false;
        } catch (Crash _) {
            return true;
        }
    }

    /// One run's way to the world.
    final class Run {
        private final OneProcess process = new OneProcess(world);
        private final Observer observer =
                new Observer(process.kubernetes, process.volumes, process.etcd, world.access(), new SameThread());
        private final String holder = "run-" + ++runs;
        private Pause pause = world::sleep;
        private Timepiece clock = world;
        private BackupNeeds needs = BackupNeeds.NONE;

        /// Instead of the world's own passing of time.
        Run pausing(Pause other) {
            pause = other;
            return this;
        }

        /// Whose clock on the wall is so far off.
        Run off(Duration duration) {
            clock = Timepiece.of(() -> world.instant().plus(duration), world::nanos);
            return this;
        }

        ClusterState fresh() {
            return tombstones.isPresent() ? observer.orphan(REF) : observer.fresh(spec);
        }

        /// As the product reads it between steps.
        private final RingReading reading = new RingReading() {
            @Override
            public ClusterState forPlan(EtcdClusterSpec ring) {
                return fresh();
            }

            @Override
            public ClusterState forSteps(EtcdClusterSpec ring) {
                return tombstones.isPresent() ? fresh() : observer.between(ring);
            }
        };

        private ClusterPlan planned(ClusterState state) {
            return tombstones
                    .map(there -> Orphan.plan(state, there, new Clearance(Optional.empty(), "prod", vault.policies())))
                    .orElseGet(() -> Planner.plan(spec, state, needs, world.instant()));
        }

        ClusterPlan plan() {
            var state = fresh();
            needs = vault.needs(state).asking(policies.freshness(spec, world.instant()));
            return policies.gate(planned(state), BackupStanding.of(needs), world.instant());
        }

        /// What is stored is looked at anew.
        private Verdict ask(Operation operation) {
            boolean backups = policies.asksForBackups(operation, world.instant());
            return operation.toBeNamed().isEmpty() && !backups
                    ? new Verdict.Allow()
                    : policies.gate(operation, BackupStanding.of(vault.needs(fresh())), world.instant());
        }

        ClusterResult execute(ClusterPlan plan, FaultHook hook, Predicate<String> gone) {
            Function<Operation, Verdict> allow = this::ask;
            var surroundings = new Executor.Surroundings(
                    new Executor.Gateways(
                            process.kubernetes,
                            world.secrets().port(),
                            process.volumes,
                            process.etcd,
                            world.access(),
                            new Handlers(
                                    vault.backups(),
                                    new ImageOrder(process.jobs, world.jobs().receiver(), () -> "etcd-gitops:test"))),
                    clock,
                    pause,
                    () -> "n" + ++names,
                    holder,
                    gone,
                    boundary -> {
                        boundaries++;
                        watch.look(boundary);
                        hook.reached(boundary);
                    });
            var executor = new Executor(surroundings, reading, allow, Optional::empty, StepListener.NONE, holder);
            var result = carriedOut(executor, plan, this);
            watch.look("the end of a run");
            outcomes.add(holder + " " + result.outcome() + " " + result.detail());
            return result;
        }
    }

    private ClusterResult carriedOut(Executor executor, ClusterPlan plan, Run run) {
        if (tombstones.isEmpty()) {
            return executor.execute(spec, plan, now -> Planner.plan(spec, now, run.needs, run.clock.instant()));
        }
        return plan.changes()
                ? executor.execute(deletion(plan).document(), plan, run::planned)
                : ClusterResult.of(REF, ClusterResult.Outcome.NOTHING, "left alone");
    }

    private static Deletion deletion(ClusterPlan plan) {
        return (Deletion) plan.operations().getFirst().operation();
    }

    Run run() {
        return new Run();
    }

    /// Plans and carries out, once.
    ClusterResult once(FaultHook hook) {
        var run = run();
        return run.execute(run.plan(), hook, _ -> true);
    }

    ClusterPlan plan() {
        return run().plan();
    }

    /// Runs until there is nothing to do, at most so many times. The plan that says so, or the last one.
    ClusterPlan untilQuiet(int most) {
        for (int i = 0; i < most; i++) {
            var run = run();
            var plan = run.plan();
            if (plan.situation() == Situation.IN_SYNC) {
                return plan;
            }
            run.execute(plan, FaultHook.NONE, _ -> true);
            world.tick(BETWEEN);
        }
        return plan();
    }

    /// All boundaries of a run, each with how often it was reached before.
    Set<String> boundaryNames() {
        var seen = new LinkedHashSet<String>();
        once(boundary -> {
            int times = 0;
            while (!seen.add(boundary + "#" + times)) {
                times++;
            }
        });
        return seen;
    }

    /// A run that is killed at one of [#boundaryNames]. Some time passes afterwards.
    void killedAt(String boundary) {
        var left = new int[] {Integer.parseInt(boundary.substring(boundary.indexOf('#') + 1))};
        String at = boundary.substring(0, boundary.indexOf('#'));
        try {
            once(reached -> {
                if (reached.equals(at) && left[0]-- == 0) {
                    throw new Crash(reached);
                }
            });
        } catch (Crash _) {
            // Killed.
        }
        world.tick(20);
    }

    /// Time passes: a day, where nothing is under way any more, for a member to be replaced unasked again.
    void dayAfterAReplacement() {
        boolean ended = ring.journal().filter(j -> j.intent().isEmpty()).isPresent();
        world.tick(ended ? 24 * 60 * 60 : 30);
    }

    /// Everything that passes is over.
    void mend() {
        recover();
        world.tick(70);
    }

    /// The same, without the time that members need to come back.
    void recover() {
        for (int ordinal = 0; ordinal < EtcdClusterSpec.MAX_SIZE; ordinal++) {
            world.faults(REF).recover(ordinal);
        }
        world.faults(REF).readable();
        world.apiUp();
    }

    long boundaries() {
        return boundaries;
    }

    /// What must never be, whatever happened.
    List<String> breaches() {
        var all = new ArrayList<String>();
        world.oracle().breaches().forEach(b -> all.add(b.toString()));
        all.addAll(watch.seen());
        return all;
    }

    /// What is missing from a ring that has all it should have; empty when nothing is.
    List<String> notAtRest(ClusterPlan plan) {
        var missing = new ArrayList<String>();
        int size = spec.size();
        if (plan.situation() != Situation.IN_SYNC) {
            missing.add("the plan says " + plan.situation() + " " + plan.findings() + " " + plan.waiting());
        }
        int quorum = size == 1 ? 0 : size / 2 + 1;
        claim(missing, ring.voters().size() == size && ring.learners().isEmpty(), "members");
        claim(missing, ring.replicas() == size && ring.partition() == size, "replicas or partition");
        claim(missing, ring.minAvailable().equals(Optional.of(quorum)), "the budget is not " + quorum);
        claim(missing, sizedAsWanted(size), "volumes of " + ring.capacities() + ", then " + ring.storageOfNewClaims());
        claim(missing, ring.unsealed().isEmpty() && ring.configs().size() >= size, "somebody is unsealed");
        claim(missing, ring.serving().size() == size, "not every member serves");
        claim(missing, ring.journal().filter(j -> j.intent().isEmpty()).isPresent(), "another operation as under way");
        claim(
                missing,
                ring.journal()
                        .filter(j -> j.applied().version().equals(spec.server().version()))
                        .isPresent(),
                "another version");
        claim(
                missing,
                ring.journal()
                        .filter(j -> j.applied()
                                .transport()
                                .equals(spec.server().tls().transport()))
                        .isPresent(),
                "talks otherwise");
        claim(
                missing,
                ring.journal()
                        .filter(j -> j.applied()
                                .features()
                                .equals(spec.server()
                                        .features()
                                        .ofMembers(spec.server().version())))
                        .isPresent(),
                "other feature gates");
        claim(
                missing,
                ring.transports().stream().allMatch(spec.server().tls().transport()::equals),
                "somebody talks otherwise");
        claim(missing, world.lostWrites() == 0, "lost writes");
        return missing;
    }

    private boolean sizedAsWanted(int size) {
        var wanted = spec.storage().size();
        return ring.storageOfNewClaims().equals(wanted)
                && ring.capacities().stream().limit(size).allMatch(wanted::equals);
    }

    private void claim(List<String> missing, boolean holds, String otherwise) {
        if (!holds) {
            missing.add(otherwise);
        }
    }

    /// For the message of a failing test.
    @Override
    public String toString() {
        return ring + "\n      " + String.join("\n      ", outcomes) + "\n      " + world.acts();
    }
}
