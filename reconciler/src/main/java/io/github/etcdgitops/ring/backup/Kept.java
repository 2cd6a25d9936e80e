package io.github.etcdgitops.ring.backup;

import io.github.etcdgitops.spec.BackupPolicy.Retention;
import io.github.etcdgitops.state.backup.StoredBackup.Purpose;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// Which backups of one ring a retention keeps, with the reasons, and which ones it lets expire, oldest
/// first.
///
/// A backup stays if one rule keeps it. Days, weeks (ISO 8601) and months count only where there are
/// backups: a span without backups uses up no slot. Each rule is evaluated on all backups, and again on the
/// verified ones alone, so that an unverified backup never displaces a verified one. Rules count scheduled
/// backups and backups before changes separately: a busy week must not push out months of history, nor the
/// history push out the backups before a change. These never expire: the newest verified backup of all, a
/// backup of unknown age, and a backup that a document asks for, which uses up no slot either.
public record Kept(SortedMap<String, List<String>> reasons, List<String> goes) {
    public Kept {
        var copy = new TreeMap<String, List<String>>();
        reasons.forEach((id, why) -> copy.put(id, List.copyOf(why)));
        reasons = Collections.unmodifiableSortedMap(copy);
        goes = List.copyOf(goes);
    }

    /// `taken` is when the snapshot started; empty where its manifest cannot be read.
    public record Candidate(String id, Optional<Instant> taken, boolean verified, Purpose purpose) {
        /// A scheduled backup.
        Candidate(String id, Optional<Instant> taken, boolean verified) {
            this(id, taken, verified, Purpose.SCHEDULE);
        }

        boolean asked() {
            return purpose == Purpose.REQUEST;
        }

        private Instant time() {
            return taken.orElseThrow();
        }
    }

    /// Newest first. For equal instants the ids decide, so that the answer is always the same.
    private static final Comparator<Candidate> NEWEST_FIRST =
            Comparator.comparing(Candidate::time).thenComparing(Candidate::id).reversed();

    public static Kept of(List<Candidate> backups, Retention retention, Instant now) {
        var reasons = new TreeMap<String, List<String>>();
        var candidates = new ArrayList<Candidate>();
        for (var backup : backups) {
            var exempt = exempt(backup, retention, now);
            exempt.ifPresent(why -> add(reasons, backup.id(), why));
            if (exempt.isEmpty()) {
                candidates.add(backup);
            }
        }
        candidates.sort(NEWEST_FIRST);
        var verified = candidates.stream().filter(Candidate::verified).toList();
        for (var list : List.of(candidates, verified)) {
            for (var purpose : Purpose.values()) {
                var alike = list.stream().filter(b -> b.purpose() == purpose).toList();
                rules(alike, retention, now, reasons);
            }
        }
        verified.stream().findFirst().ifPresent(newest -> add(reasons, newest.id(), "the newest verified backup"));
        var goes = candidates.reversed().stream()
                .map(Candidate::id)
                .filter(id -> !reasons.containsKey(id))
                .distinct()
                .toList();
        return new Kept(reasons, goes);
    }

    /// Why no rule applies. A time in the future would outlive every real one, and push the real ones out.
    private static Optional<String> exempt(Candidate backup, Retention retention, Instant now) {
        if (backup.asked()) {
            return Optional.of("taken on request");
        }
        if (backup.taken().isEmpty()) {
            return Optional.of("its age is unknown");
        }
        if (backup.time().isAfter(now)) {
            return Optional.of("its age is unknown: its time " + backup.time() + " is in the future");
        }
        return retention.keepsAll() ? Optional.of("the policy has no rule that deletes backups") : Optional.empty();
    }

    private static void rules(
            List<Candidate> newestFirst, Retention retention, Instant now, SortedMap<String, List<String>> reasons) {
        var zone = retention.zone();
        firstOfEach(newestFirst, retention.last(), b -> b, "last", reasons);
        retention
                .within()
                .ifPresent(age -> newestFirst.stream()
                        .filter(backup -> !backup.time().isBefore(now.minus(age)))
                        .forEach(backup -> add(reasons, backup.id(), "within " + Period.title(age))));
        firstOfEach(newestFirst, retention.daily(), b -> b.time().atZone(zone).toLocalDate(), "daily", reasons);
        firstOfEach(newestFirst, retention.weekly(), b -> Week.of(b.time().atZone(zone)), "weekly", reasons);
        firstOfEach(
                newestFirst, retention.monthly(), b -> YearMonth.from(b.time().atZone(zone)), "monthly", reasons);
    }

    /// Keeps the newest of each span, for that many spans.
    private static void firstOfEach(
            List<Candidate> newestFirst,
            OptionalInt count,
            Function<Candidate, Object> span,
            String rule,
            SortedMap<String, List<String>> reasons) {
        var seen = new HashSet<Object>();
        for (var backup : newestFirst) {
            if (seen.size() < count.orElse(0) && seen.add(span.apply(backup))) {
                add(reasons, backup.id(), rule + " " + count.getAsInt());
            }
        }
    }

    private static void add(SortedMap<String, List<String>> reasons, String id, String why) {
        var list = reasons.computeIfAbsent(id, _ -> new ArrayList<>());
        if (!list.contains(why)) {
            list.add(why);
        }
    }

    /// A week belongs to the year that holds its Thursday.
    private record Week(int year, int number) {
        static Week of(ZonedDateTime time) {
            return new Week(time.get(IsoFields.WEEK_BASED_YEAR), time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
        }
    }
}
