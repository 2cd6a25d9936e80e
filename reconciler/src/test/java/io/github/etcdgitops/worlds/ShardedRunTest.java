package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.execute.Executor;
import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.handlers.Handlers;
import io.github.etcdgitops.execute.job.ImageOrder;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.execute.progress.StepListener;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.ShardBoard;
import io.github.etcdgitops.observe.Observer;
import io.github.etcdgitops.pipeline.FleetView;
import io.github.etcdgitops.pipeline.Ran;
import io.github.etcdgitops.pipeline.Reconciliation;
import io.github.etcdgitops.pipeline.RunContext;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.pipeline.shard.Shard;
import io.github.etcdgitops.pipeline.shard.ShardedRun;
import io.github.etcdgitops.spec.Decisions;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Protection;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// One run by several processes, on rings that are to be founded. Whoever waits lets the next process
/// work meanwhile.
class ShardedRunTest {
    private static final String ENVIRONMENT = "default";
    private static final String COMMIT = "c0ffee";
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final ShardedRun.Patience BOTH = new ShardedRun.Patience(PATIENCE, PATIENCE);

    private final FakeWorld world = Given.absent("demo", "three").build();
    private final Map<Integer, ShardBoard.Post> posts = new ConcurrentHashMap<>();
    private final Deque<Runnable> meanwhile = new ArrayDeque<>();
    private final List<Ran> followed = new ArrayList<>();
    /// Of each list that was asked for.
    private final List<Predicate<ClusterRef>> wanted = new ArrayList<>();
    private Optional<String> ending = Optional.empty();
    private Runnable accepting = () -> {};
    private int names;

    @Test
    void exactlyOneShardCreatesEachRing() {
        var desired = desired(Map.of("three", 3, "one", 1, "uno", 1, "ein", 1, "une", 1, "een", 1, "en", 1));
        meanwhile.add(() -> follow(1, "r1", desired));
        meanwhile.add(() -> follow(2, "r1", desired));

        var led = lead(3, "r1", desired);

        assertThat(led.missing()).isEmpty();
        var all = new ArrayList<>(led.results());
        followed.forEach(f -> all.addAll(f.results()));
        assertThat(all).hasSize(7).allSatisfy(r -> assertThat(r.outcome()).isEqualTo(Outcome.DONE));
        assertThat(all.stream().map(ClusterResult::ref)).doesNotHaveDuplicates();
        assertThat(world.oracle().breaches()).isEmpty();
    }

    @Test
    void runWithoutShardsNeedsNoBoard() {
        var desired = desired(Map.of("three", 3, "one", 1));

        var ran = lead(1, "r1", desired);

        assertThat(ran.results())
                .hasSize(2)
                .allSatisfy(r -> assertThat(r.outcome()).isEqualTo(Outcome.DONE));
        assertThat(ran.missing()).isEmpty();
        assertThat(posts).isEmpty();
    }

    @Test
    void namesShardsThatAreLate() {
        var desired = desired(Map.of("three", 3, "one", 1, "uno", 1));
        meanwhile.add(() -> follow(2, "r1", desired));

        assertThat(lead(3, "r1", desired).missing()).containsExactly(1);
    }

    @Test
    void stoppedShardWaitsForNoOther() {
        var desired = desired(Map.of("three", 3, "one", 1));
        meanwhile.add(() -> ending = Optional.of("asked to stop"));
        var before = world.instant();

        assertThat(lead(2, "r1", desired).missing()).containsExactly(1);

        assertThat(Duration.between(before, world.instant())).isLessThan(PATIENCE);
        assertThatThrownBy(() -> follow(1, "r2", desired))
                .isInstanceOf(RunException.class)
                .hasMessage("asked to stop");
    }

    @Test
    void followerDoesNothingBeforePlanIsPublished() {
        var desired = desired(Map.of("three", 3, "one", 1));
        posts.put(0, new ShardBoard.Post("another", "{\"word\":\"published\",\"commit\":\"x\",\"operations\":{}}"));

        assertThatThrownBy(() -> follow(1, "r1", desired))
                .isInstanceOf(RunException.class)
                .hasMessage("shard 0 of run r1 published no plan within 5 minutes");

        assertThat(world.acts()).isEmpty();
    }

    @Test
    void leaderReportsThatItCannotPlan() {
        var desired = desired(Map.of("three", 3, "one", 1));
        world.apiDown();
        assertThatThrownBy(() -> lead(2, "r1", desired)).isInstanceOf(RuntimeException.class);
        world.apiUp();
        var before = world.instant();

        assertThatThrownBy(() -> follow(1, "r1", desired))
                .isInstanceOf(RunException.class)
                .hasMessageStartingWith("shard 0 of run r1 has no plan: ");
        assertThat(world.instant()).isEqualTo(before);
    }

