package io.github.etcdgitops.receive;

/// The result of a container of ours, in one line for its log.
public sealed interface Outcome {
    String message();

    record Done(String message) implements Outcome {}

    /// A later attempt may succeed.
    record GaveUp(String message) implements Outcome {}

    record Failed(String message) implements Outcome {}
}
