package io.github.etcdgitops.execute.repair;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.repair.NodeStep;
import java.util.Optional;

/// Journals nodes that are gone, and releases pods from them.
public final class NodeSteps implements StepHandler<NodeStep> {
    private final PodTries podTries;
    private final MissingNodeRecords machines;

    public NodeSteps(StepContext context) {
        this.podTries = new PodTries(context);
        this.machines = new MissingNodeRecords(context);
    }

    @Override
    public Optional<String> alreadySo(NodeStep step) {
        return switch (step) {
            case NodeStep.NoteMachine note -> machines.noted(note);
            case NodeStep.ReleasePod(int ordinal, String pod) -> podTries.released(ordinal, pod);
        };
    }

    @Override
    public StepResult act(NodeStep step) {
        return switch (step) {
            case NodeStep.NoteMachine note -> machines.note(note);
            case NodeStep.ReleasePod(int ordinal, String pod) -> podTries.release(ordinal, pod, step.deadline());
        };
    }
}
