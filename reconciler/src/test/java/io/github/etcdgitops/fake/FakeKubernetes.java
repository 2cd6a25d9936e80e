package io.github.etcdgitops.fake;

import static io.github.etcdgitops.fake.FakePreconditions.expect;
import static io.github.etcdgitops.fake.FakePreconditions.guard;
import static io.github.etcdgitops.fake.FakePreconditions.newRevision;
import static io.github.etcdgitops.fake.FakePreconditions.newStatefulSet;
import static io.github.etcdgitops.fake.FakePreconditions.statefulSet;
import static io.github.etcdgitops.gateway.GatewayException.Kind.CONFLICT;
import static io.github.etcdgitops.gateway.GatewayException.Kind.NOT_FOUND;
import static io.github.etcdgitops.gateway.GatewayException.Kind.REJECTED;
import static io.github.etcdgitops.gateway.GatewayException.Kind.UNREACHABLE;

import io.github.etcdgitops.fake.Oracle.Harm;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.Foreign;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Listing;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.NamespaceQuota;
import io.github.etcdgitops.state.ObjectDrift;
import io.github.etcdgitops.state.health.StartTrouble;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.value.Observed;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// The API server of a [FakeWorld]: preconditions, conflicts, ownership and epochs as the real gateway
/// has them.
final class FakeKubernetes implements KubernetesGateway {
    private final FakeWorld world;

    FakeKubernetes(FakeWorld world) {
        this.world = world;
    }

    @Override
    public String clusterUid() {
        return up(() -> "kube-system-uid");
    }

    @Override
    public Optional<Instant> serverTime() {
        return up(() -> Optional.of(world.instant()));
    }

    @Override
    public Optional<String> namespaceSuspension(String namespace) {
        return up(() -> Optional.ofNullable(world.suspendedNamespaces().get(namespace)));
    }

    @Override
    public void ensureNamespace(ClusterRef ring, String namespace) {}

    @Override
    public Listing list(Predicate<ClusterRef> wanted) {
        return up(() -> {
            var rings = new TreeMap<ClusterRef, KubeState>();
            for (var ring : world.rings()) {
                if (ring.exists()) {
                    ring.sight.confirmed = false;
                    rings.put(ring.ref, FakeViews.state(ring, 0, false));
                }
            }
            return Listing.of(rings);
        });
    }

    @Override
    public KubeState read(ClusterRef ref, int claims) {
        var ring = world.ring(ref);
        return world.call(ring, () -> {
            var state = world.isApiDown()
                    ? KubeState.unread("the API server does not answer")
                    : FakeViews.state(ring, claims, true);
            see(ring, state);
            return state;
        });
    }

    /// Costs no call: whether somebody asks changes nothing.
    @Override
    public Optional<String> warning(ClusterRef ref, StartTrouble.Subject about) {
        var ring = world.ring(ref);
        boolean refused = about.kind().equals("StatefulSet") && ring.pods.size() >= ring.podQuota;
        return refused || (about.kind().equals("Job") && world.jobs().isRefused())
                ? Optional.of("FailedCreate: exceeded quota: pods")
                : Optional.empty();
    }

    @Override
    public List<NamespaceQuota> quotas(ClusterRef ref) {
        return up(() -> world.quotas().of(ref));
    }

    @Override
    public Observed<Optional<Foreign>> readForeign(ClusterRef ref) {
        var ring = world.ring(ref);
        return world.call(
                ring,
                () -> world.isApiDown()
                        ? Observed.unknown("the API server does not answer")
                        : Observed.known(Optional.ofNullable(ring.statefulSet).map(_ -> FakeForeign.view(ring))));
    }

    @Override
    public void keepForeign(ClusterRef ref, String uid, long epoch) {
        change(ref, "keep the foreign manifest", ring -> {
            FakeForeign.foreign(ring, uid);
            ring.kept = ring.statefulSet.manifest();
            return ring;
        });
    }

    @Override
    public void orphan(ClusterRef ref, String uid) {
        change(ref, "orphan", ring -> {
            FakeForeign.foreign(ring, uid);
            if (!ring.statefulSet.manifest().equals(ring.kept)) {
                throw new GatewayException(CONFLICT, false, "its manifest is not kept");
            }
            FakeForeign.orphan(ring);
            return ring;
        });
    }

