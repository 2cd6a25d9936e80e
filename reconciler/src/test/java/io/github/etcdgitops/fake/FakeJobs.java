package io.github.etcdgitops.fake;

import io.github.etcdgitops.fake.FakeRing.Claim;
import io.github.etcdgitops.fake.FakeRing.DataDir;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.gateway.SnapshotReceiver;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.underway.ReceivingVolume;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/// The Jobs of restores and drills in a [FakeWorld], and the receivers in their pods. A Job goes one phase further
/// whenever it is read, as the kubelet lets it.
public final class FakeJobs {
    private final FakeWorld world;
    private final Map<String, FakeJob> jobs = new HashMap<>();
    private final Map<String, FakeLook> looks = new HashMap<>();
    private final Map<String, FakeLookAtRoom> rooms = new HashMap<>();
    private boolean stuck;
    private boolean failing;
    private boolean refused;

    FakeJobs(FakeWorld world) {
        this.world = world;
    }

    /// No machine takes the pods of Jobs that are made from now on, ever.
    public void stuck(boolean isStuck) {
        stuck = isStuck;
    }

    /// A quota lets no Job have a pod.
    public void refused(boolean isRefused) {
        refused = isRefused;
    }

    boolean isRefused() {
        return refused;
    }

    /// etcd refuses every snapshot.
    public void failing(boolean isFailing) {
        failing = isFailing;
    }

    public int count() {
        return jobs.size() + looks.size() + rooms.size();
    }

    public RestoreJobs port() {
        return new Port();
    }

    public SnapshotReceiver receiver() {
        return this::receive;
    }

    /// What the drill at this address serves, with the users of the ring that the snapshot is of.
    FakeSnapshot served(MemberAccess.Pod pod) {
        return jobs.values().stream()
                .filter(job -> job.uid.equals(pod.name()) && job.phase instanceof RestoreJobs.Phase.Serving)
                .map(job -> FakeSnapshot.read(job.received))
                .findFirst()
                .orElseThrow(() -> new GatewayException(Kind.UNREACHABLE, false, pod + " does not answer"));
    }

    private static final class FakeJob {
        final RestoreJobs.RestoreJob wanted;
        final String uid;
        final boolean stuck;
        RestoreJobs.Phase phase = new RestoreJobs.Phase.Pending("");
        byte[] received = {};

        FakeJob(RestoreJobs.RestoreJob wanted, String uid, boolean stuck) {
            this.wanted = wanted;
            this.uid = uid;
            this.stuck = stuck;
        }
    }

    private final class Port implements RestoreJobs {
        @Override
        public void createClaim(RingObjects wanted, int ordinal) {
            var ring = world.ring(wanted.spec().ref());
            world.change(ring, "create claim " + ordinal, () -> {
                if (ring.claims.containsKey(ordinal)) {
                    throw new GatewayException(Kind.CONFLICT, false, "there is a claim already");
                }
                return ring.claims.put(
                        ordinal, new Claim(world.nextUid(), wanted.spec().storage()));
            });
        }

        @Override
        public Optional<String> create(RestoreJob job) {
            return world.change(ring(job), "create Job " + job.name(), () -> {
                if (jobs.putIfAbsent(key(job.namespace(), job.name()), new FakeJob(job, world.nextUid(), stuck))
                        != null) {
                    throw new GatewayException(Kind.CONFLICT, false, "there is a Job already");
                }
                return Optional.empty();
            });
        }

        @Override
        public void inspect(InspectionJob job) {
            world.change(world.ring(job.ring().spec().ref()), "create Job " + job.name(), () -> {
                var look = new FakeLook(world.ring(job.ring().spec().ref()), job, world.nextUid(), stuck);
                if (looks.putIfAbsent(key(job.namespace(), job.name()), look) != null) {
                    throw new GatewayException(Kind.CONFLICT, false, "there is a Job already");
                }
                return look;
            });
        }

        @Override
        public void measure(RoomJob job) {
            var ring = world.ring(job.ring().spec().ref());
            beside(ring, job.namespace(), job.name(), () -> new FakeLookAtRoom(ring, job, world.nextUid(), stuck));
        }

        @Override
        public void findV2Keys(V2KeysJob job) {
            var ring = world.ring(job.ring().spec().ref());
            beside(ring, job.namespace(), job.name(), () -> new FakeLookAtRoom(ring, job, world.nextUid(), stuck));
        }

        private void beside(FakeRing ring, String namespace, String name, Supplier<FakeLookAtRoom> made) {
            world.change(ring, "create Job " + name, () -> {
                var room = made.get();
                if (rooms.putIfAbsent(key(namespace, name), room) != null) {
                    throw new GatewayException(Kind.CONFLICT, false, "there is a Job already");
                }
                return room;
            });
        }

        @Override
        public Optional<State> read(ClusterRef ring, String namespace, String name) {
            if (rooms.containsKey(key(namespace, name))) {
                return world.call(
                        null, () -> Optional.of(rooms.get(key(namespace, name)).state()));
            }
            if (looks.containsKey(key(namespace, name))) {
                return world.call(
                        null, () -> Optional.of(looks.get(key(namespace, name)).state()));
            }
            return world.call(
                    null,
                    () -> Optional.ofNullable(jobs.get(key(namespace, name))).map(job -> {
                        job.phase = next(job);
                        var wanted = job.wanted;
                        return new State(
                                job.uid,
                                wanted.target().incarnation(),
                                wanted.snapshot().digest().sha256(),
                                wanted.operation(),
                                refused ? Optional.empty() : Optional.of(new PodState(job.uid, job.uid, "10.9.9.9")),
                                job.phase);
                    }));
        }

