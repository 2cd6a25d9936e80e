package io.github.etcdgitops.plan;

import io.github.etcdgitops.operation.Blueprint;
import io.github.etcdgitops.operation.Operation;
import io.github.etcdgitops.operation.Operation.Consent;
import io.github.etcdgitops.operation.Place;
import io.github.etcdgitops.operation.Place.Standing;
import io.github.etcdgitops.operation.ReplaceMember;
import io.github.etcdgitops.operation.ResetVolume;
import io.github.etcdgitops.plan.Finding.Level;
import io.github.etcdgitops.plan.Losses.Loss;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.Repairs;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.Intent.Why;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.Space;
import io.github.etcdgitops.step.ReplaceStep.GivenUp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What of a ring of `members` must be mended before anything else is done to it.
record Healing(EtcdClusterSpec spec, ClusterState state, int members, RingState ring, Instant now) {
    /// A repair, and whose places it gives to new members.
    record Repair(Operation operation, SortedMap<Integer, Place> places) {}

    /// What is done about members whose data differs, from which nobody else is mended, then about lost
    /// volumes, and about volumes and members that somebody has asked to be given up. A ring of one has
    /// nobody to copy from.
    Optional<Repair> operation() {
        if (members == 1) {
            return Optional.empty();
        }
        var differing = differences().formers();
        if (!differing.isEmpty()) {
            var places = new TreeMap<Integer, Place>();
            differing.keySet().forEach(ordinal -> places.put(ordinal, place(ordinal, Why.DIVERGED)));
            var consent = differences().consent();
            boolean again = consent == Consent.STANDING && lately();
            return Optional.of(repair(places, differing, again ? Consent.NEEDED : consent));
        }
        var refused = new RefusedStarts(spec, state, ring).operation();
        if (refused.isPresent()) {
            return Optional.of(new Repair(refused.get(), new TreeMap<>()));
        }
        var replaced = requests().formers();
        var places = places(resets().claims(), Why.VOLUME_ASKED);
        replaced.forEach((ordinal, id) -> places.put(ordinal, place(ordinal, Why.MEMBER_ASKED)));
        if (places.isEmpty()) {
            return unasked()
                    .or(() -> ladder().restart().map(restart -> new Repair(restart, new TreeMap<>())))
                    .or(() -> approved(mode() == Repairs.Mode.OFF ? new TreeMap<>() : lost()));
        }
        if (!lately()) {
            broken().forEach(places::putIfAbsent);
        }
        return Optional.of(repair(places, withFailing(replaced, places), Consent.BY_RISK));
    }

    /// Members that do not come up, where somebody decides: for as long as nothing else is to be done to
    /// the ring, since that may be what helps them.
    Optional<Repair> failing() {
        var places = new TreeMap<Integer, Place>();
        if (members > 1) {
            ladder().spent().keySet().forEach(ordinal -> places.put(ordinal, place(ordinal, Why.FAILING)));
        }
        return approved(places);
    }

    /// A ring that has got another member lately is not given one more before somebody has looked.
    private Optional<Repair> unasked() {
        var places = broken();
        return places.isEmpty() || lately()
                ? Optional.empty()
                : Optional.of(repair(places, withFailing(new TreeMap<>(), places), Consent.STANDING));
    }

    private Optional<Repair> approved(SortedMap<Integer, Place> places) {
        return places.isEmpty()
                ? Optional.empty()
                : Optional.of(repair(places, withFailing(new TreeMap<>(), places), Consent.NEEDED));
    }

    /// Members with lost volumes, and such as do not come up, that nobody is asked about.
    private SortedMap<Integer, Place> broken() {
        var places = new TreeMap<Integer, Place>();
        if (mode() == Repairs.Mode.AUTOMATIC) {
            places.putAll(lost());
        }
        if (repairs().members() == Repairs.Mode.AUTOMATIC) {
            ladder().spent().keySet().forEach(ordinal -> places.putIfAbsent(ordinal, place(ordinal, Why.FAILING)));
        }
        return places;
    }