    @Override
    public void takePod(ClusterRef ref, int ordinal, String uid) {
        change(ref, "take pod " + ordinal, ring -> {
            var pod = FakePreconditions.pod(ring, ordinal, uid);
            if (!pod.ours && pod.controller != null) {
                throw new GatewayException(CONFLICT, false, "a controller owns it");
            }
            pod.ours = true;
            pod.labels.put(SERVES_LABEL, "yes");
            return pod;
        });
    }

    @Override
    public void takeClaim(ClusterRef ref, String name, String uid) {
        change(ref, "take foreign claim " + name, ring -> {
            var claim = FakeForeign.claim(ring, name);
            if (claim == null || !claim.uid.equals(uid)) {
                throw new GatewayException(CONFLICT, false, "the claim that was read is gone");
            }
            claim.ours = true;
            return claim;
        });
    }

    @Override
    public void takeService(ClusterRef ref) {
        change(ref, "take the Service", ring -> {
            ring.objects.computeIfPresent(
                    ManagedObject.CLIENT_SERVICE, (_, thing) -> new FakeRing.Thing(true, 0, thing.content()));
            return ring;
        });
    }

    @Override
    public void recreateStatefulSet(RingObjects wanted, int replicas) {
        change(wanted.spec().ref(), "recreate StatefulSet with " + replicas, ring -> {
            if (ring.statefulSet != null) {
                throw new GatewayException(CONFLICT, false, "there is a StatefulSet already");
            }
            if (!wanted.claims().equals(ring.claimTemplate)) {
                world.oracle().breach(Harm.UNKNOWN_ACTED_UPON, ring, "claims of another name: " + wanted.claims());
            }
            ring.statefulSet = newStatefulSet(world, wanted, replicas);
            FakeForeign.recreated(ring);
            return ring;
        });
    }

    private static void see(FakeRing ring, KubeState state) {
        var sight = ring.sight;
        sight.confirmed = state.objects().confirmed();
        sight.blind = state.statefulSet().optional().isEmpty()
                || state.journal().optional().isEmpty()
                || state.pods().optional().isEmpty();
        sight.readyPods.clear();
        state.pods().optional().ifPresent(pods -> {
            pods.forEach((ordinal, pod) -> {
                if (pod.ready()) {
                    sight.readyPods.add(ordinal);
                }
            });
            sight.unseenFaults.retainAll(sight.readyPods);
            sight.unseenEvictions.retainAll(sight.readyPods);
        });
    }

    @Override
    public Map<ManagedObject, Map<String, Object>> render(RingObjects wanted) {
        var objects = new EnumMap<ManagedObject, Map<String, Object>>(ManagedObject.class);
        for (var object : ManagedObject.values()) {
            objects.put(object, FakeViews.render(object, wanted));
        }
        return objects;
    }

    @Override
    public List<ObjectDrift> drift(KubeState live, RingObjects wanted) {
        return FakeViews.drift(live.objects().live().optional().orElse(Map.of()), wanted);
    }

    @Override
    public String templateDigest(RingObjects wanted) {
        return FakeViews.templateDigest(wanted);
    }

    @Override
    public void apply(ManagedObject object, RingObjects wanted) {
        change(wanted.spec().ref(), "apply " + object.title(), ring -> {
            var content = FakeViews.render(object, wanted);
            if (object == ManagedObject.STATEFUL_SET_LABELS) {
                var set = statefulSet(ring, NOT_FOUND);
                set.epoch = guard(set.ours, set.epoch, wanted.epoch());
                set.labels = content;
                return set;
            }
            var live = ring.objects.get(object);
            if (live != null) {
                guard(live.ours(), live.epoch(), wanted.epoch());
                if (live.content().equals(content)) {
                    return live;
                }
            }
            if (object == ManagedObject.BUDGET) {
                ring.budgetSettled = false;
                ring.budgetByHand = false;
            }
            return ring.objects.put(object, new FakeRing.Thing(true, wanted.epoch(), content));
        });
    }

    @Override
    public void delete(ManagedObject object, ClusterRef ref, long epoch) {
        change(ref, "delete " + object.title(), ring -> {
            if (object == ManagedObject.STATEFUL_SET_LABELS) {
                throw new GatewayException(REJECTED, false, "members are never deleted with their labels");
            }
            var live = ring.objects.get(object);
            if (live != null) {
                guard(live.ours(), live.epoch(), epoch);
                ring.objects.remove(object);
            }
            return ring;
        });
    }

