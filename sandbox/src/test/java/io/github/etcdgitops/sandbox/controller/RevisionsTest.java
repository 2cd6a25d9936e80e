package io.github.etcdgitops.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.controller.Revisions.Chosen;
import io.github.etcdgitops.sandbox.controller.Revisions.Write;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RevisionsTest {
    private final ObjectNode set = Sample.set(3, 3);

    @Test
    void startsWithOneRevisionThatIsCurrentAndUpdate() {
        Chosen first = Revisions.choose(set, List.of(), List.of());

        assertThat(first.write()).isEqualTo(Write.CREATE);
        assertThat(first.updateName())
                .matches("ring-[bcdfghjklmnpqrstvwxz2456789]+")
                .isEqualTo(first.currentName());
        assertThat(first.update().path("revision").asInt()).isEqualTo(1);
        assertThat(Meta.labels(first.update()).path("app").asText()).isEqualTo("etcd");
        assertThat(Ownership.controlledBy(first.update(), set)).isTrue();
        assertThat(Revisions.template(first.update()).path("spec"))
                .isEqualTo(set.path("spec").path("template").path("spec"));
    }

    @Test
    void keepsTheRevisionOfTheSameTemplateWhateverTheOrderOfItsFields() {
        Chosen first = Revisions.choose(set, List.of(), List.of());
        ObjectNode reordered = set.deepCopy();
        ObjectNode metadata = reordered
                .withObjectProperty("spec")
                .withObjectProperty("template")
                .withObjectProperty("metadata");
        metadata.set("labels", metadata.remove("labels"));

        Chosen second = Revisions.choose(reordered, List.of(first.update()), List.of(first.update()));

        assertThat(second.write()).isEqualTo(Write.NONE);
        assertThat(second.updateName()).isEqualTo(first.updateName());
    }

    @Test
    void keepsTheCurrentRevisionWhileTheTemplateChanges() {
        ObjectNode first = Revisions.choose(set, List.of(), List.of()).update();
        ObjectNode changed = Sample.withTemplate(set, "two");
        changed.putObject("status").put("currentRevision", Meta.name(first));

        Chosen second = Revisions.choose(changed, List.of(first), List.of(first));

        assertThat(second.write()).isEqualTo(Write.CREATE);
        assertThat(second.currentName()).isEqualTo(Meta.name(first)).isNotEqualTo(second.updateName());
        assertThat(second.update().path("revision").asInt()).isEqualTo(2);
    }

    @Test
    void renumbersARevisionThatIsUsedAgain() {
        ObjectNode first = Revisions.choose(set, List.of(), List.of()).update();
        ObjectNode second = Revisions.choose(Sample.withTemplate(set, "two"), List.of(first), List.of(first))
                .update();
        List<ObjectNode> both = List.of(first, second);

        Chosen third = Revisions.choose(set, both, both);

        assertThat(third.write()).isEqualTo(Write.RENUMBER);
        assertThat(third.updateName()).isEqualTo(Meta.name(first));
        assertThat(third.update().path("revision").asInt()).isEqualTo(3);
    }

    @Test
    void takesAnotherNameWhenSomebodyElseHasTheFirst() {
        ObjectNode foreign = Revisions.choose(set, List.of(), List.of()).update();

        Chosen chosen = Revisions.choose(set, List.of(), List.of(foreign));

        assertThat(chosen.collisions()).isEqualTo(1);
        assertThat(chosen.updateName()).isNotEqualTo(Meta.name(foreign));
    }

    @Test
    void forgetsTheOldestRevisionsThatNobodyHas() {
        set.withObjectProperty("spec").put("revisionHistoryLimit", 1);
        var own = new ArrayList<ObjectNode>();
        for (String template : List.of("a", "b", "c", "d", "e")) {
            own.add(Revisions.choose(Sample.withTemplate(set, template), own, own)
                    .update());
        }
        List<ObjectNode> pods = List.of(Sample.pod(0, Meta.name(own.get(1))));
        var chosen = new Chosen(own.get(4), own.get(4), 0, Write.NONE);

        assertThat(Revisions.superfluous(set, chosen, own, pods))
                .containsExactly(Meta.name(own.get(0)), Meta.name(own.get(2)));
    }
}
