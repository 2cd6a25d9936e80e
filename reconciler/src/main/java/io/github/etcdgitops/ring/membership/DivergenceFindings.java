package io.github.etcdgitops.ring.membership;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.Divergence;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.DataHashes;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What is done about members whose data differs from that of the others: either etcd has raised an alarm,
/// or the difference shows after a member started without etcd's comparison. `asked` are members that
/// documents name, by ordinal. A person who named each of them is not asked again.
public record DivergenceFindings(
        EtcdClusterSpec spec, KubeState kube, RingState ring, SortedMap<Integer, EtcdId> asked) {
    /// The members to replace, by ordinal: all that differ, or none. The alarm cannot be disarmed while one
    /// of them is left.
    public SortedMap<Integer, EtcdId> formers() {
        return mode() == Repairs.Mode.OFF && !allAsked() ? new TreeMap<>() : odd();
    }

    /// The consent that replacing them needs.
    public Consent consent() {
        return allAsked() || formers().isEmpty()
                ? Consent.BY_RISK
                : mode() == Repairs.Mode.AUTOMATIC ? Consent.STANDING : Consent.NEEDED;
    }

    /// Whether no member with differing data is a voter any more.
    public boolean over() {
        return silent().isEmpty() && divergence().orElse(null) instanceof Divergence.Alike;
    }

    /// Whether nothing can show whose data is right, unless the members that are down come back.
    boolean undecided() {
        return !ring.alarms(Alarm.Kind.CORRUPT).isEmpty()
                && down().isEmpty()
                && divergence().orElse(null) instanceof Divergence.Unclear
                && ring.hashes().filter(DataHashes::differ).isPresent();
    }

    public List<Finding> findings() {
        return ring.alarms(Alarm.Kind.CORRUPT).stream()
                .findFirst()
                .map(alarm -> finding("etcd reports that the data of one member differs from the others (alarm " + alarm
                        + ") and accepts no writes"))
                .or(() -> odd().isEmpty()
                        ? Optional.empty()
                        : Optional.of(finding("the data of one member differs, and etcd has raised no alarm")))
                .stream()
                .toList();
    }

    private Finding finding(String alarm) {
        if (divergence().orElse(null) instanceof Divergence.Alike(long revision)
                && !ring.learners().isEmpty()) {
            return new Finding(Level.WARNING, FindingCode.CORRUPT, alarm + besideLearner(revision));
        }
        if (!down().isEmpty()) {
            return decided(alarm + ". All other voters have the same data, so the wrong data is that of "
                    + names(silent(), " or ") + ", which " + whyGivenUp());
        }
        if (ring.voters().size() == 1) {
            return error(alarm + ". Only one voter is left, so there is nothing to compare it with. If the member"
                    + " with the wrong data has left the ring, disarm the alarm (etcdctl alarm disarm). Otherwise"
                    + " restore an earlier backup");
        }
        return divergence()
                .map(divergence -> finding(alarm, divergence))
                .orElseGet(() -> error(alarm
                        + ". It is unknown which one until more voters answer. The ID in the alarm does not show"
                        + " it. Compare all members at one revision (etcdctl endpoint hashkv --cluster"
                        + " --rev)"));
    }

    private Finding finding(String alarm, Divergence divergence) {
        return switch (divergence) {
            case Divergence.Unclear(String why) ->
                error(alarm + ". Nothing is changed: " + why + (undecided() ? wayOut() : ""));
            case Divergence.Alike(long revision)
            when !silent().isEmpty() ->
                error(alarm + ". All voters that answer have the same data up to revision " + revision + ", and "
                        + silentVoters() + " and may have the wrong data. Bring "
                        + (silent().size() == 1 ? "it back, or replace it" : "them back, or replace them all")
                        + " (kind: MemberReplacement). Leave the alarm until then");
            case Divergence.Alike(long revision) ->
                error(alarm + ". But all voters that answer now have the same data up to revision " + revision
                        + ". Nothing is repaired. If you know which member had the wrong data, and that it was"
                        + " replaced, disarm the alarm (etcdctl alarm disarm)");
            case Divergence.Differs(long revision, var unused, int alike) ->
                besideSilent(decided(
                        alarm + ". At revision " + revision + " the data of " + names() + " differs from that of "
                                + alike + " of " + ring.voters().size() + " voters"));
        };
    }

    /// etcd compares the data of learners too. Without the alarm, a learner would be promoted with what it has.
    private String besideLearner(long revision) {
        return ". All voters that answer have the same data up to revision " + revision
                + ", so the wrong data may be that of " + names(ring.learners(), " or ") + ", which does not vote yet"
                + (silent().isEmpty() ? "" : ", or that of " + names(silent(), " or ") + ", which does not answer")
                + ". Leave the alarm until the member that does not vote has left the ring";
    }

    private Finding besideSilent(Finding found) {
        return silent().isEmpty()
                ? found
                : error(found.message() + "; " + silentVoters() + ". No member is replaced while "
                        + (silent().size() == 1 ? "it" : "one of them") + " may come back");
    }

    /// A person who chooses one of them may choose the wrong one. Only what was stored before is certain.
    private String wayOut() {
        return ". "
                + (silent().isEmpty() ? "W" : "Bring back " + names(silent(), ", ") + ". W")
                + "here you know which member has the wrong data, name it in a MemberReplacement. Where you do not"
                + " know, restore an earlier backup. \"etcd-gitops restore "
                + spec.ref() + " --in-place " + ring.clusterId() + " --document\" writes the EtcdRestore for it";
    }

    private Finding decided(String found) {
        return formers().isEmpty()
                ? error(found + ". To replace it, set /spec/repair/members to manual or automatic, or name it in a"
                        + " MemberReplacement")
                : new Finding(Level.WARNING, FindingCode.CORRUPT, found);
    }

    private static Finding error(String message) {
        return new Finding(Level.ERROR, FindingCode.CORRUPT, message);
    }

    private String names() {
        return String.join(
                ", ", odd().keySet().stream().map(spec.ref()::podName).toList());
    }

    /// Compares the voters that answer. Data that more than half of all voters share cannot be outvoted by
    /// silent ones. A member that started without etcd's comparison counts where it supports what documents
    /// say.
    private Optional<Divergence> divergence() {
        return ring.hashes()
                .map(DataHashes::vouchedFor)
                .flatMap(hashes -> Divergence.ofAnswering(spec.ref(), ring.with(hashes)))
                .filter(found -> found instanceof Divergence.Differs differs
                        && asked.values().containsAll(differs.odd()))
                .or(() -> Divergence.ofAnswering(spec.ref(), ring));
    }

    private String silentVoters() {
        return names(silent(), ", ") + (silent().size() == 1 ? " does not answer" : " do not answer");
    }

    private String names(List<MemberState> members, String between) {
        return members.stream()
                .map(m -> m.ordinal(spec.ref()).map(spec.ref()::podName).orElseGet(() -> "member " + m.id()))
                .sorted()
                .collect(Collectors.joining(between));
    }

    private List<MemberState> silent() {
        return ring.voters().stream().filter(m -> !m.answers()).toList();
    }

    /// The voters of which one has the wrong data: etcd has raised its alarm, all others have the same
    /// data, and each of these exits at each start, has no volume to start on, or is given up by a
    /// document. Where several are down, a lost volume is replaced as such, beside those that have data.
    private SortedMap<Integer, EtcdId> down() {
        var down = new TreeMap<Integer, EtcdId>();
        if (ring.alarms(Alarm.Kind.CORRUPT).isEmpty() || !(divergence().orElse(null) instanceof Divergence.Alike)) {
            return down;
        }
        silent().forEach(m -> m.ordinal(spec.ref())
                .filter(ordinal -> givenUp(ordinal, m.id()))
                .ifPresent(ordinal -> down.put(ordinal, m.id())));
        if (down.size() < silent().size()) {
            return new TreeMap<>();
        }
        var data = new TreeMap<>(down);
        data.keySet().removeIf(ordinal -> noVolume(ordinal) && !asked.containsKey(ordinal));
        return data.isEmpty() ? down : data;
    }

    private boolean givenUp(int ordinal, EtcdId member) {
        return member.equals(asked.get(ordinal)) || forGood(ordinal);
    }

    private String whyGivenUp() {
        boolean one = silent().size() == 1;
        boolean down =
                silent().stream().flatMap(m -> m.ordinal(spec.ref()).stream()).allMatch(this::forGood);
        return down
                ? one ? "does not start" : "do not start"
                : one ? "a document names" : "documents name or which do not start";
    }

    private boolean forGood(int ordinal) {
        return Failing.neverStarts(kube, ordinal) || noVolume(ordinal);
    }

    private boolean noVolume(int ordinal) {
        return kube.claim(ordinal)
                .filter(claim ->
                        claim.lost() || claim.volume().home().filter(Host::gone).isPresent())
                .isPresent();
    }

    private SortedMap<Integer, EtcdId> odd() {
        var odd = new TreeMap<>(down());
        if (divergence().orElse(null) instanceof Divergence.Differs differs) {
            ring.byOrdinal(spec.ref()).forEach((ordinal, member) -> {
                if (differs.odd().contains(member.id())) {
                    odd.put(ordinal, member.id());
                }
            });
        }
        return odd;
    }

    private boolean allAsked() {
        return !odd().isEmpty() && asked.entrySet().containsAll(odd().entrySet());
    }

    private Repairs.Mode mode() {
        return spec.declaration().handling().repairs().members();
    }
}