    @Override
    public String writeJournal(ClusterRef ref, Journal journal, Optional<String> resourceVersion) {
        return change(ref, "journal " + journal.intent().map(Intent::kind), ring -> {
            expect(Optional.ofNullable(ring.journal).map(KubeState.JournalState::resourceVersion), resourceVersion);
            ring.journal = new KubeState.JournalState(journal, world.nextVersion());
            return ring.journal.resourceVersion();
        });
    }

    @Override
    public void writeMemberConfig(RingObjects wanted, int ordinal, Optional<MemberConfig> config) {
        String what = "write config " + ordinal + " "
                + config.map(c -> c.getClass().getSimpleName()).orElse("none");
        change(wanted.spec().ref(), what, ring -> {
            if (FakeViews.unsafeToLeave(config)) {
                world.oracle().needsObjects(ring, what);
            }
            ring.configsEpoch = guard(true, ring.configsEpoch, wanted.epoch());
            ring.setConfig(ordinal, config, wanted.applied());
            return ring;
        });
    }

    @Override
    public void createStatefulSet(RingObjects wanted, int replicas) {
        var ref = wanted.spec().ref();
        String what = "create StatefulSet with " + replicas;
        change(ref, what, ring -> {
            world.oracle().needsObjects(ring, what);
            if (!ring.sight.confirmed) {
                world.oracle().breach(Harm.UNKNOWN_ACTED_UPON, ring, what + " without reading by name first");
            }
            if (ring.statefulSet != null) {
                throw new GatewayException(CONFLICT, false, "there is a StatefulSet already");
            }
            ring.claimTemplate = wanted.claims();
            ring.statefulSet = newStatefulSet(world, wanted, replicas);
            return ring;
        });
    }

    @Override
    public void setReplicas(ClusterRef ref, KubeState.StatefulSetState expected, int replicas, long epoch) {
        String what = "set replicas " + replicas;
        changeSet(ref, what, expected, epoch, set -> {
            set.replicas = replicas;
            set.partition = replicas;
            set.replicasByUs = true;
        });
    }

    @Override
    public void writeTemplate(RingObjects wanted, KubeState.StatefulSetState expected) {
        changeSet(
                wanted.spec().ref(), "write template " + wanted.applied().version(), expected, wanted.epoch(), set -> {
                    if (set.partition < set.replicas) {
                        throw new GatewayException(CONFLICT, false, "a roll is under way");
                    }
                    set.updateRevision = newRevision(world.ring(wanted.spec().ref()), wanted);
                });
    }

    @Override
    public void setPartition(ClusterRef ref, KubeState.StatefulSetState expected, int partition, long epoch) {
        changeSet(ref, "partition " + partition, expected, epoch, set -> {
            set.partition = partition;
            set.rolledByUs = true;
            set.upWhenLowered = FakeController.up(world.ring(ref));
            set.upWhenLowered.addAll(world.ring(ref).sight.unseenFaults);
        });
    }

    @Override
    public void reinstateTemplate(ClusterRef ref, KubeState.StatefulSetState expected, String digest, long epoch) {
        changeSet(ref, "reinstate template", expected, epoch, set -> {
            boolean former = expected.templateDigest().equals(digest);
            if (!former && !expected.rollout().inProgress()) {
                throw new GatewayException(CONFLICT, false, "the new template is the current one");
            }
            set.updateRevision = set.currentRevision;
            set.partition = set.replicas;
        });
    }

    private void changeSet(
            ClusterRef ref,
            String what,
            KubeState.StatefulSetState expected,
            long epoch,
            Consumer<FakeRing.StatefulSet> act) {
        change(ref, what, ring -> {
            world.oracle().needsObjects(ring, what);
            var set = statefulSet(ring, CONFLICT);
            if (!set.uid.equals(expected.uid())) {
                throw new GatewayException(CONFLICT, false, "the StatefulSet that was read is gone");
            }
            guard(set.ours, set.epoch, epoch);
            expect(Optional.of(set.resourceVersion), Optional.of(expected.resourceVersion()));
            act.accept(set);
            set.epoch = epoch;
            set.settled = false;
            set.resourceVersion = world.nextVersion();
            return set;
        });
    }

