package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.state.BackupKey;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.Quorum;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// One instruction. Every step observes, decides, acts and verifies; says "already so" when it is; and
/// may be run again after a crash at any point of it. `ordinal` is always a StatefulSet ordinal.
public sealed interface Step {
    /// How closely the ring is looked at before the step.
    enum Gate {
        /// The step only waits, reads or writes our own notes.
        NONE,
        /// Nobody stopped us. For what reads the ring and touches backups only.
        UNSUSPENDED,
        /// Nobody stopped us, and the ring is where the plan said it would be.
        EXPECTED,
        /// That, and every member is well and agrees with the others. For whatever touches membership
        /// or a running member.
        GREEN
    }

    // --- founding a ring

    /// Creates the journal. Its creation is the lock and the proof that nothing of this name was here
    /// before.
    record OpenJournal(int size, EtcdVersion version, String operationId) implements Step {}

    /// Writes the file with which each member founds the ring. Unsafe to leave behind: sealed as soon
    /// as the ring is up.
    record WriteFoundingConfigs(int size) implements Step {}

    record CreateStatefulSet(int size) implements Step {}

    /// Waits until every founder has started, agrees on the others and knows the leader.
    record AwaitRing(int size) implements Step {}

    /// Journals the cluster id and member ids: from here on nobody may found this ring again.
    record RecordRing(int size) implements Step {}

    // --- objects

    /// Creates or mends objects that follow from the spec; restarts nothing.
    record ApplyObjects(SortedSet<ManagedObject> objects) implements Step {
        public ApplyObjects {
            objects = Collections.unmodifiableSortedSet(new TreeSet<>(objects));
        }

        public static ApplyObjects of(ManagedObject object) {
            return new ApplyObjects(new TreeSet<>(List.of(object)));
        }
    }

    /// Sets the disruption budget: how many pods an eviction must leave.
    record SetBudget(int minAvailable) implements Step {}

    /// Sets the budget to every pod and waits until the controller says so, so that no eviction joins
    /// in with the next step.
    record BlockEvictions(int pods) implements Step {}

    /// Replicas and partition together. Growing starts pods; shrinking ends pods that are members no
    /// more.
    record SetReplicas(int replicas) implements Step {}

    // --- a member joins

    /// Journals what is about to happen: a join needs a fresh data directory, a departure keeps the old
    /// one.
    record Begin(Intent.Kind kind, int ordinal, String operationId) implements Step {}

    record AddLearner(int ordinal) implements Step {}

    /// Servers before 3.4 have no learners: the newcomer counts for quorum from the start.
    record AddVoter(int ordinal) implements Step {}

    /// Writes the file with which an added member first starts.
    record WriteJoinConfig(int ordinal) implements Step {}

    /// Waits until the member has started and answers; until it votes, clients are kept away from it.
    record AwaitStarted(int ordinal) implements Step {}

    /// Replaces the member's file by one that lets it start on its own data only. Before it becomes a
    /// voter, never after.
    record SealMember(int ordinal) implements Step {}

    /// Lets the learner vote once the leader says it has caught up.
    record Promote(int ordinal) implements Step {}

    /// Lets clients reach the member.
    record AdmitClients(int ordinal) implements Step {}

    /// Waits until every voter answers, agrees and has caught up.
    record AwaitGreen() implements Step {}

    // --- a member leaves

    /// Moves the leadership off the member, if it has it.
    record YieldLeadership(int ordinal) implements Step {}

    /// Removes the member from the ring. Its data stays on its volume. `unwell` need not be well: a half-joined
    /// one that goes, and members that leave and do not come back. All others must be.
    record RemoveMember(int ordinal, Set<Integer> unwell) implements Step {}

    record AwaitPodGone(int ordinal) implements Step {}

    /// Takes the member's file away and marks its claim as released: the data is kept, unless it is a mere `copy`.
    record ReleaseMember(int ordinal, boolean copy) implements Step {}

    /// Journals that nothing is under way any more.
    record Finish(int ordinal) implements Step {}

    // --- backups

    /// Reads the ring and writes elsewhere.
    sealed interface OfBackup extends Step {
        BackupOrder order();
    }

