package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.RestartAttempts.Missed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Since when nodes are gone that hold the only copy of the volumes of members 0 to `members`-1. The time
/// comes from the journal: a run's own observation is not older than the run. `after` is how long a node
/// must be gone.
public record MissedMachines(ClusterState state, int members, Duration after) {
    public static List<NoteMachine> notes(EtcdClusterSpec spec, ClusterState state, int members) {
        var repairs = spec.declaration().handling().repairs();
        return new MissedMachines(state, members, repairs.machineGoneAfter())
                .notes(members > 1 && repairs.volumes() != Repairs.Mode.OFF);
    }

    /// Changes that the journal must still note, or notes that are out of date. Where a replacement is
    /// impossible (`counts` is false), no time starts to count.
    private List<NoteMachine> notes(boolean counts) {
        var notes = new ArrayList<NoteMachine>();
        for (int ordinal = 0; ordinal < members; ordinal++) {
            note(ordinal).filter(note -> counts || !note.gone()).ifPresent(notes::add);
        }
        return notes;
    }

    private Optional<NoteMachine> note(int ordinal) {
        var noted = noted().get(ordinal);
        var claim = claim(ordinal);
        var gone = claim.flatMap(c -> gone(c).map(home -> new Missed(c.uid(), home.name(), Instant.EPOCH)));
        if (gone.isPresent()) {
            return gone.filter(g -> noted == null || !noted.is(g.claimUid(), g.machine()))
                    .map(g -> new NoteMachine(state.ref(), ordinal, g.claimUid(), g.machine(), true));
        }
        return Optional.ofNullable(noted)
                .filter(_ -> !unread(ordinal, claim))
                .map(n -> new NoteMachine(state.ref(), ordinal, n.claimUid(), n.machine(), false));
    }

    /// Whether the member's node could not be read: then it is unknown whether the node exists.
    private boolean unread(int ordinal, Optional<ClaimState> claim) {
        var host = state.kube()
                .pod(ordinal)
                .flatMap(pod -> pod.life().whereabouts().host());
        return claim.flatMap(c -> c.volume().home())
                .or(() -> host)
                .filter(h -> !h.machine().isKnown())
                .isPresent();
    }

    /// The node, where it has been gone long enough and the member does not answer.
    Optional<Missed> due(int ordinal, RingState ring, Instant now) {
        boolean down = Optional.ofNullable(ring.byOrdinal(state.ref()).get(ordinal))
                .filter(m -> !m.learner() && !m.answers())
                .isPresent();
        return since(ordinal).filter(m -> down && !now.isBefore(m.since().plus(after)));
    }

    /// The noted entry, where it still applies.
    Optional<Missed> since(int ordinal) {
        return Optional.ofNullable(noted().get(ordinal))
                .filter(m -> claim(ordinal)
                        .flatMap(c -> gone(c).filter(home -> m.is(c.uid(), home.name())))
                        .isPresent());
    }

    /// A claim that is lost, or about to be deleted, is reported as such instead.
    private static Optional<Host> gone(ClaimState claim) {
        return claim.volume().home().filter(home -> home.gone() && claim.bound() && !claim.terminating());
    }

    private SortedMap<Integer, Missed> noted() {
        return state.kube().knownJournal().map(j -> j.past().tries().missed()).orElseGet(TreeMap::new);
    }

    private Optional<ClaimState> claim(int ordinal) {
        return state.kube().claim(ordinal).filter(claim -> !claim.released());
    }
}
