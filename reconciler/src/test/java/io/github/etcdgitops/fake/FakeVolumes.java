package io.github.etcdgitops.fake;

import static io.github.etcdgitops.gateway.GatewayException.Kind.CONFLICT;
import static io.github.etcdgitops.gateway.GatewayException.Kind.NOT_FOUND;
import static io.github.etcdgitops.gateway.GatewayException.Kind.REJECTED;
import static io.github.etcdgitops.gateway.GatewayException.Kind.UNREACHABLE;

import io.github.etcdgitops.fake.FakeRing.Claim;
import io.github.etcdgitops.fake.Oracle.Harm;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.RingVolumes;
import io.github.etcdgitops.gateway.RingVolumes.ClaimUser;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Quantity;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.VolumeState;
import io.github.etcdgitops.state.journal.Intent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/// The storage of a [FakeWorld]: its classes, those who make volumes larger, and what the API server
/// thinks of it. A volume grows in one tick, and its file system in the next one.
public final class FakeVolumes {
    static final String STANDARD = "standard";
    private static final String RESIZING = "Resizing";
    private static final String FILE_SYSTEM_PENDING = "FileSystemResizePending";

    private final FakeWorld world;
    private final Map<String, Expansion> classes = new HashMap<>(Map.of(STANDARD, Expansion.ALLOWED));
    private final Set<String> missing = new HashSet<>();
    private final Set<String> unreadable = new HashSet<>();
    private final Map<Claim, Optional<String>> pendingSince = new HashMap<>();
    private boolean offline;
    private boolean stuck;
    private boolean hidesPods;

    FakeVolumes(FakeWorld world) {
        this.world = world;
    }

    /// Bytes that are free on the claim's volume.
    static long free(Claim claim) {
        long size = Quantity.parse(claim.capacity).orElseThrow().value().longValueExact();
        return size - claim.taken;
    }

    public RingVolumes port() {
        return new Port();
    }

    public void storageClass(String name, Expansion expansion) {
        classes.put(name, expansion);
    }

    public void forget(String storageClass) {
        classes.remove(storageClass);
    }

    /// Nobody makes volumes of that class, since it is only a name.
    public void noClass(String name) {
        missing.add(name);
    }

    Claim claim(EtcdClusterSpec.Storage storage) {
        var claim = new Claim(world.nextUid(), storage);
        claim.pending = claim.storageClass.filter(missing::contains).isPresent();
        return claim;
    }

    public void unreadable(String storageClass) {
        unreadable.add(storageClass);
    }

    /// File systems grow only when a pod mounts them.
    public void offline(boolean isOffline) {
        offline = isOffline;
    }

    /// Nobody makes a volume larger.
    public void stuck(boolean isStuck) {
        stuck = isStuck;
    }

    /// From when a file system is all that is missing, the pods cannot be read.
    public void hidesPods() {
        hidesPods = true;
    }

    static VolumeState state(Claim claim) {
        return state(claim, Optional.empty());
    }

    static VolumeState state(Claim claim, Optional<Host> home) {
        return new VolumeState(
                new Storage(claim.asked, claim.storageClass),
                claim.lost ? Optional.empty() : Optional.of(claim.capacity),
                claim.conditions,
                home);
    }

    void tick(FakeRing ring) {
        ring.claims.forEach((ordinal, claim) -> {
            if (claim.lost || stuck || !smaller(claim.capacity, claim.asked)) {
                return;
            }
            var pod = Optional.ofNullable(ring.pods.get(ordinal)).map(p -> p.uid);
            if (claim.conditions.isEmpty()) {
                claim.conditions = List.of(RESIZING);
            } else if (claim.conditions.contains(RESIZING)) {
                claim.conditions = List.of(FILE_SYSTEM_PENDING);
                pendingSince.put(claim, pod);
                if (hidesPods) {
                    ring.unreadable.add(Part.PODS);
                }
            } else if (pod.isPresent() && (!offline || !pod.equals(pendingSince.get(claim)))) {
                claim.conditions = List.of();
                claim.capacity = claim.asked;
            }
        });
    }

    private static boolean smaller(String size, String other) {
        return quantity(size).compareTo(quantity(other)) < 0;
    }

    private static Quantity quantity(String size) {
        return Quantity.parse(size).orElseThrow();
    }

    private final class Port implements RingVolumes {
        @Override
        public Expansion expansion(String storageClass) {
            return world.call(null, () -> {
                requireApi();
                if (unreadable.contains(storageClass)) {
                    throw new GatewayException(UNREACHABLE, false, "the class cannot be read");
                }
                return classes.getOrDefault(storageClass, Expansion.NO_SUCH_CLASS);
            });
        }

        @Override
        public void expand(ClusterRef ref, String name, String uid, String size) {
            change(ref, "expand claim " + name + " to " + size, ring -> {
                var claim = FakeForeign.claim(ring, name);
                if (claim == null || !claim.uid.equals(uid)) {
                    throw new GatewayException(CONFLICT, false, "the claim that was read is gone");
                }
                FakePreconditions.guard(claim.ours, 0, 0);
                if (!smaller(claim.asked, size)) {
                    return;
                }
                if (mayNotGrow(claim)) {
                    throw new GatewayException(REJECTED, false, "its storage class does not allow it to grow");
                }
                claim.asked = size;
            });
        }

