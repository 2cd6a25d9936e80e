package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.health.Space;
import io.github.etcdgitops.state.journal.RestartAttempts;
import io.github.etcdgitops.state.journal.RestartAttempts.Tried;
import io.github.etcdgitops.state.member.DataHashes;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// What is done about members whose containers end again and again: each gets another pod, up to three
/// times and with more and more time in between, and is replaced after that. What Kubernetes does by
/// itself is never counted, and neither is what a run only saw. `others` are mended otherwise.
public record RestartEscalation(
        EtcdClusterSpec spec, ClusterState state, RingState ring, Set<Integer> others, Instant now) {
    /// How long is waited after each pod.
    private static final List<Duration> BACK_OFF =
            List.of(Duration.ofMinutes(5), Duration.ofMinutes(15), Duration.ofMinutes(45));

    /// A member that has been well for so long has no past.
    private static final Duration FORGOTTEN = Duration.ofDays(2);

    /// In which no more than one member is replaced unasked.
    private static final Duration BETWEEN_REPLACEMENTS = Duration.ofDays(1);

    /// The members that are to be replaced, by ordinal: another pod has not helped, or is not to be tried
    /// where people decide.
    public SortedMap<Integer, EtcdId> spent() {
        var spent = new TreeMap<Integer, EtcdId>();
        if (ring.hashes().filter(DataHashes::differ).isPresent()) {
            // It would be copied from whichever of the others leads.
            return spent;
        }
        mendable().forEach((ordinal, member) -> {
            if (mode() == Mode.MANUAL || (mode() == Mode.AUTOMATIC && over(ordinal))) {
                spent.put(ordinal, member.id());
            }
        });
        return spent;
    }

    private boolean over(int ordinal) {
        return count(ordinal) >= BACK_OFF.size() && rested(ordinal) && !begun(ordinal);
    }

    /// The next pod, where it is time for one.
    public Optional<RestartMember> restart() {
        return mode() != Mode.AUTOMATIC
                ? Optional.empty()
                : mendable().entrySet().stream()
                        .filter(failing -> begun(failing.getKey())
                                || (count(failing.getKey()) < BACK_OFF.size() && rested(failing.getKey())))
                        .findFirst()
                        .map(failing -> restart(failing.getKey(), failing.getValue()));
    }

    private RestartMember restart(int ordinal, MemberState member) {
        return new RestartMember(
                spec.ref(),
                ordinal,
                member.id(),
                uid(ordinal),
                begun(ordinal) ? count(ordinal) : count(ordinal) + 1,
                BACK_OFF.size(),
                Blueprint.running(spec, state.kube()));
    }

    /// Why a member that an earlier run has replaced keeps others from being replaced unasked.
    public Optional<Instant> replacedLately() {
        return tries().replaced().filter(when -> now.isBefore(when.plus(BETWEEN_REPLACEMENTS)));
    }

    /// The same for people.
    public Optional<Finding> waits() {
        return replacedLately()
                .map(when -> new Finding(
                        Level.WARNING,
                        "replaced-lately",
                        "a member was replaced at " + when
                                + ". Within one day, the next replacement needs an approval. Look for a common"
                                + " cause"));
    }

    public List<Finding> findings() {
        var findings = new ArrayList<Finding>();
        failing().keySet().forEach(ordinal -> findings.add(finding(ordinal)));
        return findings;
    }

    private Finding finding(int ordinal) {
        String what = spec.ref().podName(ordinal) + " does not start: its container keeps failing";
        return switch (mode()) {
            case OFF ->
                new Finding(
                        Level.ERROR,
                        "member-failing",
                        what + ". To replace it, set /spec/repair/members to manual or automatic, or name it in a"
                                + " MemberReplacement");
            case MANUAL ->
                new Finding(
                        Level.WARNING,
                        "member-failing",
                        what + ". Find the cause and fix it, approve the replacement when it is planned, or name it"
                                + " in a MemberReplacement");
            case AUTOMATIC -> new Finding(Level.WARNING, "member-failing", what + progress(ordinal));
        };
    }

    private String progress(int ordinal) {
        int count = count(ordinal);
        return count == 0
                ? ""
                : ". So far it has had " + count + " of " + BACK_OFF.size() + " new pods. It has time until "
                        + tried(ordinal).orElseThrow().last().plus(BACK_OFF.get(count - 1))
                        + (count < BACK_OFF.size() ? " before the next one" : " before it is replaced");
    }

    /// A ring that is out of space gets room first, where it bears that: it may be all they lack.
    private SortedMap<Integer, MemberState> mendable() {
        boolean roomFirst = !Space.alarms(ring, Space.NOSPACE).isEmpty()
                && RingHealth.problems(Space.ignored(state), RingHealth.bearable(state))
                        .isEmpty();
        return roomFirst ? new TreeMap<>() : failing();
    }

    /// Voters that do not answer and whose pods have ended too often. A pod that is being deleted, or is
    /// not there, is on its way.
    public SortedMap<Integer, MemberState> failing() {
        var failing = new TreeMap<Integer, MemberState>();
        var refused = new RefusedStarts(spec, state, ring, now).checked();
        ring.byOrdinal(spec.ref()).forEach((ordinal, member) -> {
            if (!member.learner()
                    && !member.answers()
                    && !others.contains(ordinal)
                    && !refused.containsKey(ordinal)
                    && pod(ordinal).isPresent()
                    && Failing.neverStarts(state.kube(), ordinal)) {
                failing.put(ordinal, member);
            }
        });
        return failing;
    }

    /// Counted, and not deleted yet: the run ended in between.
    private boolean begun(int ordinal) {
        return tried(ordinal).filter(t -> t.pod().equals(uid(ordinal))).isPresent();
    }

    private boolean rested(int ordinal) {
        return tried(ordinal)
                .filter(t -> now.isBefore(t.last().plus(BACK_OFF.get(Math.min(t.count(), BACK_OFF.size()) - 1))))
                .isEmpty();
    }

    private int count(int ordinal) {
        return tried(ordinal).map(Tried::count).orElse(0);
    }

    /// Of the member that is there now.
    private Optional<Tried> tried(int ordinal) {
        return Optional.ofNullable(tries().members().get(ordinal))
                .filter(t -> t.count() > 0
                        && now.isBefore(t.last().plus(FORGOTTEN))
                        && Optional.ofNullable(ring.byOrdinal(spec.ref()).get(ordinal))
                                .filter(m -> m.id().equals(t.member()))
                                .isPresent());
    }

    private RestartAttempts tries() {
        return state.kube()
                .journal()
                .optional()
                .flatMap(j -> j)
                .map(j -> j.journal().past().tries())
                .orElse(RestartAttempts.NONE);
    }

    private Optional<KubeState.PodState> pod(int ordinal) {
        return state.kube().pod(ordinal);
    }

    private String uid(int ordinal) {
        return pod(ordinal).map(KubeState.PodState::uid).orElse("");
    }

    private Mode mode() {
        return spec.declaration().handling().repairs().members();
    }
}
