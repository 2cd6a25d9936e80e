package io.github.etcdgitops.worlds;

import io.github.etcdgitops.execute.Executor;
import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.handlers.Handlers;
import io.github.etcdgitops.execute.job.ImageOrder;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.StepListener;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.RingProbe;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.RingVolumes;
import io.github.etcdgitops.observe.Observer;
import io.github.etcdgitops.pipeline.FleetView;
import io.github.etcdgitops.pipeline.Ran;
import io.github.etcdgitops.pipeline.Reconciliation;
import io.github.etcdgitops.pipeline.RunContext;
import io.github.etcdgitops.pipeline.shard.ShardedRun;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Protection;
import io.github.etcdgitops.spec.ring.Defaults;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.Journal;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// Rings of one Kubernetes, run after run, and how many of them are in the midst of a change of feature
/// gates at any boundary between steps.
final class FeatureFleet {
    static final String ENVIRONMENT = "default";
    private static final int BETWEEN = 20;

    final FakeWorld world = new FakeWorld();
    final List<ClusterRef> refs;
    private final SortedMap<ClusterRef, Integer> sizes = new TreeMap<>();
    private final int most;
    private FeatureGate[] gates = {};
    private BiConsumer<String, List<Object>> sabotage = (_, _) -> {};
    private Function<ClusterRef, StepListener> listener = _ -> StepListener.NONE;
    private OptionalInt failures = OptionalInt.empty();
    private UnaryOperator<DesiredState> documents = UnaryOperator.identity();
    private int mostSeen;
    private int runs;
    private int names;

    FeatureFleet(int rings, int size, int most) {
        this.most = most;
        refs = IntStream.range(0, rings)
                .mapToObj(i -> new ClusterRef("demo", "r" + i))
                .toList();
        refs.forEach(ref -> {
            Given.ring(ref.namespace(), ref.name()).members(size).build(world);
            sizes.put(ref, size);
        });
    }

    ClusterRef ring(int number) {
        return refs.get(number);
    }

    RingProbe look(int number) {
        return world.look(ring(number));
    }

    /// The Fleet has these gates on from now on, and no others.
    void on(FeatureGate... wanted) {
        gates = wanted.clone();
    }

    DesiredState desired() {
        var rings = new TreeMap<ClusterRef, EtcdClusterSpec>();
        sizes.forEach((ref, size) -> rings.put(ref, Specs.withFeatures(Given.spec(ref, size, "3.5.16"), gates)));
        // Rings share the world's one clock: beside each other, whoever gets no processor would find its deadlines
        // past.
        var fleet = new Fleet(List.of(), new Fleet.Limits(1, 5, most, 3, failures), Risk.DESTRUCTIVE, Defaults.NONE);
        return documents.apply(
                new DesiredState(fleet, rings, List.of(), Protection.NONE, new TreeSet<>(), List.of(), "digest"));
    }

    /// From now on each call to a port is shown first, by its name and arguments, to what may throw.
    void sabotage(BiConsumer<String, List<Object>> calls) {
        sabotage = calls;
    }

    /// From now on runs tell this one.
    void listener(Function<ClusterRef, StepListener> told) {
        listener = told;
    }

    /// From now on the repository says this instead.
    void says(UnaryOperator<DesiredState> instead) {
        documents = instead;
    }

    /// From now on the ring shall have so many members.
    void size(int number, int size) {
        sizes.put(ring(number), size);
    }

    /// From now on so many rings may be changed in vain in a run.
    void maxFailures(int maxFailures) {
        failures = OptionalInt.of(maxFailures);
    }

    /// One run, and some time after it.
    List<ClusterResult> run() {
        return run(_ -> {});
    }

    List<ClusterResult> run(FaultHook hook) {
        var process = new Process(hook);
        var results = process.run().results();
        world.tick(BETWEEN);
        return results;
    }

    /// A run that ends at that boundary, if there are so many.
    boolean killedAt(int boundary) {
        var process = new Process(new KilledAt(boundary));
        try {
            process.run();
            return false;
        } catch (Crash | OneProcess.StillDead _) {
            return true;
        } finally {
            world.tick(BETWEEN);
        }
    }

