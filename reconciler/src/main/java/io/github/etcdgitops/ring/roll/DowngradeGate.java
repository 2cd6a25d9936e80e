package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.member.MemberState;
import java.util.List;
import java.util.Optional;

/// What a downgrade requires besides the checks of every step. Pure; fails closed.
///
/// A server of the earlier version ends at its start where the cluster version is above its own: 3.5.30 with
/// "invalid downgrade; server version is lower than determined cluster version", 3.6.14 with "version 3.7.0 is
/// not supported".
public final class DowngradeGate {
    private DowngradeGate() {}

    /// Why the downgrade must not be announced now.
    static Optional<String> unready(ClusterState fresh) {
        var ring = fresh.ring().optional();
        var runs = fresh.kube().knownJournal().map(journal -> journal.applied().version());
        if (ring.isEmpty() || runs.isEmpty()) {
            return Optional.of("the ring or its journal could not be read");
        }
        if (!ring.get().learners().isEmpty()) {
            return Optional.of("the ring has a learner: it must be a voter, or be removed, before a downgrade");
        }
        return ring.get().members().stream()
                .filter(member -> !version(member).equals(runs))
                .findFirst()
                .map(member -> title(member, fresh) + " does not run etcd " + runs.get()
                        + ". A downgrade starts from one version");
    }

    /// Why no member may start on the earlier version now; empty where the roll under way is no downgrade.
    static Optional<String> unprepared(ClusterState fresh) {
        return fresh.kube()
                .knownJournal()
                .flatMap(journal -> journal.roll()
                        .map(roll -> roll.target().version())
                        .filter(target ->
                                target.isOlderMinorThan(journal.applied().version()))
                        .flatMap(target -> unprepared(target.line(), fresh)));
    }

    /// Every member that runs the later version must have rewritten its data. And the downgrade must be
    /// announced, or a member must run the earlier version: while one does, etcd does not raise the cluster
    /// version. A leader of 3.5 ends the downgrade as soon as it leads (seen on 3.5.30), and the rest goes
    /// on safely.
    public static Optional<String> unprepared(EtcdVersion target, ClusterState fresh) {
        var ring = fresh.ring().optional();
        if (ring.isEmpty()) {
            return Optional.of("the ring could not be read");
        }
        boolean begun = ring.get().members().stream()
                .anyMatch(m -> version(m).filter(target::isSameMinorAs).isPresent());
        if (!begun && !announced(target, ring.get())) {
            return Optional.of("etcd does not report the downgrade to " + target.minorName()
                    + " as announced any more, and no member runs that version yet. Somebody may have cancelled it"
                    + " at etcd. To cancel it for good, take the commit back");
        }
        return ring.get().members().stream()
                .filter(member -> !prepared(target, member))
                .findFirst()
                .map(member -> title(member, fresh) + " has not prepared its data for etcd " + target.minorName());
    }

    public static boolean announced(EtcdVersion target, RingState ring) {
        return announced(ring).contains(target);
    }

    /// A downgrade that somebody announced at etcd, further than the document asks for, and that no change of ours
    /// made. Members must not be changed meanwhile: they write their data for the earlier version.
    public static Optional<String> foreign(EtcdVersion wanted, Journal journal, RingState ring) {
        if (journal.roll().isPresent() || journal.intent().isPresent()) {
            return Optional.empty();
        }
        return announced(ring).stream()
                .filter(target -> target.line().compareTo(wanted.line()) < 0)
                .findFirst()
                .map(target -> "somebody announced a downgrade to " + target.minorName()
                        + " at etcd, and the document asks for etcd " + wanted
                        + ". End it with `etcdctl downgrade cancel`, or ask for a release of "
                        + target.minorName());
    }

    /// The targets of downgrades that members report as under way.
    public static List<EtcdVersion> announced(RingState ring) {
        return ring.members().stream()
                .flatMap(member -> member.status().optional().stream())
                .flatMap(status -> status.storage().downgradeTo().stream())
                .distinct()
                .toList();
    }

    private static boolean prepared(EtcdVersion target, MemberState member) {
        return member.status()
                .optional()
                .filter(status -> status.version().isSameMinorAs(target)
                        || status.storage().version().filter(target::equals).isPresent())
                .isPresent();
    }

    private static Optional<EtcdVersion> version(MemberState member) {
        return member.status().optional().map(MemberState.Status::version);
    }

    private static String title(MemberState member, ClusterState fresh) {
        return member.ordinal(fresh.ref()).map(fresh.ref()::podName).orElseGet(() -> "member " + member.id());
    }
}