    /// On a branch that was rewritten, say: nobody need wait until there is no plan.
    @Test
    void noShardActsIfLeaderMayNot() {
        var desired = desired(Map.of("three", 3, "one", 1));
        accepting = () -> {
            throw new RunException(RunException.Kind.UNAUTHORIZED, "The branch was rewritten");
        };
        assertThatThrownBy(() -> lead(2, "r1", desired)).hasMessage("The branch was rewritten");
        var before = world.instant();

        assertThatThrownBy(() -> follow(1, "r1", desired))
                .isInstanceOfSatisfying(
                        RunException.class, e -> assertThat(e.kind()).isEqualTo(RunException.Kind.UNAUTHORIZED))
                .hasMessage("shard 0 of run r1 has no plan: The branch was rewritten");
        assertThat(world.instant()).isEqualTo(before);
        assertThat(world.acts()).isEmpty();
    }

    @Test
    void temporaryFailureIsNoRefusal() {
        var desired = desired(Map.of("three", 3, "one", 1));
        world.apiDown();
        assertThatThrownBy(() -> lead(2, "r1", desired)).isInstanceOf(RuntimeException.class);
        world.apiUp();

        assertThatThrownBy(() -> follow(1, "r1", desired))
                .isInstanceOfSatisfying(
                        RunException.class, e -> assertThat(e.kind()).isEqualTo(RunException.Kind.TEMPORARY));
    }

    /// Two of them, and one deadline for both.
    @Test
    void leaderWaitsForAllShardsTogether() {
        var desired = desired(Map.of("three", 3, "one", 1, "uno", 1, "ein", 1));
        var before = world.instant();

        assertThat(lead(3, "r1", desired).missing()).containsExactly(1, 2);

        assertThat(Duration.between(before, world.instant())).isLessThan(PATIENCE.multipliedBy(2));
    }

    @Test
    void executesOnlyPublishedPlan() {
        var published = desired(Map.of("three", 3, "one", 1));
        var changed = desired(Map.of("three", 3, "one", 2));
        meanwhile.add(() -> follow(1, "r1", changed));

        lead(2, "r1", published);

        assertThat(followed.getFirst().results())
                .singleElement()
                .satisfies(r -> assertThat(r.outcome()).isEqualTo(Outcome.STALE));
        assertThat(world.look(new ClusterRef("demo", "one")).replicas()).isZero();
    }

    @Test
    void restartedFollowerFindsItsWorkDone() {
        var desired = desired(Map.of("three", 3, "one", 1));
        meanwhile.add(() -> follow(1, "r1", desired));
        lead(2, "r1", desired);

        follow(1, "r1", desired);

        assertThat(followed.getLast().results())
                .singleElement()
                .satisfies(r -> assertThat(r.outcome()).isEqualTo(Outcome.NOTHING));
    }

    /// A second look at rings that did not change would double its time.
    @Test
    void followerWithNothingToDoListsOnce() {
        var desired = desired(Map.of("three", 3, "one", 1));
        meanwhile.add(() -> follow(1, "r1", desired));
        lead(2, "r1", desired);
        wanted.clear();

        follow(1, "r1", desired);

        assertThat(followed.getLast().results())
                .extracting(ClusterResult::outcome)
                .containsExactly(Outcome.NOTHING);
        assertThat(followed.getLast().after()).isSameAs(followed.getLast().plan());
        assertThat(wanted).hasSize(1);
    }

    /// The listed objects of all rings are most of what a process of a large fleet keeps.
    @Test
    void followerKeepsOnlyItsRings() {
        var desired = desired(Map.of("three", 3, "one", 1));
        meanwhile.add(() -> {
            wanted.clear();
            follow(1, "r1", desired);
        });

        lead(2, "r1", desired);

        assertThat(wanted.getFirst()).accepts(new ClusterRef("demo", "one")).rejects(new ClusterRef("demo", "three"));
    }

    /// A ring may be restored from another one's backup. Its journal says so, and retention keeps the backup.
    @Test
    void followerReadsAllRingsWhereBackupsMayBeDeleted() {
        var backups = new Vault(world).keep(Duration.ofDays(1), 3).policies();
        var protection = new Protection(backups, List.of(), new TreeMap<>(), List.of(), List.of());
        var rings = desired(Map.of("three", 3, "one", 1)).rings();
        var desired =
                new DesiredState(Fleet.DEFAULT, rings, List.of(), protection, new TreeSet<>(), List.of(), "digest");
        meanwhile.add(() -> {
            wanted.clear();
            follow(1, "r1", desired);
        });

        lead(2, "r1", desired);

        assertThat(wanted.getFirst()).accepts(new ClusterRef("demo", "one"), new ClusterRef("demo", "three"));
    }

