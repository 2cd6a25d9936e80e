package io.github.etcdgitops.ring;

import java.util.List;

/// Where the steps of an operation stand to each other.
public final class StepOrder {
    private StepOrder() {}

    public static List<String> names(Operation operation) {
        return operation.steps().stream().map(s -> s.getClass().getSimpleName()).toList();
    }

    public static int last(Operation operation, Class<? extends Step> type) {
        return names(operation).lastIndexOf(type.getSimpleName());
    }

    public static int first(Operation operation, Class<? extends Step> type) {
        return names(operation).indexOf(type.getSimpleName());
    }
}