    /// Streams a follower's database to the destination. What is stored has no manifest yet and is no
    /// backup.
    record SaveSnapshot(BackupOrder order) implements OfBackup {}

    /// Compares the members' hashes and what was stored, and writes the manifest of what the step
    /// before has saved.
    record CertifyBackup(BackupOrder order, String operationId) implements OfBackup {}

    /// Deletes backups, their manifests first, and what unfinished ones left. The newest verified one
    /// stays.
    record DeleteBackups(BackupOrder order, List<BackupKey> expired, List<BackupKey> leftovers) implements OfBackup {
        public DeleteBackups {
            expired = List.copyOf(expired);
            leftovers = List.copyOf(leftovers);
        }
    }

    /// Restores the newest backup into a volume of its own in `namespace`, compares what comes out,
    /// writes the result beside the manifest, and removes everything again.
    record TryRestore(BackupOrder order, BackupKey backup, String namespace, String operationId) implements OfBackup {}

    // --- a new ring from a backup

    /// Fills member 0 of a ring that is not there yet.
    sealed interface OfRestore extends Step {}

    /// Reads the whole snapshot and proves it, before anything is made.
    record VerifySource(RestoreOrder order) implements OfRestore {}

    /// Creates the journal of a ring of one, and says in it what the ring begins with.
    record OpenRestore(RestoreOrder order, EtcdVersion version, String operationId) implements OfRestore {}

    /// Makes the claim of member 0 as the StatefulSet would, which then takes it.
    record CreateClaim() implements OfRestore {}

    /// Brings the snapshot into the claim by a Job, in a data directory that nobody had before. Ends
    /// with the sealed configuration of member 0, and only that says that the data is whole.
    record LoadSnapshot(RestoreOrder order, String operationId) implements OfRestore {}

    /// Removes the Job and waits until its pod is gone: a volume is for one pod at a time.
    record EndRestoreJob() implements OfRestore {}

    /// Compares revision, keys and hash of the ring with what the manifest says.
    record CompareData(RestoreOrder order) implements OfRestore {}

    /// Journals cluster ID and member ID and that nothing is under way any more, in one write: a
    /// journal without either is one of a founding.
    record RecordRestored() implements OfRestore {}

    // --- members are restarted

    sealed interface OfRoll extends Step permits RollStep {}

    // --- certificates, and how the ring is talked to

    sealed interface OfTls extends Step permits TlsStep {}

    // --- volumes grow

    sealed interface OfGrowth extends Step permits GrowStep {}

    // --- a ring that somebody else has made

    sealed interface OfAdoption extends Step permits AdoptStep {}

    // --- a member's place is given to another one

    sealed interface OfReplacement extends Step permits ReplaceStep {}

    // --- stores are maintained

    sealed interface OfMaintenance extends Step permits MaintainStep {}

    /// A ring goes, or what was kept of it, or it comes back, or makes room, or is looked into for that.
    sealed interface OfDeletion extends Step
            permits DeleteStep, SnapshotStep, PurgeStep, ReturnStep, RecoverStep, RefoundStep, InspectStep, LookStep {}

    default Gate gate() {
        return switch (this) {
            case ReplaceStep replace -> replace.gate();
            case MaintainStep maintain -> maintain.gate();
            case RollStep roll -> roll.gate();
            case GrowStep grow -> grow.gate();
            case TlsStep tls -> tls.gate();
            case AdoptStep adopt -> adopt.gate();
            case OfDeletion deletion -> deletion.gate();
            case OfBackup _, OfRestore _ -> Gate.UNSUSPENDED;
            case OpenJournal _, WriteFoundingConfigs _, AwaitRing _, RecordRing _ -> Gate.NONE;
            case AwaitStarted _, AwaitGreen _, AwaitPodGone _, Finish _ -> Gate.NONE;
            case CreateStatefulSet _ -> Gate.EXPECTED;
            case ApplyObjects _, SetBudget _, BlockEvictions _, Begin _ -> Gate.EXPECTED;
            case WriteJoinConfig _, SealMember _, AdmitClients _, ReleaseMember _ -> Gate.EXPECTED;
            case SetReplicas _ -> Gate.EXPECTED;
            case AddLearner _, AddVoter _, Promote _, YieldLeadership _, RemoveMember _ -> Gate.GREEN;
        };
    }

