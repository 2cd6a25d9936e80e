package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.state.Quorum;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Steps by which a founding that has not come up begins anew. Nobody was let into the ring, so nothing is lost.
public sealed interface RefoundStep extends Step.OfDeletion {
    /// Ends its pods, and deletes its StatefulSet and these claims, which have no volume, by their UIDs.
    record EndFounding(SortedMap<Integer, String> claims) implements RefoundStep {
        public EndFounding {
            claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        }
    }

    /// Journals another founding in its place.
    record ReopenJournal(int size, EtcdVersion version, String operationId) implements RefoundStep {}

    @Override
    default Gate gate() {
        return Gate.UNSUSPENDED;
    }

    @Override
    default Duration deadline() {
        return switch (this) {
            case EndFounding _ -> Duration.ofMinutes(10);
            case ReopenJournal _ -> Duration.ofMinutes(2);
        };
    }

    @Override
    default RingModel apply(RingModel ring) {
        return switch (this) {
            case EndFounding _ -> RingModel.EMPTY;
            case ReopenJournal _ -> ring;
        };
    }

    @Override
    default Quorum during(RingModel before) {
        return apply(before).quorum();
    }

    /// What it says to people, before it happens.
    default String wording(ClusterRef ref) {
        return switch (this) {
            case EndFounding(var claims) ->
                "End the founding that is under way: its pods, to which no client was let, and its StatefulSet"
                        + (claims.isEmpty()
                                ? ""
                                : ", and delete the claims of "
                                        + claims.keySet().stream()
                                                .map(ref::podName)
                                                .collect(Collectors.joining(", "))
                                        + ", which have no volume");
            case ReopenJournal(int size, var version, var unused) ->
                "Open the journal of a ring of " + size + " on etcd " + version + " in its place";
        };
    }
}
