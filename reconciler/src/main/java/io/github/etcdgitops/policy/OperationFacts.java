package io.github.etcdgitops.policy;

import io.github.etcdgitops.operation.Operation;
import java.util.Map;

/// An operation as expressions see it; the fields are those of `Expressions`.
final class OperationFacts {
    private OperationFacts() {}

    static Map<String, Object> of(Operation operation) {
        return Map.of(
                "kind", operation.kind(),
                "id", operation.id(),
                "risk", operation.risk().toString(),
                "summary", operation.summary(),
                "mends", operation.endsWhatWasBegun(),
                "steps", (long) operation.steps().size(),
                "minutes", Estimate.of(operation).toMinutes());
    }
}
