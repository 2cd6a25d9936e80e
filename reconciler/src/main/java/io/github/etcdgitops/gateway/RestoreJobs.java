package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.journal.Inspection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/// The Jobs that put a snapshot into a volume: `NAME-restore` into the claim of a new ring's member 0,
/// `NAME-HASH-drill` into a volume that goes with its pod. One pod receives the snapshot
/// ([SnapshotReceiver]), restores it with the ring's own etcd image, and ends; a drill's pod then
/// serves the data until the Job is deleted.
///
/// A third kind looks into the volume of a member that does not run, and changes nothing there: its pod
/// copies the data, starts etcd on the copy, and tells what is in it. A fourth kind looks at the room on a
/// volume only, beside the member that may have it open.
///
/// A pod is never tried twice: what failed is deleted and made anew, under a new incarnation. Every
/// call has a deadline of its own and throws [GatewayException].
public interface RestoreJobs {
    /// Of a ring's name: the name of a Job may have 63 characters.
    int NAME_KEPT = 46;

    /// Creates the claim of one member exactly as the ring's StatefulSet would, which then finds it by
    /// its name. CONFLICT when one is there, whoever made it.
    void createClaim(RingObjects wanted, int ordinal);

    /// CONFLICT when a Job of this name is there. REJECTED, before anything is sent, for what the etcd
    /// version cannot do. Returns what was done otherwise than asked for, in words.
    Optional<String> create(RestoreJob job);

    /// Has the volume of a member that does not run looked into. CONFLICT when a Job of this name is there.
    void inspect(InspectionJob job);

    /// Has a pod look how much room there is on a member's volume, whether or not the member runs. CONFLICT
    /// when a Job of this name is there.
    void measure(RoomJob job);

    /// As `ring`, whose Job it is. By name, and its pod from the API server's own store. Empty only when there is no
    /// such Job.
    /// REJECTED when the Job is not one of ours.
    Optional<State> read(ClusterRef ring, String namespace, String name);

    /// Deletes the Job of this UID, and its pod in the background. CONFLICT when it is another one by
    /// now, or gone.
    void delete(ClusterRef ring, String namespace, String name, String uid);

    /// Whether neither the Job nor any pod of it is left, so that its volume is free again.
    boolean gone(ClusterRef ring, String namespace, String name);

    /// Image of our own container in this pod: the one called `etcd-gitops`, or the only one. Empty when
    /// there is no such pod, or it has other containers.
    Optional<String> imageOf(String namespace, String pod);

    static String restoreName(ClusterRef ref) {
        return ref.name() + "-restore";
    }

    /// Rings of the same name from several namespaces may be drilled in one.
    static String drillName(ClusterRef ref) {
        String own = UUID.nameUUIDFromBytes(ref.toString().getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 8);
        return ref.name().substring(0, Math.min(NAME_KEPT, ref.name().length())) + "-" + own + "-drill";
    }

    /// One for each operation on a claim, whatever both are called.
    static String inspectionName(ClusterRef ref, String claimUid, String operation) {
        return name(ref, claimUid, operation, "-look");
    }

    /// The same for a look at the room.
    static String roomName(ClusterRef ref, String claimUid, String operation) {
        return name(ref, claimUid, operation, "-room");
    }

    private static String name(ClusterRef ref, String claimUid, String operation, String kind) {
        String own = UUID.nameUUIDFromBytes((claimUid + "\n" + operation).getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 8);
        return ref.name().substring(0, Math.min(NAME_KEPT, ref.name().length())) + "-" + own + kind;
    }

    /// `incarnation`, `content` and `operation` are what the Job was made with: by them a later run knows
    /// whose it is. `content` is the SHA-256 of the snapshot, 64 lower-case hexadecimal digits, or the pod
    /// that was seen before a volume was looked into.
    record State(
            String uid, String incarnation, String content, String operation, Optional<PodState> pod, Phase phase) {}

    /// `ip` is empty until the pod has a network.
    record PodState(String name, String uid, String ip) {}

