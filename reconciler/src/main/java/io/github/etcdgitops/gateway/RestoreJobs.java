package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.journal.Inspection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/// The Jobs that put a snapshot into a volume: `NAME-restore` into the claim of a new ring's member 0,
/// `NAME-HASH-drill` into a volume that is deleted with its pod. One pod receives the snapshot
/// ([SnapshotReceiver]), restores it with the ring's own etcd image, and ends; a drill's pod then serves
/// the data until the Job is deleted.
///
/// A third kind inspects the volume of a member that does not run, and changes nothing there: its pod
/// copies the data, starts etcd on the copy, and reports what is in it. A fourth kind only checks the room
/// on a volume, beside the member that may have it open, and a fifth one looks there for keys of etcd's v2 API.
///
/// A pod is never retried: a failed one is deleted and recreated under a new incarnation. Every call has
/// its own deadline and throws [GatewayException].
public interface RestoreJobs {
    /// How many characters of a ring's name are used: the name of a Job may have 63 characters.
    int NAME_KEPT = 46;

    /// Creates the claim of one member exactly as the ring's StatefulSet would, which then finds it by its
    /// name. CONFLICT when one exists, whoever created it.
    void createClaim(RingObjects wanted, int ordinal);

    /// CONFLICT when a Job of this name exists. REJECTED, before anything is sent, for what the etcd
    /// version does not support. Returns, as text, what differs from the request.
    Optional<String> create(RestoreJob job);

    /// Inspects the volume of a member that does not run. CONFLICT when a Job of this name exists.
    void inspect(InspectionJob job);

    /// Starts a pod that checks the free room on a member's volume, whether or not the member runs.
    /// CONFLICT when a Job of this name exists.
    void measure(RoomJob job);

    /// Starts a pod of the ring's own etcd image that looks for keys of etcd's v2 API on a member's volume, beside
    /// the running member: it cannot write there. It succeeds where it finds none, and fails with etcd's own words
    /// where it finds some or cannot look. CONFLICT when a Job of this name exists.
    void findV2Keys(V2KeysJob job);

    /// Acts as `ring`, which owns the Job. Read by name, and its pod from the API server's own store. Empty
    /// only when there is no such Job. REJECTED when the Job is not ours.
    Optional<State> read(ClusterRef ring, String namespace, String name);

    /// Deletes the Job of this UID, and its pod in the background. CONFLICT when another Job has the name
    /// by now, or it is gone.
    void delete(ClusterRef ring, String namespace, String name, String uid);

    /// Whether neither the Job nor any of its pods is left, so that its volume is free again.
    boolean gone(ClusterRef ring, String namespace, String name);

    /// The image of our own container in this pod: the one called `etcd-gitops`, or the only one. Empty
    /// when there is no such pod, or it has other containers.
    Optional<String> imageOf(String namespace, String pod);

    static String restoreName(ClusterRef ref) {
        return ref.name() + "-restore";
    }

    /// Rings of the same name from several namespaces may have drills in one namespace.
    static String drillName(ClusterRef ref) {
        String own = UUID.nameUUIDFromBytes(ref.toString().getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 8);
        return ref.name().substring(0, Math.min(NAME_KEPT, ref.name().length())) + "-" + own + "-drill";
    }

    /// One for each operation on a claim, whatever their names are.
    static String inspectionName(ClusterRef ref, String claimUid, String operation) {
        return name(ref, claimUid, operation, "-look");
    }

    /// The same for a check of the room.
    static String roomName(ClusterRef ref, String claimUid, String operation) {
        return name(ref, claimUid, operation, "-room");
    }

    /// The same for a search for keys of etcd's v2 API.
    static String v2KeysName(ClusterRef ref, String claimUid, String operation) {
        return name(ref, claimUid, operation, "-keys");
    }

    private static String name(ClusterRef ref, String claimUid, String operation, String kind) {
        String own = UUID.nameUUIDFromBytes((claimUid + "\n" + operation).getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 8);
        return ref.name().substring(0, Math.min(NAME_KEPT, ref.name().length())) + "-" + own + kind;
    }

    /// `incarnation`, `content` and `operation` are what the Job was created with: by them a later run
    /// recognizes it. `content` is the SHA-256 of the snapshot, 64 lower-case hexadecimal digits, or the
    /// pod that was observed before the inspection of a volume.
    record State(
            String uid, String incarnation, String content, String operation, Optional<PodState> pod, Phase phase) {}

    /// `ip` is empty until the pod has a network address.
    record PodState(String name, String uid, String ip) {}

    /// What a pod that does not start is missing; waits end depending on it.
    enum Lack {
        /// The Job's controller has created none, or may not.
        POD,
        MACHINE,
        /// An image that can be pulled, or another prerequisite of the container.
        CONTAINER,
        TIME
    }

