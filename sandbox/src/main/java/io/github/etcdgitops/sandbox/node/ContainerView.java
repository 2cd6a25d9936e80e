package io.github.etcdgitops.sandbox.node;

import java.time.Instant;
import java.util.Optional;

/// What a pod's status says about one of its containers.
record ContainerView(State state, Optional<Terminated> last, int restarts, boolean started, boolean ready) {
    sealed interface State {}

    record Waiting(String reason, String message) implements State {}

    record Running(long pid, Instant since) implements State {}

    /// `message` is what it had to say in the end; it may be empty.
    record Terminated(long pid, int exitCode, Instant since, Instant until, String message) implements State {}

    /// `reason` is what it waits for; `restarts` counts from a machine's earlier life on.
    static ContainerView fresh(String reason, int restarts) {
        return new ContainerView(new Waiting(reason, ""), Optional.empty(), restarts, false, false);
    }

    ContainerView waiting(String reason, String message) {
        return new ContainerView(new Waiting(reason, message), last, restarts, false, false);
    }

    ContainerView running(Running now) {
        return new ContainerView(now, last, restarts, false, false);
    }

    ContainerView terminated(Terminated end) {
        return new ContainerView(end, last, restarts, false, false);
    }

    /// Waits to be started again after this end.
    ContainerView again(Terminated end, Waiting waiting) {
        return new ContainerView(waiting, Optional.of(end), restarts + 1, false, false);
    }

    /// Has ended well, for good.
    boolean succeeded() {
        return state instanceof Terminated end && end.exitCode() == 0;
    }

    /// Answers of a process that has ended meanwhile change nothing.
    ContainerView answered(Running of, boolean isStarted, boolean isReady) {
        return state.equals(of) ? new ContainerView(state, last, restarts, isStarted, isReady) : this;
    }
}