    /// Whose turn it is follows from all rings: each process has some of them.
    @Test
    void limitsFeatureRolloutOverAllShards() {
        var sizes = Map.of("three", 3, "one", 1, "uno", 1, "ein", 1);
        meanwhile.add(() -> follow(1, "r1", desired(sizes)));
        meanwhile.add(() -> follow(2, "r1", desired(sizes)));
        lead(3, "r1", desired(sizes));
        for (int turn = 1; turn <= sizes.size(); turn++) {
            String run = "gate" + turn;
            followed.clear();
            var gated = desired(sizes, FeatureGate.COMPACT_HASH_CHECK);
            meanwhile.add(() -> follow(1, run, gated));
            meanwhile.add(() -> follow(2, run, gated));

            var results = new ArrayList<>(lead(3, run, gated).results());
            followed.forEach(f -> results.addAll(f.results()));

            assertThat(results).filteredOn(r -> r.outcome() == Outcome.DONE).hasSize(1);
            assertThat(results).filteredOn(r -> r.outcome() == Outcome.STALE).isEmpty();
            assertThat(having(sizes)).isEqualTo(turn);
        }
    }

    /// How many have lost members is told from all rings: each process has some of them.
    @ParameterizedTest
    @CsvSource({"3, DONE", "4, HELD"})
    void limitsAutomaticRepairsOverAllShards(int lost, Outcome outcome) {
        var names = List.of("one", "uno", "ein", "une");
        var wanted = new TreeMap<ClusterRef, EtcdClusterSpec>();
        names.forEach(name -> {
            var ref = new ClusterRef("demo", name);
            Given.ring(ref.namespace(), ref.name()).build(world);
            wanted.put(ref, Specs.repairing(Given.spec(ref, 3, "3.5.16"), Repairs.Mode.AUTOMATIC));
        });
        wanted.keySet().stream().limit(lost).forEach(ref -> world.faults(ref).loseVolume(1));
        world.tick(20);
        var desired = new DesiredState(
                Fleet.DEFAULT, wanted, List.of(), Protection.NONE, new TreeSet<>(), List.of(), "digest");
        meanwhile.add(() -> follow(1, "r1", desired));
        meanwhile.add(() -> follow(2, "r1", desired));

        var results = new ArrayList<>(lead(3, "r1", desired).results());
        assertThat(followed).anyMatch(f -> !f.results().isEmpty());
        followed.forEach(f -> results.addAll(f.results()));

        assertThat(results)
                .filteredOn(r -> r.outcome() != Outcome.NOTHING)
                .hasSize(lost)
                .allMatch(r -> r.outcome() == outcome);
        assertThat(world.oracle().breaches()).isEmpty();
    }

    private long having(Map<String, Integer> sizes) {
        return sizes.keySet().stream()
                .filter(name -> world.look(new ClusterRef("demo", name))
                        .journal()
                        .filter(j -> j.applied().features().contains(FeatureGate.COMPACT_HASH_CHECK))
                        .isPresent())
                .count();
    }

    private Ran lead(int count, String run, DesiredState desired) {
        return process(new Shard(0, count))
                .lead(
                        new RunContext(ENVIRONMENT, COMMIT, run),
                        () -> {
                            accepting.run();
                            return desired;
                        },
                        _ -> "success");
    }

    private void follow(int index, String run, DesiredState desired) {
        int count = Math.max(index + 1, desired.rings().size() > 3 ? 3 : 2);
        followed.add(process(new Shard(index, count)).follow(new RunContext(ENVIRONMENT, COMMIT, run), _ -> desired));
    }

    private ShardedRun process(Shard shard) {
        var kube = oneAtATime(KubernetesGateway.class, world.kubernetes());
        var etcd = oneAtATime(EtcdGateway.class, world.etcd());
        var observer = new Observer(kube, world.volumes().port(), etcd, world.access(), new SameThread());
        var executor = new Executor.Surroundings(
                new Executor.Gateways(
                        kube,
                        world.secrets().port(),
                        world.volumes().port(),
                        etcd,
                        world.access(),
                        new Handlers(
                                new Vault(world).backups(),
                                new ImageOrder(
                                        world.jobs().port(), world.jobs().receiver(), () -> "etcd-gitops:test"))),
                world,
                this::sleep,
                this::name,
                "shard-" + shard.index(),
                _ -> false,
                FaultHook.NONE);
        var reconciliation = new Reconciliation(
                executor,
                observer,
                new FleetView(observer, _ -> new Vault(world).store, world, "test"),
                Optional.empty(),
                "etcd-gitops",
                _ -> StepListener.NONE,
                () -> ending);
        var surroundings = new ShardedRun.Surroundings(new Board(), this::waiting, world, BOTH);
        return new ShardedRun(reconciliation, surroundings, shard);
    }

