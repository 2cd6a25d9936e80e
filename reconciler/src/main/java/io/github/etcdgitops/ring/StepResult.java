package io.github.etcdgitops.ring;

/// How a step ended. `detail` is for people and safe to print.
public sealed interface StepResult {
    String detail();

    record Done(String detail) implements StepResult {}

    /// Nothing had to be done: an earlier run did it, or somebody else.
    record AlreadySo(String detail) implements StepResult {}

    /// Not safe now. Nothing was done; the next run looks again.
    record Held(String detail) implements StepResult {}

    /// Tried, and it did not come to pass within its deadline or was refused.
    record Failed(String detail) implements StepResult {}

    /// Somebody else writes to this ring now, or our Lease could not be renewed: this run must stop touching it.
    record Fenced(String detail) implements StepResult {}

    default boolean ok() {
        return this instanceof Done || this instanceof AlreadySo;
    }
}
