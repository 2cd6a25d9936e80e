package io.github.etcdgitops.receive;

/// How a container of ours ended, in one line for its log.
public sealed interface Outcome {
    String message();

    record Done(String message) implements Outcome {}

    /// The same may work another time.
    record GaveUp(String message) implements Outcome {}

    record Failed(String message) implements Outcome {}
}