    private SortedMap<Integer, EtcdId> withFailing(
            SortedMap<Integer, EtcdId> replaced, SortedMap<Integer, Place> places) {
        var all = new TreeMap<>(replaced);
        places.forEach((ordinal, place) -> {
            if (place.claim().why() == Why.FAILING) {
                all.put(ordinal, id(ordinal));
            }
        });
        return all;
    }

    private boolean lately() {
        return ladder().replacedLately().isPresent();
    }

    private EtcdId id(int ordinal) {
        return Objects.requireNonNull(ring.byOrdinal(spec.ref()).get(ordinal)).id();
    }

    private Ladder ladder() {
        var others = new TreeSet<>(losses().keySet());
        others.addAll(resets().claims().keySet());
        others.addAll(requests().formers().keySet());
        return new Ladder(spec, state, ring, others, now);
    }

    /// Whether places whose members somebody has removed may be offered to new ones.
    boolean fills() {
        return repairs().members() != Repairs.Mode.OFF;
    }

    /// New members for places whose members are in the ring no more, and for lost volumes besides, since etcd
    /// adds nobody while one of the others is away.
    Repair filling(SortedMap<Integer, EtcdId> missing) {
        var places = new TreeMap<Integer, Place>();
        missing.keySet().forEach(ordinal -> places.put(ordinal, place(ordinal, Why.REMOVED_BY_HAND)));
        broken().forEach(places::putIfAbsent);
        return repair(places, withFailing(missing, places), Consent.NEEDED);
    }

    String said(SortedMap<Integer, EtcdId> missing) {
        var names = missing.entrySet().stream()
                .map(m -> spec.ref().podName(m.getKey()) + " (member " + m.getValue() + ")")
                .collect(Collectors.joining(", "));
        return "somebody has taken " + names + " out of the ring"
                + (fills()
                        ? "; approve the replacement to have it filled, or add it by hand"
                        : "; set /spec/repair/members to manual or automatic to have a replacement planned");
    }

    /// What was begun is carried on, whatever the spec says of repairs by now: the ring lacks members.
    /// Where a new volume is lost as well, that is given up, too; and what others have lost since, where
    /// it may be done unasked.
    Repair underWay(Intent.Replacement replacement) {
        var places = new TreeMap<Integer, Place>();
        var replaced = new TreeMap<Integer, EtcdId>();
        replacement.formers().forEach((ordinal, former) -> {
            places.put(ordinal, carriedOn(ordinal, former));
            if (former.why().ofMember()) {
                replaced.put(ordinal, former.member());
            }
        });
        lost().forEach((ordinal, place) -> {
            var known = places.get(ordinal);
            boolean anew = known == null
                    ? mode() == Repairs.Mode.AUTOMATIC
                    : !known.claim().claimUid().equals(place.claim().claimUid());
            if (anew) {
                places.put(ordinal, place);
                replaced.remove(ordinal);
            }
        });
        return repair(places, replaced, Consent.GIVEN);
    }

    /// As long as a member is there that is given up whatever claim it has, that may be made anew. Whoever
    /// names it in a document has decided, whatever was found of it before.
    private Place carriedOn(int ordinal, Intent.Former former) {
        boolean member = ring.members().stream().anyMatch(m -> m.id().equals(former.member()));
        boolean named = Space.alarms(ring, Space.CORRUPT).isEmpty()
                && former.member().equals(requests().formers().get(ordinal));
        return member && former.why().ofMember()
                ? place(ordinal, named ? Why.MEMBER_ASKED : former.why())
                : new Place(
                        new GivenUp(former.claimUid(), asked(ordinal, former) ? Why.VOLUME_ASKED : former.why()),
                        member ? standing(ordinal) : Standing.REMOVED);
    }

