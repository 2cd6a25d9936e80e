package io.github.etcdgitops.state.underway;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.KubeState.StatefulSetState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.TemplateParts;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The creation of a ring that is under way and not complete. As long as its clients were never admitted,
/// it can start again from the beginning.
public final class Founding {
    private Founding() {}

    /// What the document asks for that this creation cannot become, as `version 3.5.30 instead of 3.5.16`.
    /// Empty where there is nothing, where all members have started, and where something could not be read.
    public static List<String> outdated(EtcdClusterSpec spec, ClusterState state) {
        var journal = state.kube().knownJournal().filter(_ -> obstacle(state).isEmpty());
        if (journal.isEmpty()) {
            return List.of();
        }
        var found = new ArrayList<String>();
        var wanted = MemberSettings.founding(spec.server(), spec.server().version());
        var begun = journal.get().applied();
        if (!wanted.version().equals(begun.version())) {
            found.add("version " + wanted.version() + " instead of " + begun.version());
        } else if (!alike(wanted, begun)) {
            found.add("another image or configuration");
        }
        if (spec.size() != journal.get().members().size()) {
            found.add("size " + spec.size() + " instead of "
                    + journal.get().members().size());
        }
        var set = state.kube().knownSet();
        if (set.filter(s -> !changed(state, s).isEmpty()).isPresent()) {
            found.add("another pod template (" + String.join(", ", changed(state, set.get())) + ")");
        }
        if (!unmade(spec, state).isEmpty()) {
            found.add("another storage class or size");
        }
        if (found.isEmpty() && set.filter(s -> s.replicas() == 0).isPresent()) {
            found.add("running members, although the ring was never created");
        }
        return List.copyOf(found);
    }

    /// Why the creation must not be ended: there is none, the ring runs, or its state is unknown.
    public static Optional<String> obstacle(ClusterState state) {
        var journal = state.kube().knownJournal();
        if (journal.filter(j -> j.isUnderWay(Intent.Kind.FOUND) && !j.founded()).isEmpty()) {
            return Optional.of("the journal does not say that the ring is being created");
        }
        var unknown = state.kube().unknownParts();
        if (!unknown.isEmpty() || !state.kube().objects().confirmed()) {
            return Optional.of("the ring's objects could not be read by name");
        }
        boolean serves = state.kube()
                .objects()
                .live()
                .optional()
                .filter(live -> live.containsKey(ManagedObject.CLIENT_SERVICE))
                .isPresent();
        boolean ready = journal.get().members().keySet().stream()
                .allMatch(ordinal -> state.kube()
                        .pod(ordinal)
                        .filter(KubeState.PodState::ready)
                        .isPresent());
        return serves || ready || formed(journal.get(), state)
                ? Optional.of("all members have started in the meantime")
                : Optional.empty();
    }

    /// The members themselves know it before Kubernetes reports their pods as ready.
    private static boolean formed(Journal journal, ClusterState state) {
        return state.ring()
                .optional()
                .filter(ring -> ring.leader().isPresent())
                .map(ring -> ring.byOrdinal(state.ref()))
                .filter(members -> journal.members().keySet().stream()
                        .allMatch(ordinal -> members.containsKey(ordinal)
                                && members.get(ordinal).answers()))
                .isPresent();
    }

    /// Claims without a volume that request something else than the document does, by ordinal, with their
    /// UIDs. The class and size that a claim requests cannot be changed.
    public static SortedMap<Integer, String> unmade(EtcdClusterSpec spec, ClusterState state) {
        var unmade = new TreeMap<Integer, String>();
        state.kube()
                .claims()
                .optional()
                .ifPresent(claims -> claims.forEach((ordinal, claim) -> {
                    if (claim.ours() && !claim.bound() && !claim.lost() && !asksFor(spec.storage(), claim, state)) {
                        unmade.put(ordinal, claim.uid());
                    }
                }));
        return unmade;
    }

    /// Where the document names no class, the API server has put the default one into the claim: any
    /// existing class matches.
    private static boolean asksFor(Storage wanted, ClaimState claim, ClusterState state) {
        var asked = claim.storage();
        boolean sameClass = wanted.storageClassName().isPresent()
                ? wanted.storageClassName().equals(asked.storageClassName())
                : asked.storageClassName()
                        .filter(name -> Observed.known(Expansion.NO_SUCH_CLASS)
                                .equals(state.classes().get(name)))
                        .isEmpty();
        return sameClass && asked.size().equals(wanted.size());
    }

    /// Old journals do not name the image: then it is the tag of the version.
    private static boolean alike(MemberSettings wanted, MemberSettings begun) {
        return wanted.equals(begun)
                || (begun.image().isEmpty()
                        && wanted.image().isPresent()
                        && wanted.equals(
                                begun.with(begun.version(), wanted.image().get())));
    }

    private static List<String> changed(ClusterState state, StatefulSetState set) {
        return TemplateParts.parse(state.templateWanted()).differing(TemplateParts.parse(set.templateDigest()));
    }
}
