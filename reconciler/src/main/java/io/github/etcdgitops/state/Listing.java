package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState.JournalState;
import io.github.etcdgitops.state.value.Observed;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// The rings that a list has found. A list of thousands of rings keeps no states: it makes the state of a ring each
/// time that somebody asks for it.
public interface Listing {
    SortedSet<ClusterRef> refs();

    /// Empty where the list has nothing of such a ring, which does not prove absence.
    Optional<KubeState> state(ClusterRef ref);

    /// The journal in that state.
    default Observed<Optional<JournalState>> journal(ClusterRef ref) {
        return state(ref).map(KubeState::journal).orElseGet(() -> Observed.known(Optional.empty()));
    }

    /// What it left out, each as a sentence for people.
    List<String> leftOut();

    /// The states of all rings, for a few rings.
    default SortedMap<ClusterRef, KubeState> states() {
        var states = new TreeMap<ClusterRef, KubeState>();
        refs().forEach(ref -> state(ref).ifPresent(state -> states.put(ref, state)));
        return states;
    }

    static Listing of(SortedMap<ClusterRef, KubeState> rings) {
        var known = new TreeMap<>(rings);
        return of(known.navigableKeySet(), ref -> Objects.requireNonNull(known.get(ref)));
    }

    /// `state` gives the state of each of these rings.
    static Listing of(SortedSet<ClusterRef> refs, Function<ClusterRef, KubeState> state) {
        var known = Collections.unmodifiableSortedSet(new TreeSet<>(refs));
        return new Listing() {
            @Override
            public SortedSet<ClusterRef> refs() {
                return known;
            }

            @Override
            public Optional<KubeState> state(ClusterRef ref) {
                return known.contains(ref) ? Optional.of(state.apply(ref)) : Optional.empty();
            }

            @Override
            public List<String> leftOut() {
                return List.of();
            }
        };
    }
}
