package io.github.etcdgitops.plan.heal;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.membership.DivergenceFindings;
import io.github.etcdgitops.ring.repair.GivenUpClaim;
import io.github.etcdgitops.ring.repair.LostVolumes;
import io.github.etcdgitops.ring.repair.LostVolumes.Loss;
import io.github.etcdgitops.ring.repair.MemberRequests;
import io.github.etcdgitops.ring.repair.RefusedStarts;
import io.github.etcdgitops.ring.repair.RenewedPlaces;
import io.github.etcdgitops.ring.repair.ReplaceMember;
import io.github.etcdgitops.ring.repair.ReplacementSlot;
import io.github.etcdgitops.ring.repair.ReplacementSlot.Standing;
import io.github.etcdgitops.ring.repair.ResetVolume;
import io.github.etcdgitops.ring.repair.RestartEscalation;
import io.github.etcdgitops.ring.repair.VolumeRequests;
import io.github.etcdgitops.ring.scale.Resize;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.Intent.Why;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What is broken in a ring of `members`, and what documents give up, each with the place that a repair
/// gives to a new member.
record RingDamage(EtcdClusterSpec spec, ClusterState state, int members, RingState ring, Instant now) {
    SortedMap<Integer, ReplacementSlot> spent() {
        var places = new TreeMap<Integer, ReplacementSlot>();
        escalation().spent().keySet().forEach(ordinal -> places.put(ordinal, place(ordinal, Why.FAILING)));
        places.keySet().removeAll(leaving());
        return places;
    }

    /// A member that is to leave is not replaced first.
    private SortedSet<Integer> leaving() {
        return Departing.notReplaced(spec, state, members, ring, now);
    }

    /// Members with lost volumes, and members that do not start, where no approval is needed.
    SortedMap<Integer, ReplacementSlot> broken() {
        var places = new TreeMap<Integer, ReplacementSlot>();
        if (mode() == Repairs.Mode.AUTOMATIC) {
            places.putAll(lost());
        }
        if (repairs().members() == Repairs.Mode.AUTOMATIC) {
            spent().forEach(places::putIfAbsent);
        }
        return places;
    }

    SortedMap<Integer, EtcdId> withFailing(
            SortedMap<Integer, EtcdId> replaced, SortedMap<Integer, ReplacementSlot> places) {
        var all = new TreeMap<>(replaced);
        places.forEach((ordinal, place) -> {
            if (place.claim().why() == Why.FAILING) {
                all.put(ordinal, id(ordinal));
            }
        });
        return all;
    }

    boolean lately() {
        return escalation().replacedLately().isPresent();
    }

    EtcdId id(int ordinal) {
        return Objects.requireNonNull(ring.byOrdinal(ref()).get(ordinal)).id();
    }

    RestartEscalation escalation() {
        var others = new TreeSet<>(losses().keySet());
        others.addAll(resets().claims().keySet());
        others.addAll(requests().formers().keySet());
        return new RestartEscalation(spec, state, ring, others, now);
    }

    ReplacementSlot place(int ordinal, Why why) {
        var claim = Optional.ofNullable(claims().get(ordinal));
        return new ReplacementSlot(new GivenUpClaim(claim.map(ClaimState::uid).orElse("none"), why), standing(ordinal));
    }

    TreeMap<Integer, ReplacementSlot> places(SortedMap<Integer, ClaimState> claims, Why why) {
        var places = new TreeMap<Integer, ReplacementSlot>();
        claims.keySet().forEach(ordinal -> places.put(ordinal, place(ordinal, why)));
        return places;
    }

    Standing standing(int ordinal) {
        return Optional.ofNullable(ring.byOrdinal(ref()).get(ordinal))
                .map(m -> m.answers() ? Standing.SERVING : Standing.DOWN)
                .orElse(Standing.REMOVED);
    }

    Repair repair(SortedMap<Integer, ReplacementSlot> given, SortedMap<Integer, EtcdId> replaced, Consent consent) {
        boolean learner = Resize.learners(ring);
        var places = RenewedPlaces.of(state, ring, given);
        var blueprint = Blueprint.like(spec, RenewedPlaces.configuration(state, places));
        return new Repair(
                replaced.isEmpty()
                        ? new ResetVolume(ref(), places, members, learner, consent, blueprint)
                        : new ReplaceMember(ref(), places, replaced, members, learner, consent, blueprint),
                places);
    }

    MemberRequests requests() {
        return new MemberRequests(spec, members, ring);
    }

    DivergenceFindings differences() {
        return new DivergenceFindings(spec, state.kube(), ring, requests().formers());
    }

    /// Members whose volumes are lost, and that no document gives up.
    SortedMap<Integer, ReplacementSlot> lost() {
        var places = new TreeMap<Integer, ReplacementSlot>();
        losses().forEach((ordinal, loss) -> places.put(ordinal, new ReplacementSlot(loss.claim(), standing(ordinal))));
        places.keySet().removeAll(leaving());
        return places;
    }

    SortedMap<Integer, Loss> losses() {
        var losses = new LostVolumes(state, members, ring, repairs().machineGoneAfter(), now).found();
        losses.keySet().removeAll(resets().claims().keySet());
        return losses;
    }

    private SortedMap<Integer, ClaimState> claims() {
        return state.kube().claims().optional().orElseThrow();
    }

    VolumeRequests resets() {
        return new VolumeRequests(spec, members, claims());
    }

    Repairs repairs() {
        return spec.declaration().handling().repairs();
    }

    Repairs.Mode mode() {
        return repairs().volumes();
    }

    RefusedStarts refusedStarts() {
        return new RefusedStarts(spec, state, ring, now);
    }

    ClusterRef ref() {
        return spec.ref();
    }
}
