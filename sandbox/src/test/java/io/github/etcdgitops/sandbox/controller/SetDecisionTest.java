package io.github.etcdgitops.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.controller.Revisions.Chosen;
import io.github.etcdgitops.sandbox.controller.Revisions.Write;
import io.github.etcdgitops.sandbox.controller.SetDecision.Action;
import io.github.etcdgitops.sandbox.controller.SetDecision.Decision;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SetDecisionTest {
    private static final Chosen BOTH = revisions("old", "new");
    private static final Chosen SAME = revisions("old", "old");

    @Test
    void makesAllPodsAtOnceWhenParallel() {
        Decision decision = SetDecision.decide(Sample.set(3, 3), SAME, List.of());

        assertThat(words(decision)).containsExactly("create ring-0 old", "create ring-1 old", "create ring-2 old");
        assertThat(decision.status().path("replicas").asInt()).isEqualTo(3);
        assertThat(decision.status().path("currentReplicas").asInt()).isEqualTo(3);
        assertThat(decision.status().has("readyReplicas")).isFalse();
    }

    @Test
    void makesOnePodAfterTheOtherWhenOrdered() {
        ObjectNode set = Sample.withPolicy(Sample.set(3, 0), "OrderedReady");

        assertThat(words(SetDecision.decide(set, SAME, List.of()))).containsExactly("create ring-0 old");
        assertThat(words(SetDecision.decide(set, SAME, List.of(Sample.unready(Sample.pod(0, "old"))))))
                .isEmpty();
        assertThat(words(SetDecision.decide(set, SAME, List.of(Sample.pod(0, "old")))))
                .containsExactly("create ring-1 old");
    }

    @Test
    void bringsAPodBelowThePartitionBackAtTheCurrentRevision() {
        Decision decision = SetDecision.decide(Sample.set(3, 1), BOTH, List.of(Sample.pod(2, "new")));

        assertThat(words(decision)).containsExactly("create ring-0 old", "create ring-1 new");
    }

    @Test
    void waitsForTheOldPodToBeGone() {
        List<ObjectNode> pods = List.of(Sample.pod(0, "old"), Sample.ending(Sample.pod(1, "old")));

        Decision decision = SetDecision.decide(Sample.set(2, 2), SAME, pods);

        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().path("replicas").asInt()).isEqualTo(2);
        assertThat(decision.status().path("currentReplicas").asInt()).isEqualTo(1);
    }

    @Test
    void rollsNothingBelowThePartition() {
        Decision decision = SetDecision.decide(Sample.set(3, 3), BOTH, three("old", "old", "old"));

        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().path("currentRevision").asText()).isEqualTo("old");
        assertThat(decision.status().path("updateRevision").asText()).isEqualTo("new");
        assertThat(decision.status().has("updatedReplicas")).isFalse();
    }

    @Test
    void rollsOnePodAtATimeFromTheHighestOrdinal() {
        ObjectNode set = Sample.set(3, 1);

        assertThat(words(SetDecision.decide(set, BOTH, three("old", "old", "old"))))
                .containsExactly("delete ring-2");
        assertThat(words(SetDecision.decide(set, BOTH, three("old", "old", "new"))))
                .containsExactly("delete ring-1");
        assertThat(words(SetDecision.decide(set, BOTH, three("old", "new", "new"))))
                .isEmpty();
    }

    @Test
    void doesNotRollOnBelowAPodThatIsNotReady() {
        List<ObjectNode> pods =
                List.of(Sample.pod(0, "old"), Sample.pod(1, "old"), Sample.unready(Sample.pod(2, "new")));

        assertThat(SetDecision.decide(Sample.set(3, 0), BOTH, pods).actions()).isEmpty();
    }

    @Test
    void replacesAnUnreadyPodThatHasTheOldRevision() {
        List<ObjectNode> pods = List.of(Sample.pod(0, "old"), Sample.unready(Sample.pod(1, "old")));

        assertThat(words(SetDecision.decide(Sample.set(2, 1), BOTH, pods))).containsExactly("delete ring-1");
    }

    @Test
    void movesTheCurrentRevisionOnlyWhenEveryPodIsUpdatedAndReady() {
        ObjectNode set = Sample.set(3, 0);
        List<ObjectNode> almost =
                List.of(Sample.unready(Sample.pod(0, "new")), Sample.pod(1, "new"), Sample.pod(2, "new"));

        ObjectNode before = SetDecision.decide(set, BOTH, almost).status();
        ObjectNode after =
                SetDecision.decide(set, BOTH, three("new", "new", "new")).status();

        assertThat(before.path("currentRevision").asText()).isEqualTo("old");
        assertThat(before.has("currentReplicas")).isFalse();
        assertThat(after.path("currentRevision").asText()).isEqualTo("new");
        assertThat(after.path("currentReplicas").asInt()).isEqualTo(3);
        assertThat(after.path("observedGeneration").asInt()).isEqualTo(7);
    }

    @Test
    void leavesPodsToTheUserOnDelete() {
        ObjectNode set = Sample.set(2, 0);
        set.withObjectProperty("spec").putObject("updateStrategy").put("type", "OnDelete");

        Decision decision = SetDecision.decide(set, BOTH, List.of(Sample.pod(0, "old")));

        assertThat(words(decision)).containsExactly("create ring-1 new");
    }

    @Test
    void takesAllSuperfluousPodsAwayAtOnceWhenParallel() {
        assertThat(words(SetDecision.decide(Sample.set(1, 1), SAME, three("old", "old", "old"))))
                .containsExactly("delete ring-2", "delete ring-1");
    }

    @Test
    void takesTheHighestOrdinalAwayFirstWhenOrdered() {
        ObjectNode set = Sample.withPolicy(Sample.set(1, 0), "OrderedReady");
        List<ObjectNode> ending =
                List.of(Sample.pod(0, "old"), Sample.pod(1, "old"), Sample.ending(Sample.pod(2, "old")));

        assertThat(words(SetDecision.decide(set, SAME, three("old", "old", "old"))))
                .containsExactly("delete ring-2");
        assertThat(SetDecision.decide(set, SAME, ending).actions()).isEmpty();
    }

    @Test
    void deletesAPodThatFailed() {
        ObjectNode failed = Sample.pod(0, "old");
        failed.withObjectProperty("status").put("phase", "Failed");

        assertThat(words(SetDecision.decide(Sample.set(1, 1), SAME, List.of(failed))))
                .containsExactly("delete ring-0");
    }

    @Test
    void doesNothingOnceTheSetIsBeingDeleted() {
        ObjectNode set = Sample.ending(Sample.set(3, 0));

        assertThat(SetDecision.decide(set, BOTH, List.of(Sample.pod(0, "old"))).actions())
                .isEmpty();
    }

    private static List<ObjectNode> three(String first, String second, String third) {
        return List.of(Sample.pod(0, first), Sample.pod(1, second), Sample.pod(2, third));
    }

    private static Chosen revisions(String current, String update) {
        return new Chosen(revision(current), revision(update), 0, Write.NONE);
    }

    private static ObjectNode revision(String name) {
        return Sample.of("{metadata: {name: %s}, data: {spec: {template: {spec: {containers: []}}}}}".formatted(name));
    }

    private static List<String> words(Decision decision) {
        return decision.actions().stream()
                .flatMap(action -> switch (action) {
                    case Action.Create(ObjectNode pod, List<ObjectNode> claims) ->
                        Stream.of("create " + Meta.name(pod) + " " + SetPods.revision(pod));
                    case Action.Delete(ObjectNode pod) -> Stream.of("delete " + Meta.name(pod));
                })
                .toList();
    }
}