        @Override
        public void delete(ClusterRef ring, String namespace, String name, String uid) {
            var look = looks.get(key(namespace, name));
            if (look != null && look.uid.equals(uid)) {
                world.change(look.ring, "delete Job " + name, () -> looks.remove(key(namespace, name)));
                return;
            }
            var room = rooms.get(key(namespace, name));
            if (room != null && room.uid.equals(uid)) {
                world.change(room.ring, "delete Job " + name, () -> rooms.remove(key(namespace, name)));
                return;
            }
            var job = jobs.get(key(namespace, name));
            if (job == null || !job.uid.equals(uid)) {
                throw new GatewayException(Kind.CONFLICT, false, "the Job that was read is gone");
            }
            world.change(ring(job.wanted), "delete Job " + name, () -> jobs.remove(key(namespace, name)));
        }

        @Override
        public boolean gone(ClusterRef ring, String namespace, String name) {
            return !jobs.containsKey(key(namespace, name))
                    && !looks.containsKey(key(namespace, name))
                    && !rooms.containsKey(key(namespace, name));
        }

        @Override
        public Optional<String> imageOf(String namespace, String pod) {
            return Optional.of("etcd-gitops");
        }
    }

    private FakeRing ring(RestoreJobs.RestoreJob job) {
        return world.ring(job.ring().spec().ref());
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }

    private RestoreJobs.Phase next(FakeJob job) {
        return switch (job.phase) {
            case RestoreJobs.Phase.Pending _ ->
                refused
                        ? new RestoreJobs.Phase.Pending(RestoreJobs.Lack.POD, "there is no pod yet")
                        : job.stuck || outOfReach(job)
                                ? new RestoreJobs.Phase.Pending(RestoreJobs.Lack.MACHINE, "no machine has room")
                                : new RestoreJobs.Phase.Receiving();
            case RestoreJobs.Phase.Receiving _ ->
                job.received.length == 0 ? job.phase : new RestoreJobs.Phase.Restoring();
            case RestoreJobs.Phase.Restoring _ -> restore(job);
            case RestoreJobs.Phase.Settling _ -> new RestoreJobs.Phase.Succeeded();
            case RestoreJobs.Phase.Serving _,
                    RestoreJobs.Phase.Succeeded _,
                    RestoreJobs.Phase.Failed _,
                    RestoreJobs.Phase.Copying _,
                    RestoreJobs.Phase.Measured _,
                    RestoreJobs.Phase.Told _ -> job.phase;
        };
    }

    /// No other machine than the one that is gone can mount the volume that it fills.
    private boolean outOfReach(FakeJob job) {
        return job.wanted.target() instanceof RestoreJobs.Target.Volume && FakeViews.homeless(ring(job.wanted), 0);
    }

    private RestoreJobs.Phase restore(FakeJob job) {
        if (failing) {
            return new RestoreJobs.Phase.Failed("restore", 1, "it ended with an error", "");
        }
        return switch (job.wanted.target()) {
            case RestoreJobs.Target.Scratch _ -> new RestoreJobs.Phase.Serving();
            case RestoreJobs.Target.Volume volume -> fill(job, volume);
        };
    }

    /// A directory that is there is never written over.
    private RestoreJobs.Phase fill(FakeJob job, RestoreJobs.Target.Volume volume) {
        var ring = ring(job.wanted);
        var claim = ring.claims.get(0);
        if (claim == null || claim.dirs.containsKey(volume.incarnation())) {
            return new RestoreJobs.Phase.Failed("restore", 1, "the data directory is there", "");
        }
        var cluster = new FakeCluster(ring, FakeWorld.idOf(volume.token()));
        var member = cluster.add(FakeWorld.idOf(volume.token() + volume.peerUrl()), volume.peerUrl());
        member.name = ring.ref.podName(0);
        var snapshot = FakeSnapshot.read(job.received);
        cluster.keys = new FakeKeys(snapshot);
        cluster.users = FakeUsers.of(snapshot.users());
        ring.clusters.put(cluster.id, cluster);
        claim.dirs.put(volume.incarnation(), new DataDir(cluster, member.id));
        return new RestoreJobs.Phase.Settling();
    }

    private void receive(
            MemberAccess.Pod pod, SnapshotDigest content, InputStream bytes, Duration stall, LongConsumer sent)
            throws IOException {
        var job = jobs.values().stream()
                .filter(j -> j.uid.equals(pod.name()) && j.phase instanceof RestoreJobs.Phase.Receiving)
                .findFirst()
                .orElseThrow(() -> new GatewayException(Kind.UNREACHABLE, false, pod + " does not listen"));
        byte[] all = bytes.readNBytes((int) content.size());
        sent.accept(all.length);
        if (!sha256(all).equals(content.sha256())
                || !job.wanted.snapshot().digest().equals(content)) {
            throw new GatewayException(Kind.REJECTED, false, "the receiver said no: other bytes");
        }
        if (job.wanted.target() instanceof RestoreJobs.Target.Volume) {
            long free = FakeVolumes.free(ring(job.wanted).claims.get(0));
            if (free < ReceivingVolume.needed(content.size())) {
                throw new GatewayException(Kind.REJECTED, false, "the receiver said no: the volume is too small");
            }
        }
        job.received = all;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