    /// Its volume is there again, and is given up all the same.
    private boolean asked(int ordinal, Intent.Former former) {
        var claim = resets().claims().get(ordinal);
        return claim != null && claim.uid().equals(former.claimUid());
    }

    private Place place(int ordinal, Why why) {
        var claim = Optional.ofNullable(claims().get(ordinal));
        return new Place(new GivenUp(claim.map(ClaimState::uid).orElse("none"), why), standing(ordinal));
    }

    private TreeMap<Integer, Place> places(SortedMap<Integer, ClaimState> claims, Why why) {
        var places = new TreeMap<Integer, Place>();
        claims.keySet().forEach(ordinal -> places.put(ordinal, place(ordinal, why)));
        return places;
    }

    private Standing standing(int ordinal) {
        return Optional.ofNullable(ring.byOrdinal(spec.ref()).get(ordinal))
                .map(m -> m.answers() ? Standing.SERVING : Standing.DOWN)
                .orElse(Standing.REMOVED);
    }

    private Repair repair(SortedMap<Integer, Place> given, SortedMap<Integer, EtcdId> replaced, Consent consent) {
        boolean learner = Resize.learners(ring);
        var places = RenewedPlaces.of(state, ring, given);
        var blueprint = Blueprint.like(spec, RenewedPlaces.configuration(state, places));
        return new Repair(
                replaced.isEmpty()
                        ? new ResetVolume(spec.ref(), places, members, learner, consent, blueprint)
                        : new ReplaceMember(spec.ref(), places, replaced, members, learner, consent, blueprint),
                places);
    }

    private MemberRequests requests() {
        return new MemberRequests(spec, members, ring);
    }

    private Differences differences() {
        return new Differences(spec, state.kube(), ring, requests().formers());
    }

    List<Finding> findings() {
        var findings = new ArrayList<>(differences().findings());
        findings.addAll(new RefusedStarts(spec, state, ring).findings());
        losses().values().forEach(loss -> findings.add(finding(loss.said())));
        if (members > 1) {
            findings.addAll(ladder().findings());
            replacedLately().ifPresent(findings::add);
        }
        findings.addAll(resets().findings());
        findings.addAll(requests().findings());
        return findings;
    }

    private Optional<Finding> replacedLately() {
        boolean waits = !broken().isEmpty() || differences().consent() == Consent.STANDING;
        return waits ? ladder().waits() : Optional.empty();
    }

    private Finding finding(String lost) {
        if (members == 1) {
            return new Finding(
                    Level.ERROR,
                    "volume-lost",
                    lost + ", and there is no other member: what the process still serves ends with it. Take a backup"
                            + " now (kind: EtcdBackup), and restore from it");
        }
        return mode() == Repairs.Mode.OFF
                ? new Finding(
                        Level.ERROR,
                        "volume-lost",
                        lost + "; set /spec/repair/volumes to manual or automatic to have its member replaced")
                : new Finding(Level.WARNING, "volume-lost", lost);
    }

    /// Whose volumes are lost, and nobody has asked them to be given up.
    private SortedMap<Integer, Place> lost() {
        var places = new TreeMap<Integer, Place>();
        losses().forEach((ordinal, loss) -> places.put(ordinal, new Place(loss.claim(), standing(ordinal))));
        return places;
    }

    private SortedMap<Integer, Loss> losses() {
        var losses = new Losses(state, members, ring, repairs().machineGoneAfter(), now).found();
        losses.keySet().removeAll(resets().claims().keySet());
        return losses;
    }

    private SortedMap<Integer, ClaimState> claims() {
        return state.kube().claims().optional().orElseThrow();
    }

    private VolumeRequests resets() {
        return new VolumeRequests(spec, members, claims());
    }

    private Repairs repairs() {
        return spec.declaration().handling().repairs();
    }

    private Repairs.Mode mode() {
        return repairs().volumes();
    }
}