    /// How long the step may take before it counts as failed. Generous where images are pulled and data
    /// is copied.
    default Duration deadline() {
        return switch (this) {
            case ReplaceStep replace -> replace.deadline();
            case MaintainStep maintain -> maintain.deadline();
            case RollStep roll -> roll.deadline();
            case GrowStep grow -> grow.deadline();
            case TlsStep tls -> tls.deadline();
            case AdoptStep adopt -> adopt.deadline();
            case OfDeletion deletion -> deletion.deadline();
            case AwaitRing _, AwaitStarted _ -> Duration.ofMinutes(10);
            case Promote _, AwaitGreen _, AwaitPodGone _ -> Duration.ofMinutes(5);
            case BlockEvictions _, YieldLeadership _ -> Duration.ofMinutes(1);
            case SaveSnapshot _, VerifySource _, LoadSnapshot _, TryRestore _ -> Duration.ofHours(12);
            case CertifyBackup _, DeleteBackups _, CompareData _ -> Duration.ofMinutes(30);
            case EndRestoreJob _ -> Duration.ofMinutes(5);
            case OpenJournal _,
                    WriteFoundingConfigs _,
                    CreateStatefulSet _,
                    RecordRing _,
                    ApplyObjects _,
                    SetBudget _,
                    SetReplicas _,
                    Begin _,
                    AddLearner _,
                    AddVoter _,
                    WriteJoinConfig _,
                    SealMember _,
                    AdmitClients _,
                    RemoveMember _,
                    ReleaseMember _,
                    OpenRestore _,
                    CreateClaim _,
                    RecordRestored _,
                    Finish _ -> Duration.ofMinutes(2);
        };
    }

    /// What the ring is after the step. Applying a step to a ring where it is already so changes nothing.
    default RingModel apply(RingModel ring) {
        return switch (this) {
            case CreateStatefulSet(int size) -> ring.withReplicas(size);
            case AwaitRing(int size) ->
                ring.withVoters(IntStream.range(0, size).boxed().toList());
            case SetBudget(int minAvailable) -> ring.withMinAvailable(minAvailable);
            case BlockEvictions(int pods) -> ring.withMinAvailable(pods);
            case SetReplicas(int replicas) -> ring.withReplicas(replicas);
            case AddLearner(int ordinal) -> ring.has(ordinal) ? ring : ring.withLearner(ordinal);
            case AddVoter(int ordinal) -> ring.has(ordinal) ? ring : ring.promoted(ordinal);
            case Promote(int ordinal) -> ring.promoted(ordinal);
            case RemoveMember(int ordinal, var unused) -> ring.without(ordinal);
            case ApplyObjects _, OpenJournal _, WriteFoundingConfigs _, RecordRing _, Begin _ -> ring;
            case WriteJoinConfig _, AwaitStarted _, SealMember _, AdmitClients _, AwaitGreen _ -> ring;
            case YieldLeadership _, AwaitPodGone _, ReleaseMember _, Finish _, OfBackup _, OfRestore _ -> ring;
            case ReplaceStep replace -> replace.apply(ring);
            case MaintainStep maintain -> maintain.apply(ring);
            case RollStep roll -> roll.apply(ring);
            case GrowStep grow -> grow.apply(ring);
            case TlsStep tls -> tls.apply(ring);
            case AdoptStep adopt -> adopt.apply(ring);
            case OfDeletion deletion -> deletion.apply(ring);
        };
    }

    /// The worst moment of the step. A removal has none of its own: the leaving member votes until the
    /// ring is the smaller one.
    default Quorum during(RingModel before) {
        var after = apply(before).quorum();
        if (this instanceof AddVoter(int ordinal) && !before.has(ordinal)) {
            // The new voter counts before its process runs.
            return new Quorum(after.voters(), after.healthy() - 1);
        }
        return after;
    }
}
