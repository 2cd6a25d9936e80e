package io.github.etcdgitops.worlds;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.RingProbe;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Looks at the ring between steps for what the oracle does not call harm yet, because it only becomes
/// harm with one more failure. What was so before we came is not ours.
final class Watch {
    private final FakeWorld world;
    private final RingProbe ring;
    /// Members whose file must not be one to start empty with once they vote: learners, and voters that
    /// were sealed.
    private final Set<Integer> safe = new TreeSet<>();
    /// Members that have had a pod since we came.
    private final TreeSet<Integer> placed = new TreeSet<>();
    private final List<String> seen = new ArrayList<>();

    Watch(FakeWorld world, RingProbe ring) {
        this.world = world;
        this.ring = ring;
        if (ring.journal().filter(Journal::founded).isPresent()) {
            safe.addAll(ring.voters());
            safe.removeAll(ring.unsealed());
            joiningVoter().forEach(safe::remove);
        }
    }

    List<String> seen() {
        return seen;
    }

    void look(String where) {
        safe.addAll(ring.learners());
        safe.removeIf(o -> !ring.voters().contains(o) && !ring.learners().contains(o));
        var unsealed = new TreeSet<>(ring.unsealed());
        unsealed.retainAll(ring.voters());
        unsealed.retainAll(safe);
        if (!unsealed.isEmpty() && seen.size() < 5) {
            seen.add("UNSEALED_VOTER " + unsealed + " at " + where + ", tick " + world.ticks());
        }
        if (founding() && ring.acknowledged() > 0 && !ring.unsealed().isEmpty() && seen.size() < 5) {
            seen.add("CLIENTS_BEFORE_SEALS of " + ring.unsealed() + " at " + where + ", tick " + world.ticks());
        }
        placed.removeIf(o -> !ring.voters().contains(o));
        var unplaced = new TreeSet<>(placed.tailSet(replicas()));
        if (!unplaced.isEmpty() && seen.size() < 5) {
            seen.add("VOTER_WITHOUT_POD " + unplaced + " at " + where + ", tick " + world.ticks());
        }
        placed.addAll(ring.voters());
        placed.removeIf(o -> o >= replicas());
    }

    /// Where the StatefulSet is being made anew, or ours in another's place, or was deleted, what the
    /// journal says. Where it makes room for another ring, or its founding begins anew, whoever was a voter
    /// is none any more.
    private int replicas() {
        boolean madeRoom = ring.journal()
                .filter(journal -> journal.isUnderWay(Intent.Kind.RECOVER)
                        || journal.isUnderWay(Intent.Kind.RESTORE)
                        || (journal.isUnderWay(Intent.Kind.FOUND) && !journal.founded()))
                .isPresent();
        if (madeRoom) {
            return Integer.MAX_VALUE;
        }
        var gone = ring.journal().filter(journal -> journal.remains().isPresent());
        if (gone.isPresent()) {
            return gone.get().members().size();
        }
        return ring.hasStatefulSet()
                ? ring.replicas()
                : ring.journal()
                        .flatMap(journal -> journal.unsettled()
                                ? Optional.of(journal.members().size())
                                : journal.recreation().map(Intent.Recreation::replicas))
                        .orElse(0);
    }

    private boolean founding() {
        return ring.journal()
                .flatMap(Journal::intent)
                .filter(i -> i.kind() == Intent.Kind.FOUND)
                .isPresent();
    }

    /// Before 3.4 a newcomer votes before it has a pod or can be sealed.
    private Set<Integer> joiningVoter() {
        var joining = new TreeSet<Integer>();
        ring.journal()
                .filter(j -> !j.applied().version().hasLearners())
                .flatMap(Journal::intent)
                .filter(i -> i.kind() == Intent.Kind.JOIN)
                .ifPresent(i -> joining.add(i.ordinal()));
        return joining;
    }
}
