package io.github.etcdgitops.ring.restore;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.KubeState.PodState;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.health.QuorumLoss.Missing;
import io.github.etcdgitops.state.health.QuorumLoss.Survivor;
import io.github.etcdgitops.state.journal.Inspection;
import io.github.etcdgitops.state.journal.Inspection.Outcome;
import io.github.etcdgitops.state.underway.Inspections;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a person needs to know about a ring that has lost its quorum: which members are left, what each way
/// out costs, and which one to try first.
public record QuorumFindings(ClusterState state, QuorumLoss loss, BackupNeeds needs, Instant now) {
    private static final String COPY = " No run can save this data: the ring has users and no TLS, and nobody signs in"
            + " without a majority. Take a snapshot from a copy of its volume, as docs/recover-quorum.md says (Users"
            + " without TLS), and restore that";

    public static List<Finding> of(ClusterState state, BackupNeeds needs, Instant now) {
        return QuorumLoss.of(state)
                .map(loss -> new QuorumFindings(state, loss, needs, now).findings())
                .orElse(List.of());
    }

    private ClusterRef ref() {
        return state.ref();
    }

    private List<Finding> findings() {
        var ways = new ArrayList<String>();
        back().ifPresent(ways::add);
        survivor().ifPresent(ways::add);
        ways.add(backup());
        var findings = new ArrayList<Finding>();
        findings.add(new Finding(Level.ERROR, FindingCode.QUORUM_LOST, who()));
        found().forEach(line -> findings.add(new Finding(Level.ERROR, FindingCode.QUORUM_LOST, line)));
        for (int i = 0; i < ways.size(); i++) {
            findings.add(new Finding(Level.ERROR, FindingCode.QUORUM_LOST, "way out " + (i + 1) + ": " + ways.get(i)));
        }
        return findings;
    }

    // --- who is left

    private String who() {
        int left = loss.survivors().size();
        return left + " of " + loss.voters() + " voters " + (left == 1 ? "answers" : "answer") + " and "
                + loss.needed() + (loss.needed() == 1 ? " is" : " are")
                + " needed: the ring accepts no writes. "
                + (left == 0
                        ? "Missing: "
                        : "Left: " + loss.survivors().stream().map(this::left).collect(Collectors.joining(", "))
                                + ". Missing: ")
                + loss.missing().entrySet().stream().map(this::missing).collect(Collectors.joining(", "));
    }

    private String left(Survivor survivor) {
        var at = survivor.at();
        return ref().podName(survivor.ordinal()) + " (revision " + at.revision() + ", applied index "
                + at.appliedIndex() + ", term " + at.term() + ")";
    }

    /// What inspections found on volumes, one line each.
    private List<String> found() {
        return loss.missing().keySet().stream()
                .flatMap(ordinal -> Inspections.of(state, ordinal).map(known -> found(ordinal, known)).stream())
                .toList();
    }

    private String found(int ordinal, Inspection known) {
        String volume = "volume of " + ref().podName(ordinal) + ": ";
        String when = " (inspected at " + known.at() + ")";
        return switch (known.outcome()) {
            case Outcome.Told(long revision, var hash, var unused) ->
                volume + "at least revision " + revision
                        + hash.map(h -> ", hash " + h.value() + " over what came after revision " + h.compactRevision())
                                .orElse("")
                        + when
                        + (Inspections.stands(state, ordinal, known) ? "" : "; the member was started after that");
            case Outcome.Unreadable(String why) -> volume + "it could not be read: " + why + when;
        };
    }

    private Optional<Long> revision(int ordinal) {
        return Inspections.of(state, ordinal).flatMap(Inspection::revision);
    }

    private String missing(Map.Entry<Integer, Missing> entry) {
        var pod = entry.getValue().pod().map(QuorumFindings::pod).orElse("there is no pod");
        var claim =
                entry.getValue().claim().map(c -> claim(c, entry.getValue())).orElse("there is no claim");
        return ref().podName(entry.getKey()) + " (" + pod + "; " + claim + ")";
    }

