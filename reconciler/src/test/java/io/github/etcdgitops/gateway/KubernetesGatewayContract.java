package io.github.etcdgitops.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.KubernetesGateway.LeaseState;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.BudgetState;
import io.github.etcdgitops.state.Departure;
import io.github.etcdgitops.state.Foreign;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// What the product relies on in a Kubernetes API, whoever plays it: a real API server, the sandbox, or a
/// fake. Extend this one: the rest is inherited.
public abstract class KubernetesGatewayContract extends RingObjectsContract {
    private static final String DIGITS = "0123456789";
    private static final Instant LEFT = Instant.parse("2026-03-01T10:00:00Z");

    @Test
    void knowsWhichKubernetesItIs() {
        String uid = gateway.clusterUid();

        assertThat(uid).isNotBlank().isEqualTo(gateway.clusterUid());
    }

    @Test
    void readsWhyANamespaceIsSuspended() {
        assertThat(gateway.namespaceSuspension(world.namespace())).isEmpty();
        assertThat(gateway.namespaceSuspension(world.namespace() + "-not-there"))
                .isEmpty();

        world.suspendNamespace("moving house");

        assertThat(gateway.namespaceSuspension(world.namespace())).contains("moving house");
    }

    @Test
    void provesAbsenceByReadingEveryName() {
        KubeState state = gateway.read(ref, 3);

        assertThat(state.objects().confirmed()).isTrue();
        assertThat(known(state.statefulSet())).isEmpty();
        assertThat(known(state.journal())).isEmpty();
        assertThat(known(state.budget())).isEmpty();
        assertThat(known(state.pods())).isEmpty();
        assertThat(known(state.claims())).isEmpty();
        assertThat(known(state.configs())).isEmpty();
        assertThat(known(state.objects().live())).isEmpty();
    }

    @Test
    void listsEveryRingAndConfirmsNothing() {
        var journalOnly = new ClusterRef(world.namespace(), "db-2");
        gateway.createStatefulSet(ring(1, 1), 1);
        gateway.apply(ManagedObject.BUDGET, ring(1, 1));
        gateway.writeJournal(journalOnly, ContractRing.journal(3), Optional.empty());

        SortedMap<ClusterRef, KubeState> rings = gateway.list();

        KubeState db = at(rings, ref);
        assertThat(db.objects().confirmed()).isFalse();
        assertThat(known(db.statefulSet()).orElseThrow().replicas()).isEqualTo(1);
        assertThat(known(db.budget()).orElseThrow().minAvailable()).isEqualTo(1);
        assertThat(known(db.journal())).isEmpty();
        assertThat(known(at(rings, journalOnly).journal()).orElseThrow().journal())
                .isEqualTo(ContractRing.journal(3));
        assertThat(known(at(rings, journalOnly).statefulSet())).isEmpty();
    }

    private static LeaseState lease(String holder, long transitions) {
        return new LeaseState(
                holder.isEmpty() ? Optional.empty() : Optional.of(holder),
                Instant.parse("2026-03-01T10:20:30.123456Z"),
                60,
                transitions,
                Optional.empty());
    }

    @Test
    void keepsALeaseThatOneWriterAtATimeCanChange() {
        assertThat(gateway.readLease(ref)).isEmpty();

        String first = gateway.writeLease(ref, lease("a", 1), Optional.empty());
        String second = gateway.writeLease(ref, lease("", 1), Optional.of(first));

        conflicts(() -> gateway.writeLease(ref, lease("b", 2), Optional.empty()));
        conflicts(() -> gateway.writeLease(ref, lease("b", 2), Optional.of(first)));
        LeaseState read = gateway.readLease(ref).orElseThrow();
        assertThat(read.holder()).isEmpty();
        assertThat(read.renewed().truncatedTo(ChronoUnit.MICROS))
                .isEqualTo(lease("a", 1).renewed());
        assertThat(read.durationSeconds()).isEqualTo(60);
        assertThat(read.transitions()).isEqualTo(1);
        assertThat(read.resourceVersion()).contains(second);
    }

    @Test
    void neverMakesALeaseOutOfAnUpdate() {
        String version = gateway.writeLease(ref, lease("a", 1), Optional.empty());
        world.loseLease(ref);

        conflicts(() -> gateway.writeLease(ref, lease("a", 1), Optional.of(version)));

        assertThat(gateway.readLease(ref)).isEmpty();
    }

