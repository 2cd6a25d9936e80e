package io.github.etcdgitops.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.Intent;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the product relies on in [RingVolumes]; the fake and the adapter on a real API server pass it
/// alike.
public abstract class RingVolumesContract {
    /// An empty namespace for one test, and what a test has to do there behind the port's back.
    public interface World extends AutoCloseable {
        KubernetesGateway gateway();

        RingVolumes volumes();

        String namespace();

        /// Makes a class of which volumes are made at once. Returns its name, which nobody else has.
        String storageClass(boolean grows);

        /// Reads until it is so; fails when it does not become so.
        KubeState await(ClusterRef ref, int claims, Predicate<KubeState> until);

        /// Waits until the pod has a node. Before that Kubernetes does not count it as a user of its
        /// claim, and a deleted claim is gone at once, pod or no pod.
        void awaitNode(ClusterRef ref, int ordinal);

        @Override
        void close();
    }

    private World world;
    private RingVolumes volumes;
    private ClusterRef ref;

    protected abstract World open();

    @BeforeEach
    void start() {
        world = open();
        volumes = world.volumes();
        ref = new ClusterRef(world.namespace(), "db");
    }

    @AfterEach
    void stop() {
        if (world != null) {
            world.close();
        }
    }

    private RingObjects ring(String storageClass, long epoch) {
        return ring(storageClass, epoch, ClusterRef.CLAIMS);
    }

    private RingObjects ring(String storageClass, long epoch, String claims) {
        var wanted = ContractRing.of(ref, 1, epoch);
        var spec = wanted.spec();
        return new RingObjects(
                new EtcdClusterSpec(
                        ref,
                        spec.size(),
                        spec.server(),
                        new Storage("64Mi", Optional.of(storageClass)),
                        spec.podTemplate(),
                        spec.network(),
                        spec.declaration()),
                wanted.applied(),
                1,
                1,
                epoch,
                Optional.empty(),
                claims);
    }

    private static KubeState.StatefulSetState set(KubeState state) {
        return state.statefulSet().optional().flatMap(s -> s).orElseThrow();
    }

    private static Map<Integer, String> uids(KubeState state) {
        var uids = new TreeMap<Integer, String>();
        state.pods().optional().orElseThrow().forEach((ordinal, pod) -> uids.put(ordinal, pod.uid()));
        return uids;
    }

    private static KubeState.ClaimState claim(KubeState state, int ordinal) {
        return Optional.ofNullable(state.claims().optional().orElseThrow().get(ordinal))
                .orElseThrow();
    }

    /// With pods and bound claims, and a controller that is done with it.
    private KubeState running(String storageClass, int replicas) {
        world.gateway().read(ref, replicas);
        world.gateway().createStatefulSet(ring(storageClass, 1), replicas);
        return settled(replicas);
    }

    private KubeState settled(int replicas) {
        return world.await(
                ref,
                replicas,
                s -> s.statefulSet()
                                .optional()
                                .flatMap(set -> set)
                                .filter(set -> set.rollout().settled()
                                        && !set.rollout().currentRevision().isEmpty())
                                .isPresent()
                        && uids(s).size() == replicas
                        && s.claims().optional().orElseThrow().values().stream()
                                        .filter(KubeState.ClaimState::bound)
                                        .count()
                                >= replicas);
    }