    FleetPlan plan() {
        return new Process(FaultHook.NONE).view().plan(desired(), ENVIRONMENT);
    }

    /// Rings whose members run with the gate.
    List<String> having(FeatureGate gate) {
        return refs.stream()
                .filter(ref -> world.look(ref)
                        .journal()
                        .filter(j -> j.applied().features().contains(gate))
                        .isPresent())
                .map(ClusterRef::name)
                .toList();
    }

    List<String> underWay() {
        return refs.stream()
                .filter(ref ->
                        world.look(ref).journal().filter(FeatureFleet::changes).isPresent())
                .map(ClusterRef::name)
                .toList();
    }

    private static boolean changes(Journal journal) {
        return journal.roll()
                .filter(roll ->
                        !roll.target().features().equals(journal.applied().features())
                                || roll.target().transport().peer()
                                        != journal.applied().transport().peer())
                .isPresent();
    }

    /// The most rings that were in the midst of it at any boundary so far.
    int mostSeen() {
        return mostSeen;
    }

    List<String> breaches() {
        return world.oracle().breaches().stream().map(Object::toString).toList();
    }

    private static final class KilledAt implements FaultHook {
        private int left;

        KilledAt(int boundary) {
            left = boundary;
        }

        @Override
        public void reached(String boundary) {
            if (--left == 0) {
                throw new Crash(boundary);
            }
        }
    }

    /// What one process has of the world, which knows one thread only. Once killed it does nothing more.
    final class Process {
        private final FaultHook hook;
        private final String holder = "run-" + ++runs;
        private boolean killed;

        Process(FaultHook hook) {
            this.hook = hook;
        }

        Ran run() {
            var reconciliation = new Reconciliation(
                    surroundings(), observer(), view(), Optional.empty(), "etcd-gitops", listener, Optional::empty);
            return ShardedRun.alone(reconciliation)
                    .lead(
                            new RunContext(ENVIRONMENT, "c0ffee", "run-" + runs),
                            FeatureFleet.this::desired,
                            _ -> "success");
        }

        FleetView view() {
            return new FleetView(observer(), _ -> new Vault(world).store, world, "test");
        }

        private Executor.Surroundings surroundings() {
            var gateways = new Executor.Gateways(
                    kube(),
                    world.secrets().port(),
                    guarded(RingVolumes.class, world.volumes().port()),
                    guarded(EtcdGateway.class, world.etcd()),
                    world.access(),
                    new Handlers(
                            new Vault(world).backups(),
                            new ImageOrder(world.jobs().port(), world.jobs().receiver(), () -> "etcd-gitops:test")));
            return new Executor.Surroundings(
                    gateways, world, this::sleep, this::name, holder, _ -> true, this::boundary);
        }

        private void boundary(String name) {
            synchronized (world) {
                alive();
                mostSeen = Math.max(mostSeen, underWay().size());
                try {
                    hook.reached(name);
                } catch (Crash e) {
                    killed = true;
                    throw e;
                }
            }
        }

        private void alive() {
            if (killed) {
                throw new OneProcess.StillDead();
            }
        }

        private void sleep(Duration time) {
            synchronized (world) {
                alive();
                world.sleep(time);
            }
        }

        private String name() {
            synchronized (world) {
                return "n" + ++names;
            }
        }

        private Observer observer() {
            return new Observer(
                    kube(),
                    guarded(RingVolumes.class, world.volumes().port()),
                    guarded(EtcdGateway.class, world.etcd()),
                    world.access(),
                    new SameThread());
        }

        private KubernetesGateway kube() {
            return guarded(KubernetesGateway.class, world.kubernetes());
        }

        private <T> T guarded(Class<T> port, T behind) {
            return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (_, method, args) -> {
                synchronized (world) {
                    alive();
                    sabotage.accept(method.getName(), args == null ? List.of() : Arrays.asList(args));
                    try {
                        return method.invoke(behind, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }
            }));
        }
    }

    /// What became of the rings of a run, by name.
    static Map<String, ClusterResult.Outcome> outcomes(List<ClusterResult> results) {
        var outcomes = new TreeMap<String, ClusterResult.Outcome>();
        new ArrayList<>(results).forEach(r -> outcomes.put(r.ref().name(), r.outcome()));
        return outcomes;
    }
}
