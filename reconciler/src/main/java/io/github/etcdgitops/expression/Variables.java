package io.github.etcdgitops.expression;

import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Values of variables, each evaluated on first use, and once. A value that is too large is an error.
final class Variables extends AbstractMap<String, Object> implements LazyValues {
    private final Map<String, Program> programs;
    private final Map<String, Object> given = new HashMap<>();
    private final Map<String, Object> values = new HashMap<>();
    private final Map<String, Unanswerable> failures = new HashMap<>();
    private final Steps steps;

    /// `given` is what else expressions may use.
    Variables(Map<String, Program> programs, Map<String, Object> given, Steps steps) {
        this.programs = programs;
        this.steps = steps;
        this.given.putAll(given);
        this.given.put("variables", this);
    }

    /// All names that an expression may use.
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
        String asked = Objects.requireNonNull(name).toString();
        var failed = failures.get(asked);
        if (failed != null) {
            throw failed;
        }
        try {
            var value = program.value(given, steps);
            if (Steps.isLarge(value)) {
                throw new Unanswerable("the value of variables." + asked + " is too large");
            }
            values.put(asked, value);
            return value;
        } catch (Unanswerable e) {
            // A loop may ask for it again and again, whatever the result is.
            failures.put(asked, e);
            throw e;
        }
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
        throw new Unanswerable("variables are asked for one by one");
    }
}