    private void waiting(Duration duration) {
        var next = meanwhile.poll();
        if (next != null) {
            next.run();
        }
        sleep(duration);
    }

    private void sleep(Duration duration) {
        synchronized (world) {
            world.sleep(duration);
        }
    }

    private String name() {
        synchronized (world) {
            return "n" + ++names;
        }
    }

    /// The world knows one thread only; a run works at several rings at once.
    private <T> T oneAtATime(Class<T> port, T behind) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (_, method, args) -> {
            synchronized (world) {
                noteWanted(args);
                try {
                    return method.invoke(behind, args);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }
        }));
    }

    @SuppressWarnings("unchecked") // the only predicate that a gateway takes
    private void noteWanted(Object @Nullable [] args) {
        if (args != null && args.length == 1 && args[0] instanceof Predicate<?> rings) {
            wanted.add((Predicate<ClusterRef>) rings);
        }
    }

    /// Whose part it is follows from the documents, and it has none.
    @Test
    void onlyLeaderDeletesRingWithoutDocument() {
        Given.ring("demo", "orders").build(world);
        var rest = desired(Map.of("three", 3, "one", 1));
        meanwhile.add(() -> follow(1, "r1", rest));
        lead(2, "r1", rest);
        assertThat(world.look(Play.REF).hasStatefulSet()).isTrue();
        followed.clear();
        var over = mourning(rest, new TreeSet<>(), List.of());
        meanwhile.add(() -> follow(1, "r2", over));

        var led = lead(2, "r2", over);

        assertThat(led.results())
                .filteredOn(r -> r.ref().equals(Play.REF))
                .singleElement()
                .satisfies(r -> assertThat(r.outcome()).as(r.detail()).isEqualTo(Outcome.DONE));
        assertThat(followed)
                .allSatisfy(f -> assertThat(f.results()).noneMatch(r -> r.ref().equals(Play.REF)));
        assertThat(world.look(Play.REF).hasStatefulSet()).isFalse();
        assertThat(world.oracle().breaches()).isEmpty();
    }

    /// Its document is there and wrong, or one that is wrong may be its document.
    @Test
    void deletesNothingThatMayHaveADocument() {
        Given.ring("demo", "orders").build(world);
        var rest = desired(Map.of("one", 1));
        var wrong = Violation.of("syntax", Location.ofFile("clusters/orders.yaml"), "no YAML");
        var elsewhere = Violation.of("syntax", Location.ofFile("approvals/old.yaml"), "no YAML");

        lead(1, "r1", mourning(rest, new TreeSet<>(List.of(Play.REF)), List.of(wrong)));
        lead(1, "r2", mourning(rest, new TreeSet<>(), List.of(wrong)));
        assertThat(world.look(Play.REF).hasStatefulSet()).isTrue();
        assertThat(world.look(Play.REF).journal().orElseThrow().intent()).isEmpty();

        lead(1, "r3", mourning(rest, new TreeSet<>(), List.of(elsewhere)));
        assertThat(world.look(Play.REF).hasStatefulSet()).isFalse();
    }

    private DesiredState mourning(DesiredState rest, TreeSet<ClusterRef> rejected, List<Violation> violations) {
        var decisions = new Decisions(List.of(), List.of(DeletedRing.tombstone(world)));
        return new DesiredState(
                rest.fleet(), rest.rings(), decisions, rest.protection(), rejected, violations, rest.digest());
    }

    private static DesiredState desired(Map<String, Integer> sizes, FeatureGate... gates) {
        var rings = new TreeMap<ClusterRef, EtcdClusterSpec>();
        sizes.forEach((name, size) -> {
            var ref = new ClusterRef("demo", name);
            rings.put(ref, Specs.withFeatures(Given.spec(ref, size, "3.5.16"), gates));
        });
        return new DesiredState(Fleet.DEFAULT, rings, List.of(), Protection.NONE, new TreeSet<>(), List.of(), "digest");
    }

    private final class Board implements ShardBoard {
        @Override
        public void post(String environment, int index, Post post) {
            posts.put(index, post);
        }

        @Override
        public Optional<Post> read(String environment, int index) {
            return Optional.ofNullable(posts.get(index));
        }
    }
}