    private static void failsWith(Kind kind, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(GatewayException.class, e -> {
            assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind);
            assertThat(e.mayHaveHappened()).isFalse();
        });
    }

    @Test
    void tellsWhetherAClassLetsItsVolumesGrow() {
        assertThat(volumes.expansion(world.storageClass(true))).isEqualTo(Expansion.ALLOWED);
        assertThat(volumes.expansion(world.storageClass(false))).isEqualTo(Expansion.NOT_ALLOWED);
        assertThat(volumes.expansion("nobody-made-this-class")).isEqualTo(Expansion.NO_SUCH_CLASS);
    }

    @Test
    void asksForMoreAndNeverForLess() {
        String storageClass = world.storageClass(true);
        var before = claim(running(storageClass, 1), 0);
        assertThat(before.volume().asked()).isEqualTo(new Storage("64Mi", Optional.of(storageClass)));
        assertThat(before.volume().capacity()).contains("64Mi");

        volumes.expand(ref, ref.claimName(0), before.uid(), "128Mi");
        volumes.expand(ref, ref.claimName(0), before.uid(), "96Mi");

        var after = claim(world.gateway().read(ref, 1), 0);
        assertThat(after.uid()).isEqualTo(before.uid());
        assertThat(after.storage().size()).isEqualTo("128Mi");
        assertThat(after.bound()).isTrue();
    }

    @Test
    void saysThatAClassDoesNotLetAVolumeGrow() {
        var before = claim(running(world.storageClass(false), 1), 0);

        failsWith(Kind.REJECTED, () -> volumes.expand(ref, ref.claimName(0), before.uid(), "128Mi"));
        assertThatThrownBy(() -> volumes.expand(ref, ref.claimName(0), before.uid(), "128Mi"))
                .hasMessageContaining("does not allow it to grow");

        assertThat(claim(world.gateway().read(ref, 1), 0).storage().size()).isEqualTo("64Mi");
    }

    @Test
    void growsNoOtherClaimThanTheOneThatWasRead() {
        running(world.storageClass(true), 1);

        failsWith(Kind.CONFLICT, () -> volumes.expand(ref, ref.claimName(0), "another", "128Mi"));
        failsWith(Kind.CONFLICT, () -> volumes.expand(ref, ref.claimName(7), "another", "128Mi"));
    }

    @Test
    void keepsDeletedClaimWhilePodUsesIt() {
        var before = running(world.storageClass(true), 1);
        String former = claim(before, 0).uid();
        world.awaitNode(ref, 0);

        volumes.deleteClaim(ref, ref.claimName(0), former);
        var held = claim(world.gateway().read(ref, 1), 0);
        assertThat(held.uid()).isEqualTo(former);
        assertThat(held.terminating()).isTrue();

        world.gateway()
                .deletePod(ref, 0, Optional.ofNullable(uids(before).get(0)).orElseThrow());
        world.await(
                ref,
                1,
                s -> s.claims().optional().orElseThrow().values().stream()
                        .noneMatch(c -> c.uid().equals(former)));
    }

    @Test
    void deletesNoOtherClaimThanTheOneThatWasRead() {
        running(world.storageClass(true), 1);

        failsWith(Kind.CONFLICT, () -> volumes.deleteClaim(ref, ref.claimName(0), "another"));
        failsWith(Kind.CONFLICT, () -> volumes.deleteClaim(ref, ref.claimName(7), "another"));

        assertThat(claim(world.gateway().read(ref, 1), 0).terminating()).isFalse();
    }

    /// Pods that mount it, and the StatefulSet that would give it to one of its own.
    @Test
    void namesUsersOfClaim() {
        var before = running(world.storageClass(true), 2);

        assertThat(volumes.users(ref, Set.of(ref.claimName(0), ref.claimName(1))))
                .map(Object::toString)
                .containsExactly("the StatefulSet db", "the pod db-0", "the pod db-1");
        assertThat(volumes.users(ref, Set.of("nobodys-0"))).isEmpty();

        orphan(set(before), 2);
        world.gateway()
                .deletePod(ref, 1, Optional.ofNullable(uids(before).get(1)).orElseThrow());
        world.await(ref, 2, s -> s.pods().optional().orElseThrow().size() == 1);
        assertThat(volumes.users(ref, Set.of(ref.claimName(0), ref.claimName(1))))
                .map(Object::toString)
                .containsExactly("the pod db-0");
        assertThat(volumes.users(ref, Set.of(ref.claimName(1)))).isEmpty();
    }

    private Intent.Recreation recreation(KubeState.StatefulSetState set, String storageClass) {
        return new Intent.Recreation(
                new Storage("128Mi", Optional.of(storageClass)),
                set.replicas(),
                set.rollout().currentRevision(),
                set.templateDigest());
    }

    private void orphan(KubeState.StatefulSetState set, long epoch) {
        volumes.orphan(ref, set, epoch);
        world.await(ref, 2, s -> s.statefulSet().optional().orElseThrow().isEmpty());
    }

    /// Nobody is restarted, whatever the controllers do meanwhile.
    @Test
    void makesAStatefulSetAnewAroundItsPods() {
        String storageClass = world.storageClass(true);
        var before = running(storageClass, 2);
        var former = set(before);

        orphan(former, 2);
        assertThat(uids(world.gateway().read(ref, 2))).isEqualTo(uids(before));
        volumes.recreate(ring(storageClass, 2), recreation(former, storageClass));
        var after = settled(2);

        assertThat(uids(after)).isEqualTo(uids(before));
        assertThat(set(after).uid()).isNotEqualTo(former.uid());
        assertThat(set(after).ours()).isTrue();
        assertThat(set(after).replicas()).isEqualTo(2);
        assertThat(set(after).rollout()).isEqualTo(former.rollout());
        assertThat(set(after).templateDigest()).isEqualTo(former.templateDigest());
        assertThat(set(after).template().storage()).contains(new Storage("128Mi", Optional.of(storageClass)));
        assertThat(claim(after, 1)).isEqualTo(claim(before, 1));
    }

    @Test
    void recreatedStatefulSetMakesLargerClaimsAndMissingPods() {
        String storageClass = world.storageClass(true);
        var before = running(storageClass, 2);
        orphan(set(before), 2);
        world.gateway()
                .deletePod(ref, 1, Optional.ofNullable(uids(before).get(1)).orElseThrow());
        world.await(ref, 2, s -> uids(s).size() == 1);

        volumes.recreate(ring(storageClass, 2), recreation(set(before), storageClass));
        var after = settled(2);
        world.gateway().setReplicas(ref, set(after), 3, 2);
        var more = settled(3);

        assertThat(uids(after).get(0)).isEqualTo(uids(before).get(0));
        assertThat(uids(after).get(1)).isNotEqualTo(uids(before).get(1));
        assertThat(claim(more, 1).storage().size()).isEqualTo("64Mi");
        assertThat(claim(more, 2).storage().size()).isEqualTo("128Mi");
    }

    /// As those of a ring that somebody else has made.
    @Test
    void claimsOfAnotherNameGrowAndKeepIt() {
        String storageClass = world.storageClass(true);
        world.gateway().read(ref, 2);
        world.gateway().createStatefulSet(ring(storageClass, 1, "datadir"), 2);
        var before = settled(2);
        assertThat(claim(before, 1).name()).isEqualTo("datadir-db-1");
        assertThat(set(before).template().storage()).contains(new Storage("64Mi", Optional.of(storageClass)));

        volumes.expand(ref, "datadir-db-1", claim(before, 1).uid(), "128Mi");
        orphan(set(before), 2);
        volumes.recreate(ring(storageClass, 2, "datadir"), recreation(set(before), storageClass));
        var after = settled(2);

        assertThat(uids(after)).isEqualTo(uids(before));
        assertThat(set(after).template().storage()).contains(new Storage("128Mi", Optional.of(storageClass)));
        assertThat(claim(after, 1).uid()).isEqualTo(claim(before, 1).uid());
        assertThat(claim(after, 1).storage().size()).isEqualTo("128Mi");
    }

    @Test
    void takesAwayOnlyTheStatefulSetThatWasRead() {
        var read = set(running(world.storageClass(true), 1));
        world.gateway().setReplicas(ref, read, 2, 5);

        failsWith(Kind.CONFLICT, () -> volumes.orphan(ref, read, 6));
        var now = set(settled(2));
        failsWith(Kind.CONFLICT, () -> volumes.orphan(ref, now, 4));

        assertThat(set(world.gateway().read(ref, 2)).terminating()).isFalse();
    }

    @Test
    void makesNoneWhereThereIsOneAndNoneWithoutTheTemplate() {
        String storageClass = world.storageClass(true);
        var set = set(running(storageClass, 1));
        assertThat(volumes.keepsTemplate(ref, set.rollout().currentRevision())).isTrue();
        assertThat(volumes.keepsTemplate(ref, "db-never")).isFalse();
        failsWith(Kind.CONFLICT, () -> volumes.recreate(ring(storageClass, 2), recreation(set, storageClass)));
        orphan(set, 2);

        var lost = new Intent.Recreation(
                new Storage("128Mi", Optional.of(storageClass)), 1, "db-never", set.templateDigest());
        failsWith(Kind.NOT_FOUND, () -> volumes.recreate(ring(storageClass, 2), lost));
        assertThat(volumes.keepsTemplate(ref, set.rollout().currentRevision())).isTrue();
    }
}
