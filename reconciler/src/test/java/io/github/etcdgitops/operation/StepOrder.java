package io.github.etcdgitops.operation;

import io.github.etcdgitops.step.Step;
import java.util.List;

/// Where the steps of an operation stand to each other.
final class StepOrder {
    private StepOrder() {}

    static List<String> names(Operation operation) {
        return operation.steps().stream().map(s -> s.getClass().getSimpleName()).toList();
    }

    static int last(Operation operation, Class<? extends Step> type) {
        return names(operation).lastIndexOf(type.getSimpleName());
    }

    static int first(Operation operation, Class<? extends Step> type) {
        return names(operation).indexOf(type.getSimpleName());
    }
}
