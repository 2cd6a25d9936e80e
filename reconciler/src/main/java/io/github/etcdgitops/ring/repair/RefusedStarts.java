package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.repair.StartUnchecked.Wrong;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.KubeState.PodState;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.Divergence;
import io.github.etcdgitops.state.journal.Inspection.Outcome;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.member.DataHashes;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.underway.Inspections;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Members that exit at each start while the members that answer have different data. etcd's check at the
/// start (InitialCorruptCheck, 3.4 and newer) compares a member with every peer, so it stops a healthy
/// member as well.
public record RefusedStarts(EtcdClusterSpec spec, ClusterState state, RingState ring, Instant now) {
    /// The minimum time between two inspections, when the last one did not show whose data is wrong.
    private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(30);

    private static final String UNCLEAR = ". The members that answer with the same data are no majority";
    private static final String REMEDY = "A leader with wrong data would overwrite the data of this member, so it"
            + " is not started. Name the member with the wrong data in a MemberReplacement, or restore an earlier"
            + " backup";

    /// The next member to start without the check.
    public Optional<StartUnchecked> operation() {
        var wrong = wrong();
        return mode() == Mode.OFF
                ? Optional.empty()
                : checked().entrySet().stream()
                        .filter(refused ->
                                !wrong.isEmpty() || silent(refused.getKey()).isEmpty())
                        .findFirst()
                        .map(refused -> operation(refused.getKey(), refused.getValue(), wrong));
    }

    private StartUnchecked operation(int ordinal, MemberState member, SortedSet<EtcdId> wrong) {
        return new StartUnchecked(
                spec.ref(),
                ordinal,
                member.id(),
                pod(ordinal).map(PodState::uid).orElse(""),
                wrong.isEmpty()
                        ? new Wrong.OnVolume(claim(ordinal).map(ClaimState::uid).orElse(""))
                        : new Wrong.Of(wrong),
                mode() == Mode.AUTOMATIC ? Consent.PERMITTED : Consent.NEEDED,
                Blueprint.running(spec, state.kube()));
    }

    public List<Finding> findings() {
        return checked().keySet().stream().map(this::finding).toList();
    }

    private Finding finding(int ordinal) {
        String what = spec.ref().podName(ordinal)
                + " stops at every start, and the members that answer have different data. etcd's check at the"
                + " start (InitialCorruptCheck) stops it whatever data it has";
        if (mode() == Mode.OFF) {
            return new Finding(
                    Level.ERROR,
                    FindingCode.START_REFUSED,
                    what + ". To start it without the check, set /spec/repair/members to manual or automatic");
        }
        if (!wrong().isEmpty()) {
            return new Finding(Level.WARNING, FindingCode.START_REFUSED, what);
        }
        return silent(ordinal)
                .map(why -> new Finding(
                        Level.ERROR,
                        FindingCode.START_REFUSED,
                        what + UNCLEAR + ", and nothing shows which member has the wrong data: " + why + ". " + REMEDY))
                .orElseGet(() -> new Finding(
                        Level.WARNING, FindingCode.START_REFUSED, what + UNCLEAR + ". Its volume is inspected first"));
    }

    /// Why its volume cannot show whose data is wrong; empty where it may.
    private Optional<String> silent(int ordinal) {
        var claim = claim(ordinal);
        if (claim.isEmpty()) {
            return Optional.of("it has no claim");
        }
        if (requests().containsKey(ordinal)) {
            return Optional.of("a MemberReplacement gives it up");
        }
        return Inspections.noWitness(state, ordinal, claim.get().uid())
                .map(why -> "its volume cannot be inspected (" + why + ")")
                .or(() -> Inspections.onClaim(state, ordinal)
                        .filter(known -> known.at().plus(BETWEEN_LOOKS).isAfter(now))
                        .flatMap(known -> known.outcome() instanceof Outcome.Unreadable(String why)
                                ? Optional.of("its volume, inspected at " + known.at()
                                        + ", does not show which data is wrong (" + why + ")")
                                : Optional.empty()));
    }

    private Optional<ClaimState> claim(int ordinal) {
        return state.kube().claim(ordinal);
    }

    /// Voters that answer and must not lead when the member starts, because it may get the leader's data.
    /// These are: voters that differ from a majority of all voters, voters that are being replaced for that
    /// reason, and voters that documents name where all others agree. Empty where they are unknown.
    private SortedSet<EtcdId> wrong() {
        var answering = ring.voters().stream().filter(MemberState::answers).toList();
        var known = new TreeSet<EtcdId>();
        if (Divergence.ofAnswering(spec.ref(), ring).orElse(null) instanceof Divergence.Differs differs) {
            known.addAll(differs.odd());
        } else {
            known.addAll(differing());
            known.addAll(requests().values());
        }
        var ids = answering.stream().map(MemberState::id).toList();
        known.retainAll(ids);
        boolean othersAgree = ring.hashes()
                .filter(hashes -> hashes.same(
                        ids.stream().filter(id -> !known.contains(id)).toList()))
                .isPresent();
        return othersAgree ? known : new TreeSet<>();
    }

    /// Members that are being replaced because an earlier run could compare all of them.
    private Collection<EtcdId> differing() {
        return state.kube()
                .knownJournal()
                .flatMap(Journal::replacement)
                .map(r -> r.formers().values().stream()
                        .filter(former -> former.why() == Intent.Why.DIVERGED)
                        .map(Intent.Former::member)
                        .toList())
                .orElse(List.of());
    }

    private SortedMap<Integer, EtcdId> requests() {
        return new MemberRequests(spec, ring.members().size(), ring).formers();
    }

    /// Voters that do not start, whose file has the check, and whose places no other members take.
    SortedMap<Integer, MemberState> checked() {
        var refused = new TreeMap<Integer, MemberState>();
        if (ring.hashes().filter(DataHashes::differ).isEmpty()
                || !state.kube().appliedOr(spec.server()).version().atLeast(3, 4, 0)) {
            return refused;
        }
        var replaced = state.kube().knownJournal().flatMap(Journal::replacement);
        ring.byOrdinal(spec.ref()).forEach((ordinal, member) -> {
            boolean goes =
                    replaced.filter(r -> r.formers().containsKey(ordinal)).isPresent();
            if (!member.learner() && !member.answers() && !goes && endsWithCheck(ordinal)) {
                refused.put(ordinal, member);
            }
        });
        return refused;
    }

    private boolean endsWithCheck(int ordinal) {
        return pod(ordinal).isPresent()
                && Failing.neverStarts(state.kube(), ordinal)
                && config(ordinal).filter(MemberConfig.Sealed.class::isInstance).isPresent();
    }

    private Optional<MemberConfig> config(int ordinal) {
        return state.kube().config(ordinal);
    }

    private Optional<PodState> pod(int ordinal) {
        return state.kube().pod(ordinal);
    }

    private Mode mode() {
        return spec.declaration().handling().repairs().members();
    }
}