        @Override
        public void deleteClaim(ClusterRef ref, String name, String uid) {
            change(ref, "delete claim " + name, ring -> {
                var claim = FakeForeign.claim(ring, name);
                if (claim == null || !claim.uid.equals(uid)) {
                    throw new GatewayException(CONFLICT, false, "the claim that was read is gone");
                }
                FakePreconditions.guard(claim.ours, 0, 0);
                world.oracle().purges(ring, name);
                claim.terminating = true;
            });
        }

        @Override
        public List<ClaimUser> users(ClusterRef ref, Set<String> claims) {
            var ring = world.ring(ref);
            return world.call(ring, () -> {
                requireApi();
                var users = new TreeSet<ClaimUser>();
                ring.claims.keySet().stream()
                        .filter(o -> claims.contains(ring.claimTemplate + "-" + ref.podName(o)))
                        .forEach(ordinal -> {
                            if (ring.pods.containsKey(ordinal)) {
                                users.add(new ClaimUser(ClaimUser.Kind.POD, ref.podName(ordinal)));
                            }
                            if (ring.strangers.containsKey(ordinal)) {
                                users.add(new ClaimUser(ClaimUser.Kind.POD, ring.strangers.get(ordinal)));
                            }
                            if (ring.statefulSet != null) {
                                users.add(new ClaimUser(ClaimUser.Kind.STATEFUL_SET, ref.name()));
                            }
                        });
                return List.copyOf(users);
            });
        }

        /// What we may not read is for the API server to know: here it does not let it.
        private boolean mayNotGrow(Claim claim) {
            return claim.lost
                    || claim.storageClass
                            .map(classes::get)
                            .filter(Expansion.ALLOWED::equals)
                            .isEmpty();
        }

        @Override
        public boolean keepsTemplate(ClusterRef ref, String revision) {
            var ring = world.ring(ref);
            return world.call(ring, () -> {
                requireApi();
                return ring.templates.containsKey(revision);
            });
        }

        @Override
        public void orphan(ClusterRef ref, KubeState.StatefulSetState expected, long epoch) {
            change(ref, "orphan the pods", ring -> {
                world.oracle().needsObjects(ring, "orphan the pods");
                var set = FakePreconditions.statefulSet(ring, CONFLICT);
                if (!set.uid.equals(expected.uid()) || !set.resourceVersion.equals(expected.resourceVersion())) {
                    throw new GatewayException(CONFLICT, false, "the StatefulSet that was read is another one by now");
                }
                FakePreconditions.guard(set.ours, set.epoch, epoch);
                set.orphaning = true;
                set.resourceVersion = world.nextVersion();
            });
        }

        @Override
        public void recreate(RingObjects wanted, Intent.Recreation recreation) {
            change(wanted.spec().ref(), "recreate the StatefulSet with " + recreation.replicas(), ring -> {
                world.oracle().needsObjects(ring, "recreate the StatefulSet");
                if (!ring.sight.confirmed) {
                    world.oracle().breach(Harm.UNKNOWN_ACTED_UPON, ring, "recreated without reading by name first");
                }
                if (ring.statefulSet != null) {
                    throw new GatewayException(CONFLICT, false, "there is a StatefulSet already");
                }
                if (!ring.templates.containsKey(recreation.revision())) {
                    throw new GatewayException(NOT_FOUND, false, "the template is gone");
                }
                if (!wanted.claims().equals(ring.claimTemplate)) {
                    world.oracle().breach(Harm.UNKNOWN_ACTED_UPON, ring, "claims of another name: " + wanted.claims());
                }
                ring.statefulSet = recreated(wanted, recreation);
            });
        }

        private FakeRing.StatefulSet recreated(RingObjects wanted, Intent.Recreation recreation) {
            var set = new FakeRing.StatefulSet();
            set.uid = world.nextUid();
            set.resourceVersion = world.nextVersion();
            set.epoch = wanted.epoch();
            set.replicas = recreation.replicas();
            set.partition = recreation.replicas();
            set.replicasByUs = true;
            set.storage = recreation.storage();
            set.currentRevision = recreation.revision();
            set.updateRevision = recreation.revision();
            set.labels = FakeViews.render(ManagedObject.STATEFUL_SET_LABELS, wanted);
            return set;
        }
    }

    private void change(ClusterRef ref, String what, java.util.function.Consumer<FakeRing> act) {
        var ring = world.ring(ref);
        Supplier<FakeRing> effect = () -> {
            requireApi();
            act.accept(ring);
            return ring;
        };
        world.change(ring, what, effect);
    }

    private void requireApi() {
        if (world.isApiDown()) {
            throw new GatewayException(UNREACHABLE, false, "the API server does not answer");
        }
    }
}
