package io.github.etcdgitops.plan;

import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.health.Quorum;

/// A step with its effect: voters, quorum and tolerance before, at the worst moment, and after.
public record PlannedStep(Step step, RingModel before, RingModel after, Texts texts) {
    /// `elections` and `waitsFor` may be empty.
    public record Texts(String action, String elections, String undo, String waitsFor) {}

    static PlannedStep of(Step step, RingModel before, ClusterRef ref) {
        var texts = new Texts(step.text(ref), step.facts().elections(), step.undo(ref), waitsFor(step));
        return new PlannedStep(step, before, step.apply(before), texts);
    }

    public Quorum during() {
        return step.during(before);
    }

    private static String waitsFor(Step step) {
        return switch (step.gate()) {
            case NONE, UNSUSPENDED -> "";
            case EXPECTED -> "the ring is as planned";
            case GREEN -> "the ring is as planned and every member is healthy";
        };
    }
}
