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

/// What the policies ask for a ring's backups, and what there is.
///
/// `restore` is what a ring shall begin with that is not there yet, if not empty. `missing` is
/// the policy that the ring names where there is none of that name; `rejected` is where policies are
/// written that may hold for the ring and cannot be carried out. `fresh` are the rules by which changes begin where a
/// backup is young enough, as far as they count now. `clock` is why ours cannot be trusted, if it cannot.
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

    /// Where no rule asks for fresh ones.
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

    /// The same, where such rules count.
    public BackupNeeds asking(List<Rule.BackupFreshness> rules) {
        return new BackupNeeds(environment, policies, restore, missing, rejected, rules, clock);
    }

    /// The same, where our clock is in doubt.
    public BackupNeeds doubting(Optional<String> why) {
        return new BackupNeeds(environment, policies, restore, missing, rejected, fresh, why);
    }

    /// What the documents say of restoring the ring.
    public sealed interface Restore {
        /// It must not be founded now.
        record Awaited(String reason) implements Restore {}

        record Wanted(RestoreOrder order) implements Restore {}

        /// The ring is there already, and why it stays.
        record Asked(String request, String why) implements Restore {}

        /// The ring that is there, with this cluster ID, makes room for another one.
        record InPlace(RestoreOrder order, EtcdId former) implements Restore {}
    }

    /// One policy's share, and what it keeps of the ring with the cluster ID that the ring has now.
    public record OfPolicy(BackupPolicy policy, Observed<RingBackups> stored, Dues dues) {}

    /// `scheduled` says why a backup is due by the schedule, if one is, and `next` when the one after it will be;
    /// `requested` are the documents that ask for one and were not answered yet; `expired` is what retention keeps
    /// no longer.
    public record Dues(
            Optional<String> scheduled, Optional<Instant> next, List<String> requested, List<BackupKey> expired) {
        public static final Dues NONE = new Dues(Optional.empty(), Optional.empty(), List.of(), List.of());

        public Dues {
            requested = List.copyOf(requested);
            expired = List.copyOf(expired);
        }

        /// `own` are the backups of the ring as it is now, `pinned` the ids of those that somebody wants to begin a
        /// ring
        /// with.
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

        /// What the policy's retention keeps no longer, of the ring with one cluster ID. What is pinned stays, and
        /// takes
        /// no place of another.
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
