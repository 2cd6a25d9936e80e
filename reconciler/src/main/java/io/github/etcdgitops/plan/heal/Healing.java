package io.github.etcdgitops.plan.heal;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.membership.Differences;
import io.github.etcdgitops.ring.repair.GivenUpClaim;
import io.github.etcdgitops.ring.repair.Ladder;
import io.github.etcdgitops.ring.repair.Losses;
import io.github.etcdgitops.ring.repair.Losses.Loss;
import io.github.etcdgitops.ring.repair.MemberRequests;
import io.github.etcdgitops.ring.repair.Place;
import io.github.etcdgitops.ring.repair.Place.Standing;
import io.github.etcdgitops.ring.repair.RefusedStarts;
import io.github.etcdgitops.ring.repair.RenewedPlaces;
import io.github.etcdgitops.ring.repair.ReplaceMember;
import io.github.etcdgitops.ring.repair.ResetVolume;
import io.github.etcdgitops.ring.repair.RestartMember;
import io.github.etcdgitops.ring.repair.VolumeRequests;
import io.github.etcdgitops.ring.scale.Resize;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Intent.Why;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What of a ring of `members` must be mended before anything else is done to it.
public record Healing(EtcdClusterSpec spec, ClusterState state, int members, RingState ring, Instant now) {
    /// A repair, and whose places it gives to new members.
    public record Repair(Operation operation, SortedMap<Integer, Place> places) {}

    /// What is done about members whose data differs, from which nobody else is mended, then about lost
    /// volumes, and about volumes and members that somebody has asked to be given up. A ring of one has
    /// nobody to copy from.
    public Optional<Repair> operation() {
        if (members == 1) {
            return Optional.empty();
        }
        var differing = new Odd(this).repair();
        if (differing.isPresent()) {
            return differing;
        }
        var refused = new RefusedStarts(spec, state, ring, now).operation();
        if (refused.isPresent()) {
            return Optional.of(new Repair(refused.get(), new TreeMap<>()));
        }
        var replaced = requests().formers();
        var places = places(resets().claims(), Why.VOLUME_ASKED);
        replaced.forEach((ordinal, id) -> places.put(ordinal, place(ordinal, Why.MEMBER_ASKED)));
        if (places.isEmpty()) {
            return unasked()
                    .or(() -> restart().map(restart -> new Repair(restart, new TreeMap<>())))
                    .or(() -> approved(mode() == Repairs.Mode.OFF ? new TreeMap<>() : lost()));
        }
        if (!lately()) {
            broken().forEach(places::putIfAbsent);
        }
        return Optional.of(repair(places, withFailing(replaced, places), Consent.BY_RISK));
    }

    /// Members that do not come up, where somebody decides: for as long as nothing else is to be done to
    /// the ring, since that may be what helps them.
    public Optional<Repair> failing() {
        return approved(members > 1 ? spent() : new TreeMap<>());
    }

    /// Another pod for a member that does not come up, where it is time for one.
    public Optional<RestartMember> restart() {
        return ladder().restart();
    }

    SortedMap<Integer, Place> spent() {
        var places = new TreeMap<Integer, Place>();
        ladder().spent().keySet().forEach(ordinal -> places.put(ordinal, place(ordinal, Why.FAILING)));
        places.keySet().removeAll(leaving());
        return places;
    }

