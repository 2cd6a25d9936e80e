package io.github.etcdgitops.plan.heal;

import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.repair.ReplacementSlot;
import io.github.etcdgitops.ring.repair.ReplacementSlot.Standing;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.journal.Intent.Why;
import io.github.etcdgitops.state.member.MemberState;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Members whose data differs from that of a majority of all voters, and members that are down besides.
record Odd(RingDamage damage) {
    /// Empty where no member is known to differ, and as long as an absent voter may come back: etcd adds no
    /// member until then.
    Optional<Repair> repair() {
        var differing = damage.differences().formers();
        var places = new TreeMap<Integer, ReplacementSlot>();
        differing.keySet().forEach(ordinal -> places.put(ordinal, damage.place(ordinal, Why.DIVERGED)));
        down().forEach(places::putIfAbsent);
        if (differing.isEmpty() || !places.keySet().containsAll(silent())) {
            return Optional.empty();
        }
        var consent = damage.differences().consent();
        boolean asks = damage.lately() || !places.values().stream().allMatch(this::unasked);
        return Optional.of(damage.repair(
                places,
                damage.withFailing(differing, places),
                asks && consent == Consent.STANDING ? Consent.NEEDED : consent));
    }

    private SortedMap<Integer, MemberState> voters() {
        var voters = new TreeMap<>(damage.ring().byOrdinal(damage.ref()));
        voters.values().removeIf(MemberState::learner);
        return voters;
    }

    private Set<Integer> silent() {
        var silent = voters();
        silent.values().removeIf(MemberState::answers);
        return silent.keySet();
    }

    /// Members that do not come back by waiting. A majority has the same data without them and writes
    /// nothing under the alarm, so no other pod is tried first.
    SortedMap<Integer, ReplacementSlot> down() {
        var places = new TreeMap<Integer, ReplacementSlot>();
        if (damage.mode() != Mode.OFF) {
            places.putAll(damage.lost());
        }
        if (damage.repairs().members() != Mode.OFF) {
            damage.escalation()
                    .failing()
                    .keySet()
                    .forEach(ordinal -> places.putIfAbsent(ordinal, damage.place(ordinal, Why.FAILING)));
        }
        places.values().removeIf(place -> place.former() != Standing.DOWN);
        return places;
    }

    /// Whether the spec permits its replacement without approval.
    boolean unasked(ReplacementSlot place) {
        return (place.claim().lost() ? damage.mode() : damage.repairs().members()) == Mode.AUTOMATIC;
    }
}
