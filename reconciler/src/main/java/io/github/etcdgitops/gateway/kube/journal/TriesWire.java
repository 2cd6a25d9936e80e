package io.github.etcdgitops.gateway.kube.journal;

import com.fasterxml.jackson.databind.JsonMappingException;
import io.github.etcdgitops.state.journal.Inspection;
import io.github.etcdgitops.state.journal.Inspection.Outcome;
import io.github.etcdgitops.state.journal.RestartAttempts;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The attempts for members: `members` is always present, the other maps only where they are not empty.
record TriesWire(
        SortedMap<Integer, RestartAttempts.Tried> members,
        Optional<Instant> replaced,
        Optional<SortedMap<Integer, Inspection>> inspected,
        Optional<SortedMap<Integer, RestartAttempts.Missed>> missed,
        Optional<SortedMap<Integer, RestartAttempts.Joined>> joins)
        implements Wire<RestartAttempts> {
    static TriesWire of(RestartAttempts tries) {
        return new TriesWire(
                tries.members(), tries.replaced(), some(tries.inspected()), some(tries.missed()), some(tries.joins()));
    }

    private static <M extends Map<?, ?>> Optional<M> some(M map) {
        return Optional.of(map).filter(all -> !all.isEmpty());
    }

    @Override
    public RestartAttempts meaning() {
        return new RestartAttempts(
                members,
                replaced,
                inspected.orElseGet(TreeMap::new),
                missed.orElseGet(TreeMap::new),
                joins.orElseGet(TreeMap::new));
    }

    /// The data on a volume: `unreadable`, or what was found. `witness` is present or absent; its value
    /// does not matter.
    record Inspected(
            String claimUid,
            Instant at,
            String seen,
            Optional<String> unreadable,
            Optional<Long> revision,
            Optional<Inspection.Hash> hash,
            Optional<Long> witness,
            Optional<SortedSet<EtcdId>> odd)
            implements Wire<Inspection> {
        static Inspected of(Inspection inspection) {
            var told = inspection.outcome() instanceof Outcome.Told t ? Optional.of(t) : Optional.<Outcome.Told>empty();
            return new Inspected(
                    inspection.claimUid(),
                    inspection.at(),
                    inspection.seen(),
                    inspection.outcome() instanceof Outcome.Unreadable(String why)
                            ? Optional.of(why)
                            : Optional.empty(),
                    told.map(Outcome.Told::revision),
                    told.flatMap(Outcome.Told::hash),
                    told.filter(Outcome.Told::witness).map(_ -> 1L),
                    Optional.of(inspection.odd()).filter(odd -> !odd.isEmpty()));
        }

        @Override
        public Inspection meaning() throws JsonMappingException {
            return new Inspection(claimUid, at, seen, outcome(), odd.orElseGet(TreeSet::new));
        }

        private Outcome outcome() throws JsonMappingException {
            if (unreadable.isEmpty()) {
                long told = revision.orElseThrow(() -> JournalFields.wrong("revision", "is missing"));
                return new Outcome.Told(told, hash, witness.isPresent());
            }
            JournalFields.requireNone(Map.of("revision", revision, "hash", hash, "witness", witness));
            return new Outcome.Unreadable(unreadable.get());
        }
    }
}
