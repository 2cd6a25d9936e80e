package io.github.etcdgitops.pipeline.shard;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.pipeline.RolloutSlots;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.fleet.FeatureRollout;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.plan.fleet.RepairBudget;
import io.github.etcdgitops.policy.FleetRules;
import io.github.etcdgitops.report.RingRun;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Messages between the processes of a sharded run, as JSON.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "word")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ShardWord.Published.class, name = "published"),
    @JsonSubTypes.Type(value = ShardWord.NoPlan.class, name = "no-plan"),
    @JsonSubTypes.Type(value = ShardWord.Ended.class, name = "ended")
})
sealed interface ShardWord {
    ObjectMapper JSON = new ObjectMapper();

    /// From the leader: the planned commit, for each ring the ids of the published operations, the rings
    /// that may change feature gates and those that may be repaired without approval, and the operations
    /// that may start. Nothing else may be done in this run.
    record Published(
            String commit,
            SortedMap<String, List<String>> operations,
            List<String> features,
            List<String> repairs,
            List<String> begin)
            implements ShardWord {
        public Published {
            operations = Collections.unmodifiableSortedMap(new TreeMap<>(operations));
            features = List.copyOf(features);
            repairs = List.copyOf(repairs);
            begin = List.copyOf(begin);
        }

        static Published of(String commit, FleetPlan plan) {
            var operations = new TreeMap<String, List<String>>();
            plan.clusters().stream()
                    .filter(ClusterPlan::changes)
                    .forEach(c -> operations.put(c.ref().toString(), ids(c)));
            return new Published(
                    commit,
                    operations,
                    names(FeatureRollout.chosen(plan.clusters())),
                    names(RepairBudget.chosen(plan.clusters())),
                    List.copyOf(FleetRules.chosen(plan.clusters())));
        }

        RolloutSlots turns() {
            return new RolloutSlots(rings(features), rings(repairs), Set.copyOf(begin));
        }

        private static List<String> names(Set<ClusterRef> rings) {
            return rings.stream().map(ClusterRef::toString).toList();
        }

        private static Set<ClusterRef> rings(List<String> names) {
            return names.stream()
                    .map(name -> name.split("/", 2))
                    .map(parts -> new ClusterRef(parts[0], parts[1]))
                    .collect(Collectors.toUnmodifiableSet());
        }

        /// Whether everything in this ring's plan was published.
        boolean covers(ClusterPlan plan) {
            return operations.getOrDefault(plan.ref().toString(), List.of()).containsAll(ids(plan));
        }

        private static List<String> ids(ClusterPlan plan) {
            return plan.operations().stream().map(o -> o.operation().id()).toList();
        }
    }

    /// From the leader: this run does nothing. `refused` says that the leader may not act on the commit,
    /// and so no process may.
    record NoPlan(String why, boolean refused) implements ShardWord {
        static NoPlan because(RuntimeException trouble) {
            return new NoPlan(String.valueOf(trouble.getMessage()), isRefusal(trouble));
        }

        private static boolean isRefusal(RuntimeException trouble) {
            return (trouble instanceof RunException run && run.kind() == RunException.Kind.UNAUTHORIZED)
                    || (trouble instanceof GitException git && git.kind() == GitException.Kind.UNVERIFIED);
        }

        RunException.Kind kind() {
            return refused ? RunException.Kind.UNAUTHORIZED : RunException.Kind.TEMPORARY;
        }
    }

    /// From another process: what it did.
    record Ended(List<RingRun> rings) implements ShardWord {
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

    /// Throws [RunException] for a text that no process of this version wrote.
    static ShardWord read(String text) {
        try {
            return JSON.readValue(text, ShardWord.class);
        } catch (JsonProcessingException _) {
            throw unreadable();
        }
    }

    static RunException unreadable() {
        return new RunException(
                RunException.Kind.TEMPORARY,
                "another shard left data that cannot be read. Check that all shards run the same version");
    }
}