    @Test
    void letsExactlyOneOfEightTakeTheLeaseOver() throws Exception {
        gateway.writeLease(ref, lease("nobody", 0), Optional.empty());

        for (long round = 1; round <= 10; round++) {
            String version =
                    gateway.readLease(ref).flatMap(LeaseState::resourceVersion).orElseThrow();
            List<String> winners = race(round, version);

            assertThat(winners).as("round " + round).hasSize(1);
            LeaseState now = gateway.readLease(ref).orElseThrow();
            assertThat(now.holder()).contains(winners.getFirst());
            assertThat(now.transitions()).isEqualTo(round);
        }
    }

    private List<String> race(long round, String version) throws Exception {
        var winners = new ArrayList<String>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var tries = executor.invokeAll(DIGITS.substring(0, 8)
                    .chars()
                    .mapToObj(c -> (java.util.concurrent.Callable<Optional<String>>)
                            () -> take("run-" + (char) c, round, version))
                    .toList());
            for (var attempt : tries) {
                attempt.get().ifPresent(winners::add);
            }
        }
        return winners;
    }

    private Optional<String> take(String holder, long round, String version) {
        try {
            gateway.writeLease(ref, lease(holder, round), Optional.of(version));
            return Optional.of(holder);
        } catch (GatewayException e) {
            assertThat(e.kind()).isEqualTo(Kind.CONFLICT);
            return Optional.empty();
        }
    }

    private boolean orphaned(String set) {
        try {
            gateway.orphan(ref, set);
            return true;
        } catch (GatewayException e) {
            assertThat(e.kind()).isEqualTo(Kind.CONFLICT);
            return false;
        }
    }

    @Test
    void takesOverForeignStatefulSet() {
        assumeTrue(world.controllers(), "nothing here makes pods");
        assertThat(known(gateway.readForeign(ref))).isEmpty();
        world.makeWithoutUs(ref);
        world.await(
                ref,
                1,
                s -> known(gateway.readForeign(ref)).filter(f -> whole(f)).isPresent());
        var foreign = known(gateway.readForeign(ref)).orElseThrow();
        String set = foreign.set().uid();
        var pod = at(foreign.pods(), 0);
        var claim = at(foreign.claims(), 0);
        assertThat(foreign.set().claims()).containsOnlyKeys("datadir");
        assertThat(claim.name()).isEqualTo("datadir-db-0");
        assertThat(pod.mounted()).containsEntry("datadir", "datadir-db-0");
        assertThat(pod.controller()).contains(set);

        conflicts(() -> gateway.orphan(ref, set));
        conflicts(() -> gateway.keepForeign(ref, "another", 1));
        gateway.keepForeign(ref, set, 1);
        world.changeWithoutUs(ref);
        conflicts(() -> gateway.orphan(ref, set));
        gateway.keepForeign(ref, set, 2);
        conflicts(() -> gateway.takePod(ref, 0, pod.state().uid()));
        conflicts(() -> gateway.orphan(ref, "another"));
        // Its controller may still write down what it has seen of the change.
        EtcdProcess.await("a StatefulSet that nobody changes", Duration.ofSeconds(30), () -> orphaned(set));
        world.await(ref, 1, s -> known(gateway.readForeign(ref)).isEmpty());
        gateway.takePod(ref, 0, pod.state().uid());
        gateway.takePod(ref, 0, pod.state().uid());
        gateway.takeClaim(ref, claim.name(), claim.uid());
        conflicts(() -> gateway.takeClaim(ref, claim.name(), "another"));
        var wanted = ring(1, 3);
        var ours = new RingObjects(
                wanted.spec(),
                wanted.applied(),
                1,
                1,
                3,
                Optional.empty(),
                foreign.set().claims().firstKey());
        gateway.recreateStatefulSet(ours, 1);
        conflicts(() -> gateway.recreateStatefulSet(ours, 1));

        world.await(
                ref,
                1,
                s -> known(gateway.readForeign(ref))
                        .filter(f -> whole(f) && !at(f.pods(), 0).controller().equals(Optional.of(set)))
                        .isPresent());
        var state = gateway.read(ref, 1);
        assertThat(known(state.statefulSet()).orElseThrow().ours()).isTrue();
        assertThat(known(state.statefulSet()).orElseThrow().templateDigest()).startsWith("adopted=");
        assertThat(at(known(state.pods()), 0).uid()).isEqualTo(pod.state().uid());
        assertThat(at(known(state.claims()), 0).uid()).isEqualTo(claim.uid());
        assertThat(at(known(state.claims()), 0).ours()).isTrue();
        assertThat(at(known(at(gateway.list(), ref).claims()), 0).name()).isEqualTo("datadir-db-0");
    }

    private static boolean whole(Foreign foreign) {
        return foreign.pods().values().stream().anyMatch(p -> p.controller().isPresent())
                && !foreign.claims().isEmpty();
    }

    @Test
    void takesNothingOverThatIsOurs() {
        gateway.createStatefulSet(ring(1, 1), 1);
        String uid = known(gateway.read(ref, 1).statefulSet()).orElseThrow().uid();

        conflicts(() -> gateway.keepForeign(ref, uid, 1));
        conflicts(() -> gateway.orphan(ref, uid));
        conflicts(() -> gateway.recreateStatefulSet(ring(1, 1), 1));
    }

    @Test
    void knowsThatAPodIsGone() {
        assertThat(gateway.podMayRun(world.namespace(), "db-0", "some-uid")).isFalse();
        assertThat(gateway.pod(ref, 0)).isEmpty();
        conflicts(() -> gateway.deletePod(ref, 0, "some-uid"));
        conflicts(() -> gateway.markPod(ref, 0, "some-uid", new TreeMap<>(), new TreeMap<>()));
        conflicts(() -> gateway.markClaim(ref, ref.claimName(0), "some-uid", Optional.of(LEFT)));
    }

    @Test
    void bindsPodsAndClaimsToTheirUids() {
        assumeTrue(world.controllers(), "nothing here makes pods");
        gateway.createStatefulSet(ring(1, 1), 1);
        KubeState state = world.await(
                ref, 1, s -> !known(s.pods()).isEmpty() && !known(s.claims()).isEmpty());
        KubeState.PodState pod = at(known(state.pods()), 0);
        KubeState.ClaimState claim = at(known(state.claims()), 0);
        assertThat(pod.name()).isEqualTo("db-0");
        assertThat(pod.serves()).isTrue();
        assertThat(claim.ours()).isTrue();
        assertThat(claim.released()).isFalse();
        assertThat(claim.storage().size()).isEqualTo("64Mi");
        assertSameClaim(at(known(at(gateway.list(), ref).claims()), 0), claim);
        assertThat(gateway.pod(ref, 0)).hasValueSatisfying(alone -> {
            assertThat(alone.uid()).isEqualTo(pod.uid());
            assertThat(alone.revision()).isEqualTo(pod.revision());
        });
        assertThat(gateway.podMayRun(ref.namespace(), "db-0", pod.uid())).isTrue();
        assertThat(gateway.podMayRun(ref.namespace(), "db-0", "another")).isFalse();

        conflicts(() -> gateway.markPod(ref, 0, "another", new TreeMap<>(), new TreeMap<>()));
        conflicts(() -> gateway.deletePod(ref, 0, "another"));
        conflicts(() -> gateway.releasePod(ref, 0, "another"));
        // Nobody has deleted it before.
        conflicts(() -> gateway.releasePod(
                ref, 0, at(known(gateway.read(ref, 1).pods()), 0).uid()));
        conflicts(() -> gateway.markClaim(ref, ref.claimName(0), "another", Optional.of(LEFT)));
        gateway.markPod(
                ref,
                0,
                pod.uid(),
                new TreeMap<>(Map.of(Labels.CLIENTS, "no")),
                new TreeMap<>(Map.of(Labels.CONFIG_SEEN, "1")));
        gateway.markClaim(ref, ref.claimName(0), claim.uid(), Optional.of(LEFT));

        KubeState marked = gateway.read(ref, 1);
        assertThat(at(known(marked.pods()), 0).serves()).isFalse();
        assertThat(at(known(marked.pods()), 0).uid()).isEqualTo(pod.uid());
        assertThat(at(known(marked.claims()), 0).departure()).contains(new Departure(Optional.of(LEFT)));

        gateway.markClaim(ref, ref.claimName(0), claim.uid(), Optional.empty());
        gateway.deletePod(ref, 0, pod.uid());

        assertSameClaim(at(known(gateway.read(ref, 1).claims()), 0), claim);
        world.await(
                ref,
                1,
                s -> known(s.pods()).values().stream().anyMatch(p -> !p.uid().equals(pod.uid()) && p.serves()));
        assertThat(gateway.podMayRun(ref.namespace(), "db-0", pod.uid())).isFalse();
    }

    /// Meanwhile it may be bound.
    private static void assertSameClaim(KubeState.ClaimState found, KubeState.ClaimState before) {
        assertThat(found)
                .usingRecursiveComparison()
                .ignoringFields("phase", "volume")
                .isEqualTo(before);
    }

    @Test
    void tellsWhenABudgetHasSettled() {
        assumeTrue(world.controllers(), "nothing here keeps budgets");
        gateway.createStatefulSet(ring(1, 1), 1);
        gateway.apply(ManagedObject.BUDGET, ring(1, 1));

        BudgetState held = known(
                        world.await(ref, 0, s -> known(s.budget()).orElseThrow().settled())
                                .budget())
                .orElseThrow();

        assertThat(held).isEqualTo(new BudgetState(1, 0, true));
    }
}