    /// Leaves out the restart count: the same state gives the same plan.
    private static String pod(PodState pod) {
        var where = pod.life().whereabouts();
        String state = pod.terminating() ? "is being deleted" : pod.ready() ? "is ready" : "is not ready";
        return "its pod is " + where.phase().wire()
                + where.node().map(n -> " on " + n).orElse(" on no node") + " and "
                + state
                + (pod.restarts() >= Failing.RESTARTS ? ", restarted again and again" : "")
                + pod.life().trouble().map(said -> ", " + said).orElse("");
    }

    private static String claim(ClaimState claim, Missing missing) {
        return "the claim " + claim.name() + " is " + claim.phase().wire()
                + (claim.terminating() ? ", being deleted" : "")
                + (missing.exchanged() ? ", but not the one with its data" : "");
    }

    // --- ways out

    /// Of the members whose data may still exist, as many as a majority lacks.
    private Optional<String> back() {
        var able = loss.missing().entrySet().stream()
                .filter(m -> m.getValue().mayComeBack())
                .map(m -> ref().podName(m.getKey()))
                .toList();
        int lacking = loss.needed() - loss.survivors().size();
        if (lacking <= 0 || able.size() < lacking) {
            return Optional.empty();
        }
        int replicas = replicas();
        if (replicas < loss.voters()) {
            return Optional.of("the StatefulSet has only " + replicas + " replicas. Scale it up: kubectl -n "
                    + ref().namespace() + " scale statefulset " + ref().name() + " --replicas=" + loss.voters()
                    + ". This loses nothing");
        }
        return Optional.of("bring back " + (able.size() == lacking ? "" : lacking + " of ") + String.join(", ", able)
                + " with the data on their volumes" + most(lacking)
                + ". Repair their nodes, or whatever else keeps the pods from running. This loses nothing, and the"
                + " ring recovers by itself");
    }

    /// Where there is a choice, the member with the most data goes first.
    private String most(int lacking) {
        var known = loss.missing().entrySet().stream()
                .filter(m -> m.getValue().mayComeBack())
                .map(Map.Entry::getKey)
                .filter(ordinal -> revision(ordinal).isPresent())
                .sorted(Comparator.comparing(
                                (Integer ordinal) -> revision(ordinal).orElseThrow())
                        .reversed())
                .limit(lacking)
                .map(ref()::podName)
                .toList();
        return known.size() < lacking || loss.missing().size() == lacking
                ? ""
                : " (" + String.join(", ", known) + " first: they have the most data of the inspected volumes)";
    }

    private int replicas() {
        return state.kube().knownSet().map(KubeState.StatefulSetState::replicas).orElse(loss.voters());
    }

    private Optional<String> survivor() {
        return loss.survivors().stream()
                .findFirst()
                .map(best -> "create a new ring from the data of " + ref().podName(best.ordinal()) + ", up to revision "
                        + best.at().revision() + ". " + lostWith()
                        + beside(best.at().revision())
                        + refused(best.ordinal())
                        + saved(best.at().revision()));
    }

    /// etcd's check at the start stops healthy members where the remaining member has other data.
    private String refused(int survivor) {
        var ending = loss.missing().entrySet().stream()
                .filter(m -> m.getValue().mayComeBack() && Failing.neverStarts(state.kube(), m.getKey()))
                .map(m -> ref().podName(m.getKey()))
                .toList();
        return ending.isEmpty()
                ? ""
                : " First read why " + String.join(", ", ending) + " cannot start (kubectl logs --previous). If it is"
                        + " \"found data inconsistency with peers\", the data of "
                        + ref().podName(survivor) + " may be the wrong one: do not approve. Delete the line"
                        + " experimental-initial-corrupt-check from their files in the ConfigMap "
                        + ref().name() + "-members, then their pods. This loses nothing.";
    }

