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

/// What the processes of a sharded run tell each other, as JSON.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "word")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ShardWord.Published.class, name = "published"),
    @JsonSubTypes.Type(value = ShardWord.NoPlan.class, name = "no-plan"),
    @JsonSubTypes.Type(value = ShardWord.Ended.class, name = "ended")
})
sealed interface ShardWord {
    ObjectMapper JSON = new ObjectMapper();

    /// Of the leader: the commit that was planned, for each ring the ids of the operations that were
    /// published, the rings whose turn it is to change feature gates, and to be mended unasked, and of the
    /// operations those that may begin.
    /// Nothing else may be done in this run.
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

    /// Of the leader: nothing is to be done in this run. `refused` tells that the leader may not act on the commit,
    /// and so nobody may.
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

    /// Of another one: what it did.
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

    /// Throws [RunException] for what no process of this version wrote.
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
