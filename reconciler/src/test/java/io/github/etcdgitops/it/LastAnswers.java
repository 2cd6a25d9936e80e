package io.github.etcdgitops.it;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// What each member of a ring answered last, and which of them count as down: after half a second without an
/// answer, or five seconds without a leader, until it answers and has a leader again.
///
/// Times are readings of [System#nanoTime]. On a busy machine a ring elects now and then: who answers in an
/// election is not gone, and has a leader soon. Safe for many threads.
public final class LastAnswers {
    private static final long SILENT = Duration.ofMillis(500).toNanos();
    private static final long LEADERLESS = Duration.ofSeconds(5).toNanos();

    /// An answer that is still being waited for is not a failure before that.
    private static final long UNDER_WAY = Duration.ofSeconds(2).toNanos();

    private final Map<String, Last> members = new HashMap<>();

    public enum Answer {
        NONE,
        WITHOUT_LEADER,
        LED
    }

    /// `failed` says that there was no answer since.
    private record Last(long answered, long led, boolean failed) {
        Last later(long nanos) {
            return new Last(answered + nanos, led + nanos, failed);
        }

        /// Whoever was away may not have found the others yet.
        Last withoutLeader(long now) {
            long silent = now - answered;
            boolean away = silent >= UNDER_WAY || failed && silent > SILENT;
            return away ? this : new Last(now, led, false);
        }
    }

    public synchronized void heard(String member, Answer answer, long now) {
        switch (answer) {
            case LED -> members.put(member, new Last(now, now, false));
            case WITHOUT_LEADER -> members.computeIfPresent(member, (_, last) -> last.withoutLeader(now));
            case NONE -> members.computeIfPresent(member, (_, last) -> new Last(last.answered(), last.led(), true));
        }
    }

    /// Its pod is gone.
    public synchronized void forget(String member) {
        members.remove(member);
    }

    /// So long nobody could ask: silence says nothing about the members.
    public synchronized void forgive(long nanos) {
        members.replaceAll((_, last) -> last.later(nanos));
    }

    /// `waiting` says that a question is under way.
    public synchronized boolean isDown(String member, long now, boolean waiting) {
        var last = members.get(member);
        if (last == null || now - last.led() > LEADERLESS) {
            return true;
        }
        long silent = now - last.answered();
        return silent > SILENT && !(waiting && silent < UNDER_WAY);
    }
}