    private String saved(long revision) {
        return rescue(revision)
                .map(backup -> " That is saved: backup " + backup.id() + ". RecoverQuorum does this after an approval")
                .orElseGet(() -> shut()
                        ? COPY
                        : " Save this data first, whichever way you choose"
                                + (needs.policies().stream()
                                                .anyMatch(kept ->
                                                        kept.policy().timing().isPresent())
                                        ? ": runs try to (TakeBackup)"
                                        : ": etcdctl snapshot save needs no quorum")
                                + ". Do not restart this member before that: afterwards it does not answer until there"
                                + " is a quorum");
    }

    /// With a password nobody signs in without a majority.
    private boolean shut() {
        return state.kube()
                .knownJournal()
                .filter(journal -> journal.authenticates()
                        && !journal.applied().transport().client().secured())
                .isPresent();
    }

    private Optional<StoredBackup> rescue(long revision) {
        return stored().filter(b -> b.saves(revision)).max(StoredBackup.BY_TIME);
    }

    private Stream<StoredBackup> stored() {
        return needs.policies().stream()
                .flatMap(kept -> kept.stored().optional().stream())
                .flatMap(stored -> stored.backups().stream());
    }

    /// Earlier backups, at all locations.
    private Stream<StoredBackup> earlier() {
        var revision = loss.survivors().stream().findFirst().map(s -> s.at().revision());
        return stored().filter(StoredBackup::verified)
                .filter(b -> revision.filter(b::saves).isEmpty());
    }

    /// An acknowledged write is on a majority of the voters. The leader has applied all of them; the
    /// followers learn of the last ones a moment later.
    private String lostWith() {
        boolean all = loss.missing().size() < loss.needed();
        return all
                ? "The members that are left have every acknowledged write, except perhaps those of the last"
                        + " moment: they may not know yet that these were committed."
                : "This loses the acknowledged writes that the missing members committed without it: those of the"
                        + " last moment, and those of any time that it was behind. If it was the leader to the"
                        + " end, none is lost.";
    }

    /// What the volumes of the other members show about that, where they were inspected.
    private String beside(long revision) {
        var ahead = loss.missing().keySet().stream()
                .filter(ordinal -> revision(ordinal).filter(r -> r > revision).isPresent())
                .map(ordinal -> ref().podName(ordinal) + " has at least revision "
                        + revision(ordinal).orElseThrow())
                .toList();
        if (!ahead.isEmpty()) {
            return " These volumes have more: " + String.join(", ", ahead) + ". This way loses that data.";
        }
        boolean all = loss.missing().keySet().stream()
                .allMatch(ordinal -> Inspections.of(state, ordinal)
                        .filter(known -> Inspections.stands(state, ordinal, known))
                        .isPresent());
        return all && !loss.missing().isEmpty()
                ? " The volumes of all missing members were inspected. None has more data that is known to be"
                        + " committed."
                : "";
    }

    private String backup() {
        var unknown = needs.policies().stream()
                .flatMap(kept -> kept
                        .stored()
                        .unknownReason()
                        .map(why -> "the backups of policy " + kept.policy().name() + " could not be read: " + why)
                        .stream())
                .findFirst();
        var newest = earlier().max(StoredBackup.BY_TIME);
        return newest.map(b -> "restore a backup. The newest is " + b.id() + ", taken at " + b.taken() + " ("
                                + age(b.taken()) + " ago): everything written since is lost. There are "
                                + earlier().map(StoredBackup::key).distinct().count()
                                + " backups")
                        .orElse("restore a backup of this ring, if you have one elsewhere: no stored backup is"
                                + " known")
                + unknown.map(why -> "; " + why).orElse("");
    }

    /// Rounded, so that a report does not change every minute.
    private String age(Instant taken) {
        var age = Duration.between(taken, now);
        if (age.toHours() < 1) {
            return "less than an hour";
        }
        return age.toHours() < 48 ? age.toHours() + " h" : age.toDays() + " d";
    }
}