    /// The progress of the Job.
    sealed interface Phase {
        /// Nothing runs. `why` is what the scheduler or the kubelet waits for, in our words; empty when
        /// they did not say.
        record Pending(Lack lack, String why) implements Phase {
            /// A prerequisite that becomes available by itself.
            public Pending(String why) {
                this(Lack.TIME, why);
            }
        }

        /// The receiver runs; it starts to listen a moment later.
        record Receiving() implements Phase {}

        record Restoring() implements Phase {}

        /// For an inspection: the data is being copied.
        record Copying() implements Phase {}

        /// For a restore: the data directory is being checked and written to disk.
        record Settling() implements Phase {}

        /// For a drill: etcd runs on the restored data. It answers a moment later, on the port of
        /// [MemberAccess.Door#CLIENT], plain.
        record Serving() implements Phase {}

        /// For an inspection: the contents of the volume. The Job stays until it is deleted.
        record Told(Inspection.Outcome.Told found) implements Phase {}

        /// For a check of the room: the free bytes.
        record Measured(long free) implements Phase {}

        record Succeeded() implements Phase {}

        /// `container` is empty when no single container failed. `exitCode` is -1 where there is none.
        /// `reason` is in our words; `excerpt` is the end of the container's output, on one line, printable
        /// and at most 300 characters.
        record Failed(String container, int exitCode, String reason, String excerpt) implements Phase {}
    }

    /// What a restore or drill Job does. `image` is our own, for receiving and settling; it is pulled with
    /// the ring's imagePullSecrets. `deadline` is for the whole Job, including the wait for a node; a drill
    /// ends with it. `bumpRevision` adds that number to the restored revision and marks everything before
    /// as compacted.
    record RestoreJob(
            RingObjects ring,
            Target target,
            Snapshot snapshot,
            Optional<Long> bumpRevision,
            String image,
            Duration deadline,
            String operation) {
        public String namespace() {
            return switch (target) {
                case Target.Volume _ -> ring.spec().ref().namespace();
                case Target.Scratch(String namespace, String _, Optional<String> _) -> namespace;
            };
        }

        public String name() {
            return switch (target) {
                case Target.Volume _ -> restoreName(ring.spec().ref());
                case Target.Scratch _ -> drillName(ring.spec().ref());
            };
        }
    }

    /// What an inspection Job does. `image` and `deadline` are as in [RestoreJob].
    record InspectionJob(RingObjects ring, Look look, String image, Duration deadline, String operation) {
        public String namespace() {
            return ring.spec().ref().namespace();
        }

        public String name() {
            return inspectionName(ring.spec().ref(), look.claimUid(), operation);
        }
    }

    /// The volume whose room a Job checks. `image` and `deadline` are as in [RestoreJob].
    record RoomJob(RingObjects ring, Room room, String image, Duration deadline, String operation) {
        public String namespace() {
            return ring.spec().ref().namespace();
        }

        public String name() {
            return roomName(ring.spec().ref(), room.claimUid(), operation);
        }
    }

    /// The data directory `incarnation` on the volume where a Job looks for keys of etcd's v2 API.
    record V2KeysJob(RingObjects ring, Room room, String incarnation, Duration deadline, String operation) {
        public String namespace() {
            return ring.spec().ref().namespace();
        }

        public String name() {
            return v2KeysName(ring.spec().ref(), room.claimUid(), operation);
        }
    }

    /// The volume of this claim. `machine` is the node of the pod that has it mounted, if any: no other
    /// node can mount a volume for a single node.
    record Room(String claim, String claimUid, Optional<String> machine) {}

    /// The data directory `incarnation` on this claim. `seen` is the member's pod, which does not run.
    record Look(String claim, String claimUid, String incarnation, String seen, Optional<Witness> witness) {
        public Look(String claim, String claimUid, String incarnation, String seen) {
            this(claim, claimUid, incarnation, seen, Optional.empty());
        }
    }

    /// The result is compared with other members' data: the copy is compacted up to the revision that they
    /// have `compacted`, and data that the member got from a leader after it had its own does not count.
    /// The pod runs on the `machine` that has the volume mounted, if any.
    record Witness(long compacted, Optional<String> machine) {}

    /// `skipHashCheck` is for a copied database file, which has no etcd digest at its end: its `digest`
    /// here is still checked.
    record Snapshot(SnapshotDigest digest, boolean skipHashCheck) {}

    /// `incarnation` names the data directory, which must not exist yet.
    sealed interface Target {
        String incarnation();

        /// The claim of member 0, of a ring with this token and, for now, only this member.
        record Volume(String incarnation, String token, String peerUrl) implements Target {}

        /// Space that is deleted with the pod. With a storage class it is a volume of the ring's size,
        /// where the server supports it (Kubernetes 1.23); otherwise the node's own disk.
        record Scratch(String namespace, String incarnation, Optional<String> storageClassName) implements Target {}
    }
}
