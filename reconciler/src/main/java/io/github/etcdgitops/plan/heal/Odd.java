package io.github.etcdgitops.plan.heal;

import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.repair.Place;
import io.github.etcdgitops.ring.repair.Place.Standing;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.journal.Intent.Why;
import io.github.etcdgitops.state.member.MemberState;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Members whose data is not what a majority of all voters has, and those that are down beside them.
record Odd(Healing healing) {
    /// Empty where nobody is known to differ, and as long as a voter is away that may come back: etcd adds nobody
    /// meanwhile.
    Optional<Healing.Repair> repair() {
        var differing = healing.differences().formers();
        var places = new TreeMap<Integer, Place>();
        differing.keySet().forEach(ordinal -> places.put(ordinal, healing.place(ordinal, Why.DIVERGED)));
        down().forEach(places::putIfAbsent);
        if (differing.isEmpty() || !places.keySet().containsAll(silent())) {
            return Optional.empty();
        }
        var consent = healing.differences().consent();
        boolean asks = healing.lately() || !places.values().stream().allMatch(this::unasked);
        return Optional.of(healing.repair(
                places,
                healing.withFailing(differing, places),
                asks && consent == Consent.STANDING ? Consent.NEEDED : consent));
    }

    private SortedMap<Integer, MemberState> voters() {
        var voters = new TreeMap<>(healing.ring().byOrdinal(healing.spec().ref()));
        voters.values().removeIf(MemberState::learner);
        return voters;
    }

    private Set<Integer> silent() {
        var silent = voters();
        silent.values().removeIf(MemberState::answers);
        return silent.keySet();
    }

    /// Who does not come back by waiting. A majority has the same data without it, and writes nothing under the
    /// alarm, so that no other pod is tried first.
    SortedMap<Integer, Place> down() {
        var places = new TreeMap<Integer, Place>();
        if (healing.mode() != Mode.OFF) {
            places.putAll(healing.lost());
        }
        if (healing.repairs().members() != Mode.OFF) {
            healing.ladder()
                    .failing()
                    .keySet()
                    .forEach(ordinal -> places.putIfAbsent(ordinal, healing.place(ordinal, Why.FAILING)));
        }
        places.values().removeIf(place -> place.former() != Standing.DOWN);
        return places;
    }

    /// Whether the spec lets it be replaced without asking anybody.
    boolean unasked(Place place) {
        return (place.claim().lost() ? healing.mode() : healing.repairs().members()) == Mode.AUTOMATIC;
    }
}
