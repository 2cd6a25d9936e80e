package io.github.etcdgitops.policy;

import java.util.Map;

/// An operation as expressions see it; the fields are those of `Expressions`.
final class OperationFacts {
    private OperationFacts() {}

    static Map<String, Object> of(Proposal operation) {
        return Map.of(
                "kind", operation.kind(),
                "id", operation.id(),
                "risk", operation.risk().toString(),
                "summary", operation.summary(),
                "mends", operation.mends(),
                "steps", (long) operation.steps(),
                "minutes", operation.time().toMinutes());
    }
}
