package io.github.etcdgitops.state.underway;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.journal.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Whether the volumes that a ring's journal names exist. A claim with another UID is another volume,
/// whatever its name: a volume filled from a copy would bring back a member that has forgotten what it
/// agreed to.
public final class KeptVolumes {
    private KeptVolumes() {}

    /// Why the former members cannot start on them; empty when enough of them can for a quorum. A member
    /// whose volume is lost cannot, and gets another one once the ring runs.
    public static Optional<String> missing(ClusterRef ref, KubeState kube) {
        var journal = kube.knownJournal();
        if (journal.isEmpty() || !kube.claims().isKnown()) {
            return Optional.of("journal or claims could not be read");
        }
        var members = journal.get().members();
        for (var member : members.entrySet()) {
            if (member.getValue().id().isEmpty() || member.getValue().claimUid().isEmpty()) {
                return Optional.of("the journal does not know the claim of " + ref.podName(member.getKey()));
            }
        }
        var changed = changed(ref, kube, journal.get());
        if (changed.isPresent()) {
            return changed;
        }
        var lost = lost(kube, journal.get());
        return new Quorum(members.size(), members.size() - lost.size()).holds()
                ? Optional.empty()
                : Optional.of("the volumes of "
                        + lost.stream().map(ref::podName).toList() + " are lost, and the others are no majority");
    }

    /// The first claim that is not the one in the journal, where the journal names one.
    public static Optional<String> changed(ClusterRef ref, KubeState kube, Journal journal) {
        var claims = kube.claims().optional().orElseThrow();
        for (var member : journal.members().entrySet()) {
            String name = ref.claimName(kube.claimTemplate(), member.getKey());
            var claim = claims.get(member.getKey());
            if (claim == null) {
                return Optional.of("the claim " + name + " is gone");
            }
            if (!claim.ours() || claim.terminating()) {
                return Optional.of(
                        "the claim " + name + (claim.ours() ? " is being deleted" : " is not managed by etcd-gitops"));
            }
            var then = member.getValue().claimUid().filter(uid -> !uid.equals(claim.uid()));
            if (then.isPresent()) {
                return Optional.of("the claim " + name + " has the UID " + claim.uid() + ", and the ring's claim had "
                        + then.get() + ". It is a different volume");
            }
        }
        return Optional.empty();
    }

    /// Ordinals of members whose volume is lost.
    public static List<Integer> lost(KubeState kube, Journal journal) {
        var lost = new ArrayList<Integer>();
        var claims = kube.claims().optional().orElseThrow();
        journal.members().keySet().forEach(ordinal -> {
            var claim = claims.get(ordinal);
            if (claim == null || claim.lost()) {
                lost.add(ordinal);
            }
        });
        return List.copyOf(lost);
    }
}
