package io.github.etcdgitops.ring;

/// How a step ended. `detail` is for people and safe to print.
public sealed interface StepResult {
    String detail();

    record Done(String detail) implements StepResult {}

    /// Nothing had to be done: an earlier run, or someone else, did it.
    record AlreadySo(String detail) implements StepResult {}

    /// Not safe now. The step did nothing; the next run checks again.
    record Held(String detail) implements StepResult {}

    /// The step tried, and it was refused or did not complete within its deadline.
    record Failed(String detail) implements StepResult {}

    /// Another process writes to this ring now, or our Lease could not be renewed: this run must stop
    /// touching the ring.
    record Fenced(String detail) implements StepResult {}

    default boolean ok() {
        return this instanceof Done || this instanceof AlreadySo;
    }
}
