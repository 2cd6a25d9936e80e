package io.github.etcdgitops.expression;

import io.github.etcdgitops.expression.Program.Unanswerable;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Values of variables, each evaluated when it is first asked for. One that is large is none: of large
/// values the next one could be made a thousand times as large.
final class Variables extends AbstractMap<String, Object> {
    private static final int LARGEST = 16_384;

    private final Map<String, Program> programs;
    private final Map<String, Object> given = new HashMap<>();
    private final Map<String, Object> values = new HashMap<>();

    /// `given` is what else expressions may name.
    Variables(Map<String, Program> programs, Map<String, Object> given) {
        this.programs = programs;
        this.given.putAll(given);
        this.given.put("variables", this);
    }

    /// All that an expression may name.
    Map<String, Object> all() {
        return given;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return programs.containsKey(name);
    }

    @Override
    public @Nullable Object get(@Nullable Object name) {
        var known = values.get(name);
        var program = programs.get(name);
        if (known != null || program == null) {
            return known;
        }
        var value = program.value(given);
        if (size(value, LARGEST) < 0) {
            throw new Unanswerable("the value of variables." + name + " is too large");
        }
        values.put(Objects.requireNonNull(name).toString(), value);
        return value;
    }

    /// What is left of `room` once it is in it; negative where it does not fit.
    private static int size(Object value, int room) {
        int left = room - 1 - (value instanceof CharSequence text ? text.length() : 0);
        var parts = value instanceof Map<?, ?> map
                ? map.entrySet().stream()
                        .flatMap(e -> List.of(e.getKey(), e.getValue()).stream())
                        .toList()
                : value instanceof List<?> list ? list : List.of();
        for (var part : parts) {
            if (left < 0) {
                break;
            }
            left = size(part, left);
        }
        return left;
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
        throw new Unanswerable("variables are asked for one by one");
    }
}
