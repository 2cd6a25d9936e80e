package io.github.etcdgitops.ring.backup;

import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import io.github.etcdgitops.validation.Location;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The backups that the policies ask for in a ring, and the stored ones.
///
/// `restore` is what the ring is to start from and that does not exist yet, if not empty. `missing` is the
/// policy that the ring names, where no policy has that name. `rejected` is where policies are written that
/// may apply to the ring and cannot be carried out. `fresh` are the rules that require a recent backup
/// before changes, as far as they apply now. `clock` says why our clock cannot be trusted, if it cannot.
public record BackupNeeds(
        String environment,
        List<OfPolicy> policies,
        Optional<Restore> restore,
        Optional<String> missing,
        List<Location> rejected,
        List<Rule.BackupFreshness> fresh,
        Optional<String> clock) {
    public static final BackupNeeds NONE = new BackupNeeds("", List.of());

    public BackupNeeds(String environment, List<OfPolicy> policies) {
        this(environment, policies, Optional.empty(), Optional.empty(), List.of());
    }

    /// Where no rule requires recent backups.
    public BackupNeeds(
            String environment,
            List<OfPolicy> policies,
            Optional<Restore> restore,
            Optional<String> missing,
            List<Location> rejected) {
        this(environment, policies, restore, missing, rejected, List.of(), Optional.empty());
    }

    public BackupNeeds {
        policies = List.copyOf(policies);
        rejected = List.copyOf(rejected);
        fresh = List.copyOf(fresh);
    }

    /// The same, where such rules apply.
    public BackupNeeds asking(List<Rule.BackupFreshness> rules) {
        return new BackupNeeds(environment, policies, restore, missing, rejected, rules, clock);
    }

    /// The same, where our clock is in doubt.
    public BackupNeeds doubting(Optional<String> why) {
        return new BackupNeeds(environment, policies, restore, missing, rejected, fresh, why);
    }

    /// What the documents ask for about restoring the ring.
    public sealed interface Restore {
        /// The ring must not be created now.
        record Awaited(String reason) implements Restore {}

        record Wanted(RestoreOrder order) implements Restore {}

        /// The ring already exists; `why` says why it stays.
        record Asked(String request, String why) implements Restore {}

        /// The existing ring, with this cluster ID, makes way for another one.
        record InPlace(RestoreOrder order, EtcdId former) implements Restore {}
    }

    /// One policy's part, and its backups of the ring with its current cluster ID.
    public record OfPolicy(BackupPolicy policy, Observed<RingBackups> stored, Dues dues) {}

    /// `scheduled` says why a backup is due by the schedule, if one is, and `next` when the following one
    /// is due. `requested` are the documents that ask for a backup and have none yet. `expired` are the
    /// backups that retention no longer keeps.
    public record Dues(
            Optional<String> scheduled, Optional<Instant> next, List<String> requested, List<BackupKey> expired) {
        public static final Dues NONE = new Dues(Optional.empty(), Optional.empty(), List.of(), List.of());

        public Dues {
            requested = List.copyOf(requested);
            expired = List.copyOf(expired);
        }

        /// `own` are the backups of the current ring. `pinned` are the ids of backups that a document wants
        /// to start a ring from.
        public static Dues of(
                BackupPolicy policy, RingBackups own, List<String> requested, Set<String> pinned, Instant now) {
            var newest = own.newest().map(StoredBackup::taken);
            var due = policy.timing().map(timing -> Due.of(timing, newest, now));
            var next = policy.timing().flatMap(timing -> due.flatMap(d -> d.next(timing, now)));
            return new Dues(due.flatMap(Dues::why), next, requested, expired(policy, own, pinned, now));
        }

        private static Optional<String> why(Due due) {
            return switch (due) {
                case Due.First _ -> Optional.of("this ring has no verified backup yet");
                case Due.Since(Instant since) -> Optional.of("the schedule asked for one at " + since);
                case Due.Later _, Due.ClockBehind _ -> Optional.empty();
            };
        }

        /// Backups that the policy's retention no longer keeps, for the ring with one cluster ID. A pinned
        /// backup stays, and does not use up the slot of another one.
        public static List<BackupKey> expired(BackupPolicy policy, RingBackups own, Set<String> pinned, Instant now) {
            var candidates = own.backups().stream()
                    .filter(b -> !pinned.contains(b.id()))
                    .map(b -> new Kept.Candidate(b.id(), Optional.of(b.taken()), b.verified(), b.purpose()))
                    .toList();
            var goes = Kept.of(candidates, policy.retention(), now).goes();
            return own.backups().stream()
                    .filter(b -> goes.contains(b.id()))
                    .map(StoredBackup::key)
                    .toList();
        }
    }
}
