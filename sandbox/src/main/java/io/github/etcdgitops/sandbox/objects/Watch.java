package io.github.etcdgitops.sandbox.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;

/// Changes in the order in which they happened.
public interface Watch extends AutoCloseable {
    enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }

    /// The object as it was after the change; before it, when it was deleted.
    /// `before` is what it was before, if it was there.
    record Change(Type type, ObjectNode object, Optional<ObjectNode> before, long resourceVersion) {}

    /// Waits at most so long; empty when nothing happened. Throws [Refusal] (410) when the reader fell too
    /// far behind.
    Optional<Change> next(Duration atMost) throws InterruptedException;

    @Override
    void close();
}
