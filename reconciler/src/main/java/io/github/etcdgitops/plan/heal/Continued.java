package io.github.etcdgitops.plan.heal;

import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.repair.GivenUpClaim;
import io.github.etcdgitops.ring.repair.ReplacementSlot;
import io.github.etcdgitops.ring.repair.ReplacementSlot.Standing;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Intent.Why;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.underway.JoinAttempts;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A replacement under way, with what has happened to the ring since. etcd adds no member while a voter is
/// away: other lost members are replaced with it, after an approval where the spec requires one.
final class Continued {
    private final RingDamage damage;
    private final Intent.Replacement replacement;
    private final SortedMap<Integer, EtcdId> missing;
    private final SortedMap<Integer, ReplacementSlot> places = new TreeMap<>();
    private final SortedMap<Integer, EtcdId> replaced = new TreeMap<>();
    private Consent consent = Consent.GIVEN;

    Continued(RingDamage damage, Intent.Replacement replacement, SortedMap<Integer, EtcdId> missing) {
        this.damage = damage;
        this.replacement = replacement;
        this.missing = missing;
    }

    Repair repair() {
        replacement.formers().forEach((ordinal, former) -> {
            places.put(ordinal, carriedOn(ordinal, former));
            if (former.why().ofMember()) {
                replaced.put(ordinal, former.member());
            }
        });
        lostAgain();
        stuckNewcomers();
        othersLost();
        othersFailing();
        othersDiffering();
        othersInTheWay();
        othersAsked();
        missing.forEach((ordinal, id) -> add(ordinal, damage.place(ordinal, Why.REMOVED_BY_HAND), Consent.NEEDED));
        return damage.repair(places, replaced, consent);
    }

    /// While a member is still in the ring that is given up whatever claim it has, its claim may be
    /// recreated. A document that names the member decides, whatever was found before.
    private ReplacementSlot carriedOn(int ordinal, Intent.Former former) {
        var ring = damage.ring();
        boolean member = ring.members().stream().anyMatch(m -> m.id().equals(former.member()));
        boolean named = ring.alarms(Alarm.Kind.CORRUPT).isEmpty()
                && former.member().equals(damage.requests().formers().get(ordinal));
        return member && former.why().ofMember()
                ? damage.place(ordinal, named ? Why.MEMBER_ASKED : former.why())
                : new ReplacementSlot(
                        new GivenUpClaim(former.claimUid(), asked(ordinal, former) ? Why.VOLUME_ASKED : former.why()),
                        member ? damage.standing(ordinal) : newcomer(ordinal));
    }

    private Standing newcomer(int ordinal) {
        return damage.ring().byOrdinal(damage.ref()).containsKey(ordinal) ? Standing.COMING : Standing.REMOVED;
    }

    /// Its volume exists again, and is given up anyway.
    private boolean asked(int ordinal, Intent.Former former) {
        var claim = damage.resets().claims().get(ordinal);
        return claim != null && claim.uid().equals(former.claimUid());
    }

    /// The new volume of one of them is lost.
    private void lostAgain() {
        damage.lost().forEach((ordinal, place) -> {
            var known = places.get(ordinal);
            if (known != null && !known.claim().claimUid().equals(place.claim().claimUid())) {
                places.put(ordinal, place);
                replaced.remove(ordinal);
            }
        });
    }

    /// A new member that does not start begins again on another volume, after a wait. After some attempts,
    /// only once a person has checked.
    private void stuckNewcomers() {
        replacement.formers().forEach((ordinal, former) -> {
            boolean stuck = JoinAttempts.stuck(damage.state(), ordinal).isPresent()
                    && !damage.id(ordinal).equals(former.member());
            var place = Optional.ofNullable(places.get(ordinal));
            if (stuck
                    && place.filter(p -> p.claim().claimUid().equals(former.claimUid()))
                            .isPresent()) {
                var next = JoinAttempts.of(damage.state()).instead(ordinal, damage.now());
                if (!(next instanceof JoinAttempts.Next.Later)) {
                    places.put(ordinal, damage.place(ordinal, Why.FAILING));
                    replaced.put(ordinal, damage.id(ordinal));
                    consent = next instanceof JoinAttempts.Next.Asked ? Consent.NEEDED : consent;
                }
            }
        });
    }

    /// A member that still serves blocks nothing.
    private void othersLost() {
        var mode = damage.repairs().volumes();
        damage.lost().forEach((ordinal, place) -> {
            if (mode == Mode.AUTOMATIC || (mode == Mode.MANUAL && place.former() != Standing.SERVING)) {
                add(ordinal, place, mode == Mode.AUTOMATIC ? Consent.GIVEN : Consent.NEEDED);
            }
        });
    }

    private void othersFailing() {
        boolean automatic = damage.repairs().members() == Mode.AUTOMATIC;
        damage.spent().forEach((ordinal, place) -> add(ordinal, place, automatic ? Consent.GIVEN : Consent.NEEDED));
    }

    /// A new member that does not vote yet may have the wrong data under the alarm, even if all voters have
    /// the same: what it has copied is not needed.
    private void othersDiffering() {
        var differences = damage.differences();
        differences.formers().forEach((ordinal, id) -> differing(ordinal, id, differences.consent()));
        if (!damage.ring().alarms(Alarm.Kind.CORRUPT).isEmpty()) {
            damage.ring().learnerOrdinals(damage.ref()).stream()
                    .filter(ordinal -> places.containsKey(ordinal))
                    .forEach(ordinal -> differing(ordinal, damage.id(ordinal), Consent.GIVEN));
        }
    }

    /// Its replacement may have begun for another reason, before the alarm. Under the alarm no member is
    /// removed except one whose data differs.
    private void differing(int ordinal, EtcdId id, Consent needed) {
        var begun = places.get(ordinal);
        if (begun == null || begun.claim().why() != Why.DIVERGED || !id.equals(replaced.get(ordinal))) {
            places.remove(ordinal);
            add(ordinal, damage.place(ordinal, Why.DIVERGED), needed);
        }
    }

    private void othersInTheWay() {
        boolean differs =
                places.values().stream().anyMatch(place -> place.claim().why() == Why.DIVERGED);
        if (differs && !damage.ring().alarms(Alarm.Kind.CORRUPT).isEmpty()) {
            var odd = new Odd(damage);
            odd.down()
                    .forEach((ordinal, place) ->
                            add(ordinal, place, odd.unasked(place) ? Consent.GIVEN : Consent.NEEDED));
        }
    }

    private void othersAsked() {
        damage.requests()
                .formers()
                .forEach((ordinal, id) -> add(ordinal, damage.place(ordinal, Why.MEMBER_ASKED), Consent.BY_RISK));
        damage.places(damage.resets().claims(), Why.VOLUME_ASKED)
                .forEach((ordinal, place) -> add(ordinal, place, Consent.BY_RISK));
    }

    private void add(int ordinal, ReplacementSlot place, Consent needed) {
        if (places.putIfAbsent(ordinal, place) != null) {
            return;
        }
        if (place.claim().why().ofMember()) {
            replaced.put(ordinal, missing.containsKey(ordinal) ? missing.get(ordinal) : damage.id(ordinal));
        }
        if (needed == Consent.NEEDED || consent == Consent.GIVEN) {
            consent = needed;
        }
    }
}
