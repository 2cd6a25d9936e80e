package io.github.etcdgitops.state.underway;

import io.github.etcdgitops.state.KubeState.StatefulSetState;
import io.github.etcdgitops.state.TemplateParts;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;

/// What a pod runs that the StatefulSet's controller creates now. During a roll that depends on the
/// ordinal: at and above the partition it has the new template, below it the former one.
public record NextPod(StatefulSetState set, Journal journal) {
    /// Whether the pod of this ordinal gets the template of the roll.
    public boolean isNew(int ordinal) {
        return journal.roll().isPresent()
                && !former()
                && (!set.rollout().inProgress() || ordinal >= set.rollout().partition());
    }

    /// The former template is in place: no member was restarted yet, or the roll is being rolled back.
    public boolean former() {
        return journal.roll()
                .filter(roll -> roll.formerTemplate().equals(set.templateDigest()))
                .isPresent();
    }

    /// Whether some pods created now get a template that is not ours, in a ring that is being adopted: no
    /// new member starts from that template, and none that has joined goes back to it.
    public boolean foreign() {
        boolean replaced = !former() && !set.rollout().inProgress();
        String template = journal.roll()
                .filter(_ -> !replaced)
                .map(Intent.Roll::formerTemplate)
                .orElseGet(set::templateDigest);
        return TemplateParts.parse(template).foreign();
    }

    /// The contents of its member's file, so that they fit that template.
    public MemberSettings configuration(int ordinal) {
        return isNew(ordinal) ? journal.roll().orElseThrow().target() : journal.applied();
    }
}