    /// Whoever is to leave is not replaced first.
    private SortedSet<Integer> leaving() {
        return Departing.notReplaced(spec, state, members, ring, now);
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
    SortedMap<Integer, Place> broken() {
        var places = new TreeMap<Integer, Place>();
        if (mode() == Repairs.Mode.AUTOMATIC) {
            places.putAll(lost());
        }
        if (repairs().members() == Repairs.Mode.AUTOMATIC) {
            spent().forEach(places::putIfAbsent);
        }
        return places;
    }

    SortedMap<Integer, EtcdId> withFailing(SortedMap<Integer, EtcdId> replaced, SortedMap<Integer, Place> places) {
        var all = new TreeMap<>(replaced);
        places.forEach((ordinal, place) -> {
            if (place.claim().why() == Why.FAILING) {
                all.put(ordinal, id(ordinal));
            }
        });
        return all;
    }

    boolean lately() {
        return ladder().replacedLately().isPresent();
    }

    EtcdId id(int ordinal) {
        return Objects.requireNonNull(ring.byOrdinal(spec.ref()).get(ordinal)).id();
    }

    Ladder ladder() {
        var others = new TreeSet<>(losses().keySet());
        others.addAll(resets().claims().keySet());
        others.addAll(requests().formers().keySet());
        return new Ladder(spec, state, ring, others, now);
    }

    /// Whether places whose members somebody has removed may be offered to new ones.
    public boolean fills() {
        return repairs().members() != Repairs.Mode.OFF;
    }

    /// New members for places whose members are in the ring no more, and for lost volumes besides, since etcd
    /// adds nobody while one of the others is away, nor while the data of one differs. Whoever approves it
    /// approves all of that.
    public Repair filling(SortedMap<Integer, EtcdId> missing) {
        var places = new TreeMap<Integer, Place>();
        missing.keySet().forEach(ordinal -> places.put(ordinal, place(ordinal, Why.REMOVED_BY_HAND)));
        if (mode() != Repairs.Mode.OFF) {
            lost().forEach(places::putIfAbsent);
        }
        spent().forEach(places::putIfAbsent);
        var replaced = new TreeMap<>(missing);
        requests().formers().forEach((ordinal, id) -> {
            places.put(ordinal, place(ordinal, Why.MEMBER_ASKED));
            replaced.put(ordinal, id);
        });
        differences().formers().forEach((ordinal, id) -> {
            places.put(ordinal, place(ordinal, Why.DIVERGED));
            replaced.put(ordinal, id);
        });
        return repair(places, withFailing(replaced, places), Consent.NEEDED);
    }

    public String said(SortedMap<Integer, EtcdId> missing) {
        var names = missing.entrySet().stream()
                .map(m -> spec.ref().podName(m.getKey()) + " (member " + m.getValue() + ")")
                .collect(Collectors.joining(", "));
        return "these members were removed from the ring by hand: " + names
                + (fills()
                        ? ". Approve the replacement, or add the member by hand"
                        : ". To have a replacement planned, set /spec/repair/members to manual or automatic");
    }

    /// What was begun is carried on, whatever the spec says of repairs by now: the ring lacks members. What befell
    /// others since is mended with it.
    public Repair underWay(Intent.Replacement replacement, SortedMap<Integer, EtcdId> missing) {
        return new Continued(this, replacement, missing).repair();
    }

    Place place(int ordinal, Why why) {
        var claim = Optional.ofNullable(claims().get(ordinal));
        return new Place(new GivenUpClaim(claim.map(ClaimState::uid).orElse("none"), why), standing(ordinal));
    }

    TreeMap<Integer, Place> places(SortedMap<Integer, ClaimState> claims, Why why) {
        var places = new TreeMap<Integer, Place>();
        claims.keySet().forEach(ordinal -> places.put(ordinal, place(ordinal, why)));
        return places;
    }

    Standing standing(int ordinal) {
        return Optional.ofNullable(ring.byOrdinal(spec.ref()).get(ordinal))
                .map(m -> m.answers() ? Standing.SERVING : Standing.DOWN)
                .orElse(Standing.REMOVED);
    }

    Repair repair(SortedMap<Integer, Place> given, SortedMap<Integer, EtcdId> replaced, Consent consent) {
        boolean learner = Resize.learners(ring);
        var places = RenewedPlaces.of(state, ring, given);
        var blueprint = Blueprint.like(spec, RenewedPlaces.configuration(state, places));
        return new Repair(
                replaced.isEmpty()
                        ? new ResetVolume(spec.ref(), places, members, learner, consent, blueprint)
                        : new ReplaceMember(spec.ref(), places, replaced, members, learner, consent, blueprint),
                places);
    }

    MemberRequests requests() {
        return new MemberRequests(spec, members, ring);
    }

    public Differences differences() {
        return new Differences(spec, state.kube(), ring, requests().formers());
    }

    public List<Finding> findings() {
        var findings = new ArrayList<>(differences().findings());
        findings.addAll(troubles());
        return findings;
    }

    /// What else is wrong than data that differs.
    public List<Finding> troubles() {
        var findings = new ArrayList<Finding>(new RefusedStarts(spec, state, ring, now).findings());
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
                    lost + ", and the ring has no other member. The data is lost when the process ends. Take a"
                            + " backup now (kind: EtcdBackup), and restore from it");
        }
        return mode() == Repairs.Mode.OFF
                ? new Finding(
                        Level.ERROR,
                        "volume-lost",
                        lost + ". To have its member replaced, set /spec/repair/volumes to manual or automatic")
                : new Finding(Level.WARNING, "volume-lost", lost);
    }

    /// Whose volumes are lost, and nobody has asked them to be given up.
    SortedMap<Integer, Place> lost() {
        var places = new TreeMap<Integer, Place>();
        losses().forEach((ordinal, loss) -> places.put(ordinal, new Place(loss.claim(), standing(ordinal))));
        places.keySet().removeAll(leaving());
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

    VolumeRequests resets() {
        return new VolumeRequests(spec, members, claims());
    }

    Repairs repairs() {
        return spec.declaration().handling().repairs();
    }

    Repairs.Mode mode() {
        return repairs().volumes();
    }
}
