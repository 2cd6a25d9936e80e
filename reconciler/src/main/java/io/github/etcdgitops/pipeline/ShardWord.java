package io.github.etcdgitops.pipeline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.FleetPlan;
import io.github.etcdgitops.report.RingRun;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the processes of a sharded run tell each other, as JSON.
sealed interface ShardWord {
    ObjectMapper JSON = new ObjectMapper();

    /// Of the leader: the commit that was planned, and for each ring the ids of the operations that were published.
    /// Nothing else may be done in this run.
    record Published(String commit, SortedMap<String, List<String>> operations) implements ShardWord {
        public Published {
            operations = Collections.unmodifiableSortedMap(new TreeMap<>(operations));
        }

        static Published of(String commit, FleetPlan plan) {
            var operations = new TreeMap<String, List<String>>();
            plan.clusters().stream()
                    .filter(ClusterPlan::changes)
                    .forEach(c -> operations.put(c.ref().toString(), ids(c)));
            return new Published(commit, operations);
        }

        /// Whether everything in this ring's plan was published.
        boolean covers(ClusterPlan plan) {
            return operations.getOrDefault(plan.ref().toString(), List.of()).containsAll(ids(plan));
        }

        private static List<String> ids(ClusterPlan plan) {
            return plan.operations().stream().map(o -> o.operation().id()).toList();
        }
    }

    /// Of another one: what it did, and the name of its exit code.
    record Ended(String exit, List<RingRun> rings) implements ShardWord {
        public Ended {
            rings = List.copyOf(rings);
        }
    }

    static String write(ShardWord word) {
        try {
            return JSON.writeValueAsString(word);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("strings and lists can always be written", e);
        }
    }

    /// Throws [RunException] for what no process of this version wrote.
    static <T extends ShardWord> T read(String text, Class<T> type) {
        try {
            return JSON.readValue(text, type);
        } catch (JsonProcessingException _) {
            throw new RunException(
                    RunException.Kind.TEMPORARY,
                    "another shard left word that cannot be read; is it of another version?");
        }
    }
}
