package io.github.etcdgitops.ring.storage;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.journal.Journal;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Steps for volumes of removed members, in a ring of `members` with no change under way: UID of the claim
/// by ordinal.
public sealed interface LeftStep extends Step {
    int members();

    SortedMap<Integer, String> claims();

    /// Writes the removal date on claims that have none.
    record DateDepartures(int members, SortedMap<Integer, String> claims) implements LeftStep {
        public DateDepartures {
            claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        }

        @Override
        public Facts facts() {
            return Facts.of("DateDepartures", Gate.GREEN).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Record today as the departure date on the volume claims " + of(ref);
        }
    }

    /// Deletes claims by their UIDs, and waits until they are gone. Skips a claim that has been recreated
    /// since. Cannot be undone.
    record DeleteLeftClaims(int members, SortedMap<Integer, String> claims) implements LeftStep {
        public DeleteLeftClaims {
            claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        }

        @Override
        public Facts facts() {
            return Facts.of("DeleteLeftClaims", Gate.GREEN)
                    .undo("no: what the former members had on these volumes is deleted; the ring has its own data")
                    .within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Delete permanently the volume claims " + of(ref);
        }

        /// The plan counted from the date on the claim, so the date must still be there.
        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return LeftStep.super
                    .obstacle(fresh)
                    .or(() -> fresh.kube().claims().optional().orElseThrow().entrySet().stream()
                            .filter(claim -> claim.getValue().uid().equals(claims.get(claim.getKey())))
                            .map(claim -> claim.getValue())
                            .filter(claim -> !claim.dated())
                            .findFirst()
                            .map(claim -> "the claim " + claim.name() + " has no departure date"));
        }
    }

    default String of(ClusterRef ref) {
        return claims().entrySet().stream()
                .map(c -> "of " + ref.podName(c.getKey()) + " (UID " + c.getValue() + ")")
                .collect(Collectors.joining(", "));
    }

    @Override
    default Optional<String> obstacle(ClusterState fresh) {
        var there = fresh.kube().claims().optional();
        if (there.isEmpty()) {
            return Optional.of("the claims could not be read");
        }
        return there.get().entrySet().stream()
                .filter(claim -> claim.getValue().uid().equals(claims().get(claim.getKey())))
                .flatMap(claim -> needed(claim.getKey(), members(), fresh).stream())
                .findFirst();
    }

    /// Why the claim of this ordinal was not left by a removed member of a ring of `members` with no change
    /// under way. Fails closed.
    static Optional<String> needed(int ordinal, int members, ClusterState state) {
        var claim = state.kube().claim(ordinal);
        if (claim.filter(ClaimState::ours).filter(ClaimState::released).isEmpty()) {
            return Optional.of("no member of this ring has released the claim of "
                    + state.ref().podName(ordinal));
        }
        boolean pod = state.kube()
                .pods()
                .optional()
                .filter(pods -> !pods.containsKey(ordinal))
                .isEmpty();
        if (ordinal < members || pod) {
            return Optional.of(state.ref().podName(ordinal) + " has the claim "
                    + claim.get().name());
        }
        return resting(members, state);
    }

    private static Optional<String> resting(int members, ClusterState state) {
        var journal = state.kube().knownJournal();
        var set = state.kube().knownSet();
        var ordinals = ordinals(members);
        boolean whole = state.ring()
                .optional()
                .filter(ring -> ring.voterOrdinals(state.ref()).equals(ordinals))
                .filter(ring -> ring.members().size() == members)
                .isPresent();
        boolean known = journal.map(Journal::members)
                .filter(m -> m.keySet().equals(ordinals))
                .isPresent();
        boolean sized =
                set.filter(s -> s.replicas() == members && !s.terminating()).isPresent();
        if (!whole || !known || !sized) {
            return Optional.of(
                    "the ring, its journal and its StatefulSet do not have the same " + members + " members");
        }
        return journal.filter(j -> j.intent().isEmpty() && j.remains().isEmpty() && !j.unsettled())
                        .isPresent()
                ? Optional.empty()
                : Optional.of("a change of the ring is under way");
    }

    private static SortedSet<Integer> ordinals(int members) {
        return IntStream.range(0, members).boxed().collect(Collectors.toCollection(TreeSet::new));
    }
}