    /// What a pod that does not start is in want of: by it, waits end.
    enum Lack {
        /// The Job's controller has made none, or may not.
        POD,
        MACHINE,
        /// An image that can be pulled, or what else the kubelet makes a container of.
        CONTAINER,
        TIME
    }

    /// How far it is.
    sealed interface Phase {
        /// Nothing runs. `why` is what the scheduler or the kubelet waits for, in our words; empty when
        /// they did not say.
        record Pending(Lack lack, String why) implements Phase {
            /// What comes by itself.
            public Pending(String why) {
                this(Lack.TIME, why);
            }
        }

        /// The receiver runs; it listens a moment later.
        record Receiving() implements Phase {}

        record Restoring() implements Phase {}

        /// Of a look into a volume: its data is being copied.
        record Copying() implements Phase {}

        /// Of a restore: the data directory is being looked at and written through.
        record Settling() implements Phase {}

        /// Of a drill: etcd runs on the restored data. It answers a moment later, on
        /// the port of [MemberAccess.Door#CLIENT], plain.
        record Serving() implements Phase {}

        /// Of a look into a volume: what is there. The Job stays until it is deleted.
        record Told(Inspection.Outcome.Told found) implements Phase {}

        /// Of a look at the room on a volume: bytes that are free.
        record Measured(long free) implements Phase {}

        record Succeeded() implements Phase {}

        /// `container` is empty when it was not one container that failed. `exitCode` is -1 where there
        /// is none. `reason` is in our words; `excerpt` is the end of what the container said, on one
        /// line, printable and at most 300 characters.
        record Failed(String container, int exitCode, String reason, String excerpt) implements Phase {}
    }

    /// What a Job shall do. `image` is our own, for receiving and settling; it is pulled with the ring's
    /// imagePullSecrets. `deadline` is for the whole Job, waiting for a machine included; a drill ends
    /// with it. `bumpRevision` adds so much to the restored revision and marks everything before as
    /// compacted.
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

    /// What a Job shall look into. `image` and `deadline` are as in [RestoreJob].
    record InspectionJob(RingObjects ring, Look look, String image, Duration deadline, String operation) {
        public String namespace() {
            return ring.spec().ref().namespace();
        }

        public String name() {
            return inspectionName(ring.spec().ref(), look.claimUid(), operation);
        }
    }

    /// Whose room a Job shall look at. `image` and `deadline` are as in [RestoreJob].
    record RoomJob(RingObjects ring, Room room, String image, Duration deadline, String operation) {
        public String namespace() {
            return ring.spec().ref().namespace();
        }

        public String name() {
            return roomName(ring.spec().ref(), room.claimUid(), operation);
        }
    }

    /// The volume of this claim. `machine` is the Node of the pod that has it mounted, if one has: no other can
    /// mount a volume for one machine alone.
    record Room(String claim, String claimUid, Optional<String> machine) {}

    /// The data directory `incarnation` on this claim. `seen` is the member's pod, which does not run.
    record Look(String claim, String claimUid, String incarnation, String seen, Optional<Witness> witness) {
        public Look(String claim, String claimUid, String incarnation, String seen) {
            this(claim, claimUid, incarnation, seen, Optional.empty());
        }
    }

    /// What is told is compared with what other members have: the copy is compacted up to the revision that
    /// they have `compacted`, and data that the member got from a leader after it had its own counts for
    /// nothing. The pod runs on the `machine` that has the volume mounted, if one has.
    record Witness(long compacted, Optional<String> machine) {}

    /// `skipHashCheck` is for a copied database file, which has no digest of etcd's own at its end: its
    /// `digest` here still holds.
    record Snapshot(SnapshotDigest digest, boolean skipHashCheck) {}

    /// `incarnation` names the data directory, which must not be there yet.
    sealed interface Target {
        String incarnation();

        /// The claim of member 0, of a ring with this token and, for now, this one member.
        record Volume(String incarnation, String token, String peerUrl) implements Target {}

        /// Space that goes with the pod. With a storage class it is a volume of the ring's size, where
        /// the server can (Kubernetes 1.23); otherwise the machine's own disk.
        record Scratch(String namespace, String incarnation, Optional<String> storageClassName) implements Target {}
    }
}
