package io.github.etcdgitops.state.journal;

import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What was done so far about members that do not start, by ordinal, and when a member was last replaced.
/// `inspected` is what was found on their volumes, `missed` are nodes that have the only copy of a member's
/// volume and when they were first seen to be gone, `joins` are attempts of members to join. It is stored
/// in the journal: a run that forgot it would start again each time. Only observing a failure is no
/// attempt.
public record RestartAttempts(
        SortedMap<Integer, Tried> members,
        Optional<Instant> replaced,
        SortedMap<Integer, Inspection> inspected,
        SortedMap<Integer, Missed> missed,
        SortedMap<Integer, Joined> joins) {
    public static final RestartAttempts NONE = new RestartAttempts(new TreeMap<>(), Optional.empty());

    /// `count` pods of this member were deleted so that it starts again, the last of them `pod`, by its
    /// UID.
    public record Tried(EtcdId member, int count, Instant last, String pod) {}

    /// `machine` is the only node with the volume of the claim of this UID, and is gone since then at the
    /// latest.
    public record Missed(String claimUid, String machine, Instant since) {
        public boolean is(String claim, String name) {
            return claimUid.equals(claim) && machine.equals(name);
        }
    }

    /// How many attempts of a member to join have failed, and when the last one did. `fresh` where there
    /// was no claim before the attempt; `claim` is the UID of the claim that came with it, once observed.
    /// Only that claim certainly holds nothing but a copy.
    public record Joined(int failed, Instant last, boolean fresh, Optional<String> claim) {
        public boolean came(String uid) {
            return fresh && claim.filter(uid::equals).isPresent();
        }
    }

    public RestartAttempts {
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
        inspected = Collections.unmodifiableSortedMap(new TreeMap<>(inspected));
        missed = Collections.unmodifiableSortedMap(new TreeMap<>(missed));
        joins = Collections.unmodifiableSortedMap(new TreeMap<>(joins));
    }

    public RestartAttempts(SortedMap<Integer, Tried> members, Optional<Instant> replaced) {
        this(members, replaced, new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    }

    public RestartAttempts missing(int ordinal, Missed machine) {
        var more = new TreeMap<>(missed);
        more.put(ordinal, machine);
        return new RestartAttempts(members, replaced, inspected, more, joins);
    }

    public RestartAttempts found(int ordinal) {
        var fewer = new TreeMap<>(missed);
        fewer.remove(ordinal);
        return new RestartAttempts(members, replaced, inspected, fewer, joins);
    }

    public RestartAttempts with(int ordinal, Tried tried) {
        var more = new TreeMap<>(members);
        more.put(ordinal, tried);
        return new RestartAttempts(more, replaced, inspected, missed, joins);
    }

    public RestartAttempts with(int ordinal, Inspection inspection) {
        var more = new TreeMap<>(inspected);
        more.put(ordinal, inspection);
        return new RestartAttempts(members, replaced, more, missed, joins);
    }

    /// The members that replace these start without attempts.
    public RestartAttempts replaced(Iterable<Integer> ordinals, Instant when) {
        var fewer = new TreeMap<>(members);
        var unknown = new TreeMap<>(inspected);
        var others = new TreeMap<>(missed);
        for (int ordinal : ordinals) {
            fewer.remove(ordinal);
            unknown.remove(ordinal);
            others.remove(ordinal);
        }
        return new RestartAttempts(fewer, Optional.of(when), unknown, others, joins);
    }

    public RestartAttempts with(int ordinal, Joined joined) {
        var more = new TreeMap<>(joins);
        more.put(ordinal, joined);
        return new RestartAttempts(members, replaced, inspected, missed, more);
    }

    /// Its volume holds more than what it copied.
    public RestartAttempts keeping(int ordinal) {
        var known = Optional.ofNullable(joins.get(ordinal));
        return known.map(joined -> with(ordinal, new Joined(joined.failed(), joined.last(), false, Optional.empty())))
                .orElse(this);
    }

    /// They have joined.
    public RestartAttempts joined(Iterable<Integer> ordinals) {
        var fewer = new TreeMap<>(joins);
        ordinals.forEach(fewer::remove);
        return new RestartAttempts(members, replaced, inspected, missed, fewer);
    }

    /// One more attempt has failed.
    public RestartAttempts failed(int ordinal, Instant when) {
        var known = joins.getOrDefault(ordinal, new Joined(0, when, false, Optional.empty()));
        return with(ordinal, new Joined(known.failed() + 1, when, known.fresh(), known.claim()));
    }

    /// The claim of the current attempt exists. Unchanged where it was known, or where another one was.
    public RestartAttempts seen(int ordinal, String uid) {
        return Optional.ofNullable(joins.get(ordinal))
                .filter(joined -> joined.fresh() && joined.claim().isEmpty())
                .map(joined -> with(ordinal, new Joined(joined.failed(), joined.last(), true, Optional.of(uid))))
                .orElse(this);
    }
}
