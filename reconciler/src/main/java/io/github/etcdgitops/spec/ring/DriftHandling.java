package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.WireName;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// How manual drift of the objects around a ring is handled. Where several fields cover the drift, the
/// longest of them applies.
public record DriftHandling(List<Field> fields) {
    public DriftHandling {
        fields = List.copyOf(fields);
    }

    /// The order matters: of several policies, the first mode applies.
    public enum Mode implements WireName {
        /// It is corrected.
        CORRECT,
        /// It stays, and is reported.
        REPORT,
        IGNORE;

        @Override
        public String wire() {
            return switch (this) {
                case CORRECT -> "correct";
                case REPORT -> "report";
                case IGNORE -> "ignore";
            };
        }
    }

    /// Covers the value at `pointer` and below; the whole object where that is empty.
    public record Field(DriftObject object, String pointer, Mode mode) {}

    /// Empty where it does not cover it.
    public Optional<Mode> of(DriftObject object, String pointer) {
        return fields.stream()
                .filter(field -> field.object() == object && DriftObject.holds(field.pointer(), pointer))
                .max(Comparator.comparingInt(field -> field.pointer().length()))
                .map(Field::mode);
    }
}
