package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.Risk;
import java.util.List;
import java.util.SortedMap;

/// Puts new members with new volumes at some places of a ring of `members`. `learner` is false on servers
/// before 3.4.
sealed interface ReplacementOperation extends Operation permits ReplaceMember, ResetVolume {
    SortedMap<Integer, ReplacementSlot> places();

    int members();

    boolean learner();

    Blueprint blueprint();

    private Replacements replacements() {
        return new Replacements(
                ref(), places(), members(), learner(), blueprint().members());
    }

    @Override
    default Resolved resolved() {
        return Resolved.members(blueprint());
    }

    @Override
    default Risk risk() {
        return replacements().risk();
    }

    @Override
    default boolean heals() {
        return true;
    }

    @Override
    default String reason() {
        return replacements().reason();
    }

    @Override
    default String summary() {
        return replacements().summary();
    }

    @Override
    default List<Step> steps() {
        return replacements().steps(id());
    }
}
