package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.util.function.UnaryOperator;

/// A change of exactly what was read: anything newer has to be looked at again.
final class Unchanged {
    private Unchanged() {}

    static UnaryOperator<ObjectNode> since(ObjectNode read, UnaryOperator<ObjectNode> change) {
        return now -> {
            ObjectNode changed = change.apply(now);
            Meta.of(changed).put("resourceVersion", Meta.resourceVersion(read));
            return changed;
        };
    }
}
