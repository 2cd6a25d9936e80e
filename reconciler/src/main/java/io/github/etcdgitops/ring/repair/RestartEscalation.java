package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
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
import io.github.etcdgitops.state.member.Alarm;
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

/// What is done about members whose containers exit again and again: each gets another pod, up to three
/// times with longer and longer waits, and is then replaced. Restarts by Kubernetes itself do not count,
/// and neither do exits that only a run observed. `others` are repaired in another way.
public record RestartEscalation(
        EtcdClusterSpec spec, ClusterState state, RingState ring, Set<Integer> others, Instant now) {
    /// The wait after each new pod.
    private static final List<Duration> BACK_OFF =
            List.of(Duration.ofMinutes(5), Duration.ofMinutes(15), Duration.ofMinutes(45));

    /// After a member has been healthy for this long, its earlier failures no longer count.
    private static final Duration FORGOTTEN = Duration.ofDays(2);

    /// The time in which at most one member is replaced without approval.
    private static final Duration BETWEEN_REPLACEMENTS = Duration.ofDays(1);

    /// The members to replace, by ordinal: another pod has not helped, or must not be tried where people
    /// decide.
    public SortedMap<Integer, EtcdId> spent() {
        var spent = new TreeMap<Integer, EtcdId>();
        if (ring.hashes().filter(DataHashes::differ).isPresent()) {
            // The new member would be copied from the leader, whichever of the others that is.
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

    /// The next pod to replace, when its time has come.
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

    /// The time of the last replacement by an earlier run, which prevents others without approval.
    public Optional<Instant> replacedLately() {
        return tries().replaced().filter(when -> now.isBefore(when.plus(BETWEEN_REPLACEMENTS)));
    }

    /// The same, as a finding for people.
    public Optional<Finding> waits() {
        return replacedLately()
                .map(when -> new Finding(
                        Level.WARNING,
                        FindingCode.REPLACED_LATELY,
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
                        FindingCode.MEMBER_FAILING,
                        what + ". To replace it, set /spec/repair/members to manual or automatic, or name it in a"
                                + " MemberReplacement");
            case MANUAL ->
                new Finding(
                        Level.WARNING,
                        FindingCode.MEMBER_FAILING,
                        what + ". Find the cause and fix it, approve the replacement when it is planned, or name it"
                                + " in a MemberReplacement");
            case AUTOMATIC -> new Finding(Level.WARNING, FindingCode.MEMBER_FAILING, what + progress(ordinal));
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

    /// A ring that is out of space gets room first, where it can: space may be all that these members lack.
    private SortedMap<Integer, MemberState> mendable() {
        boolean roomFirst = !ring.alarms(Alarm.Kind.NOSPACE).isEmpty()
                && RingHealth.problems(Space.ignored(state), RingHealth.bearable(state))
                        .isEmpty();
        return roomFirst ? new TreeMap<>() : failing();
    }

    /// Voters that do not answer and whose pods have exited too often. A pod that is being deleted, or does
    /// not exist, is on its way.
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

    /// The attempt is counted and the pod not deleted yet: the run ended in between.
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

    /// The attempts of the current member.
    private Optional<Tried> tried(int ordinal) {
        return Optional.ofNullable(tries().members().get(ordinal))
                .filter(t -> t.count() > 0
                        && now.isBefore(t.last().plus(FORGOTTEN))
                        && Optional.ofNullable(ring.byOrdinal(spec.ref()).get(ordinal))
                                .filter(m -> m.id().equals(t.member()))
                                .isPresent());
    }

    private RestartAttempts tries() {
        return state.kube().knownJournal().map(j -> j.past().tries()).orElse(RestartAttempts.NONE);
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
