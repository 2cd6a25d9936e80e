package io.github.etcdgitops.spec.value;

import java.util.Arrays;
import java.util.Optional;

/// A constant in external formats: documents, JSON, metrics, Events, journals, ids. Its wire name is a
/// literal, never the name of the Java constant: renaming the constant invalidates no approval and breaks
/// no reader.
public interface WireName {
    String wire();

    static <E extends WireName> Optional<E> find(E[] values, String wire) {
        return Arrays.stream(values).filter(value -> value.wire().equals(wire)).findFirst();
    }
}
