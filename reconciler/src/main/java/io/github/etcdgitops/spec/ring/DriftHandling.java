package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.WireName;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What becomes of what somebody has changed by hand on the objects around a ring. Where several fields hold
/// what was changed, the longest of them counts.
public record DriftHandling(List<Field> fields) {
    public DriftHandling {
        fields = List.copyOf(fields);
    }

    /// The order counts: of several policies the first one does.
    public enum Mode implements WireName {
        /// It is made as it should be.
        CORRECT,
        /// It is left, and told.
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

    /// What is at `pointer` and below; all of the object where that is empty.
    public record Field(DriftObject object, String pointer, Mode mode) {}

    /// Empty where it says nothing of it.
    public Optional<Mode> of(DriftObject object, String pointer) {
        return fields.stream()
                .filter(field -> field.object() == object && DriftObject.holds(field.pointer(), pointer))
                .max(Comparator.comparingInt(field -> field.pointer().length()))
                .map(Field::mode);
    }
}