    @Override
    public void markPod(
            ClusterRef ref,
            int ordinal,
            String uid,
            SortedMap<String, String> labels,
            SortedMap<String, String> annotations) {
        change(ref, "mark pod " + ordinal + " " + labels, ring -> {
            var pod = FakePreconditions.pod(ring, ordinal, uid);
            pod.labels.putAll(labels);
            pod.marked |= !annotations.isEmpty();
            return pod;
        });
    }

    @Override
    public void markClaim(ClusterRef ref, String name, String uid, Optional<Instant> left) {
        change(ref, (left.isPresent() ? "release claim " : "take claim ") + name, ring -> {
            var claim = FakeForeign.claim(ring, name);
            if (claim == null || !claim.uid.equals(uid)) {
                throw new GatewayException(CONFLICT, false, "the claim that was read is gone");
            }
            guard(claim.ours, 0, 0);
            claim.released = left.isPresent();
            claim.releasedAt =
                    left.map(at -> at.truncatedTo(ChronoUnit.SECONDS)).orElse(null);
            return claim;
        });
    }

    @Override
    public void deletePod(ClusterRef ref, int ordinal, String uid) {
        String what = "delete pod " + ordinal;
        change(ref, what, ring -> {
            // A pod whose member has left disturbs no other member, whatever is unknown about them.
            if (ring.current != null && ring.current.byOrdinal(ordinal).isEmpty()) {
                world.oracle().needsObjects(ring, what);
            } else {
                world.oracle().needsMembers(ring, what, ordinal);
            }
            FakeController.end(ring, FakePreconditions.pod(ring, ordinal, uid));
            return ring;
        });
    }

    @Override
    public void releasePod(ClusterRef ref, int ordinal, String uid) {
        change(ref, "release pod " + ordinal, ring -> {
            if (!FakePreconditions.pod(ring, ordinal, uid).terminating) {
                throw new GatewayException(CONFLICT, false, "it is not being deleted");
            }
            if (ring.current.byOrdinal(ordinal).isPresent()) {
                world.oracle().breach(Harm.UNKNOWN_ACTED_UPON, ring, "released the pod of a member");
            }
            ring.stopProcess(ring.pods.remove(ordinal));
            ring.stopped.remove(ordinal);
            ring.elsewhere(ordinal);
            return ring;
        });
    }

    @Override
    public Optional<KubeState.PodState> pod(ClusterRef ref, int ordinal) {
        var ring = world.ring(ref);
        return world.call(ring, () -> {
            requireApi();
            return Optional.ofNullable(FakeViews.pods(ring, true).get(ordinal));
        });
    }

    @Override
    public Optional<LeaseState> readLease(ClusterRef ref) {
        var ring = world.ring(ref);
        return world.call(ring, () -> {
            requireApi();
            return Optional.ofNullable(ring.lease);
        });
    }

    @Override
    public String writeLease(ClusterRef ref, LeaseState lease, Optional<String> resourceVersion) {
        return change(ref, "lease " + lease.holder().orElse("given up"), ring -> {
            expect(Optional.ofNullable(ring.lease).flatMap(LeaseState::resourceVersion), resourceVersion);
            String version = world.nextVersion();
            ring.lease = new LeaseState(
                    lease.holder(),
                    lease.renewed(),
                    lease.durationSeconds(),
                    lease.transitions(),
                    Optional.of(version));
            return version;
        });
    }

    @Override
    public boolean podMayRun(String namespace, String name, String uid) {
        return up(() -> world.hasOtherPod(namespace, name, uid)
                || world.rings().stream()
                        .filter(r -> r.ref.namespace().equals(namespace))
                        .flatMap(r -> r.pods.entrySet().stream()
                                .filter(p -> r.ref.podName(p.getKey()).equals(name)))
                        .anyMatch(p -> p.getValue().uid.equals(uid)));
    }

    @Override
    public void close() {}

    private <T> T change(ClusterRef ref, String what, Function<FakeRing, T> act) {
        var ring = world.ring(ref);
        return world.change(ring, what, () -> {
            requireApi();
            return act.apply(ring);
        });
    }

    private <T> T up(Supplier<T> read) {
        return world.call(null, () -> {
            requireApi();
            return read.get();
        });
    }

    private void requireApi() {
        if (world.isApiDown()) {
            throw new GatewayException(UNREACHABLE, false, "the API server does not answer");
        }
    }
}
