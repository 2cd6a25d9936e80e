package io.github.etcdgitops.state.underway;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.RestartAttempts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Members that were to join and did not start. Each attempt copies all data: after some attempts a person
/// has to check.
public record JoinAttempts(SortedMap<Integer, RestartAttempts.Joined> known) {
    /// After this many, the next one needs an approval.
    public static final int MOST = 3;

    /// The wait after each number of attempts.
    private static final List<Duration> BACK_OFF = List.of(Duration.ZERO, Duration.ZERO, Duration.ofMinutes(5));

    private static final Duration AFTER_THAT = Duration.ofMinutes(45);

    /// After this time, the cause may be gone.
    private static final Duration FORGOTTEN = Duration.ofDays(2);

    /// What happens with the next attempt.
    public sealed interface Next {
        record Now() implements Next {}

        record Later(int failed, Instant when) implements Next {}

        record Asked(int failed) implements Next {}
    }

    public static JoinAttempts of(ClusterState state) {
        return new JoinAttempts(
                state.kube().knownJournal().map(j -> j.past().tries().joins()).orElseGet(TreeMap::new));
    }

    public Next next(int ordinal, Instant now) {
        return next(failed(ordinal, now), last(ordinal), now);
    }

    /// The same after the current attempt is given up.
    public Next afterThis(int ordinal, Instant now) {
        return next(failed(ordinal, now) + 1, now, now);
    }

    /// The same for a new member in another one's place, which is given up only for the next one.
    public Next instead(int ordinal, Instant now) {
        return next(failed(ordinal, now) + 1, last(ordinal), now);
    }

    private static Next next(int failed, Instant last, Instant now) {
        var when = last.plus(failed < MOST ? BACK_OFF.get(failed) : failed == MOST ? Duration.ZERO : AFTER_THAT);
        if (now.isBefore(when)) {
            return new Next.Later(failed, when);
        }
        return failed < MOST ? new Next.Now() : new Next.Asked(failed);
    }

    private int failed(int ordinal, Instant now) {
        return Optional.ofNullable(known.get(ordinal))
                .filter(joined -> now.isBefore(joined.last().plus(FORGOTTEN)))
                .map(RestartAttempts.Joined::failed)
                .orElse(0);
    }

    private Instant last(int ordinal) {
        return Optional.ofNullable(known.get(ordinal))
                .map(RestartAttempts.Joined::last)
                .orElse(Instant.EPOCH);
    }

    /// Whether the volume of a member that does not vote came with its join, by the claim's UID: then its
    /// data is not needed.
    public static boolean hasCopy(ClusterState state, int ordinal) {
        boolean votes = state.ring().optional().stream()
                .flatMap(ring -> ring.voterOrdinals(state.ref()).stream())
                .anyMatch(voter -> voter == ordinal);
        var claim = state.kube().claim(ordinal);
        return !votes
                && Optional.ofNullable(of(state).known().get(ordinal))
                        .filter(joined ->
                                claim.filter(c -> joined.came(c.uid())).isPresent())
                        .isPresent();
    }

    /// Why a member that was to join will not start by waiting: its container fails again and again, its
    /// volume is lost, or the only node that has it is gone. The data that it has copied is not needed: the
    /// other members have all of it.
    public static Optional<String> stuck(ClusterState state, int ordinal) {
        var member = state.ring()
                .optional()
                .flatMap(ring -> Optional.ofNullable(ring.byOrdinal(state.ref()).get(ordinal)));
        if (member.filter(m -> !m.answers()).isEmpty()) {
            return Optional.empty();
        }
        return gone(state, ordinal)
                .or(() -> state.kube()
                        .pod(ordinal)
                        .filter(p -> !p.ready() && p.restarts() >= Failing.RESTARTS && hasItsFile(state, ordinal))
                        .map(p -> p.name() + " was to join, and its container was restarted " + p.restarts()
                                + " times without success"));
    }

    /// What is wrong with the volume that it would join on.
    public static Optional<String> gone(ClusterState state, int ordinal) {
        var claim = state.kube().claim(ordinal);
        return claim.filter(KubeState.ClaimState::lost)
                .map(c -> "the volume of " + c.name() + " is gone")
                .or(() -> claim.flatMap(c -> c.volume()
                        .home()
                        .filter(home -> home.gone() && c.bound())
                        .map(home -> "the node " + home.name() + ", the only one with the volume of " + c.name()
                                + ", is gone")));
    }

    private static boolean hasItsFile(ClusterState state, int ordinal) {
        var journalled = state.kube()
                .knownJournal()
                .flatMap(j -> Optional.ofNullable(j.members().get(ordinal)))
                .map(Journal.Member::incarnation);
        return state.kube().config(ordinal).map(MemberConfig::incarnation).equals(journalled);
    }
}
