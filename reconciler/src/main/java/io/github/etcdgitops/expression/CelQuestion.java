package io.github.etcdgitops.expression;

import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.spec.ring.Rule;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A validation: where all `conditions` hold, `validation` must hold. Fails closed: an expression that
/// cannot be evaluated is an objection.
///
/// `message` is the text of an objection, `said` an expression for it that is tried first.
public record CelQuestion(
        List<Program> conditions,
        Map<String, Program> variables,
        Program validation,
        String message,
        Optional<Program> said)
        implements Rule.Question {
    private static final int LONGEST_MESSAGE = 500;

    public CelQuestion {
        conditions = List.copyOf(conditions);
        variables = new LinkedHashMap<>(variables);
    }

    @Override
    public Optional<String> objection(Rule.Facts facts) {
        var given = new HashMap<String, Object>();
        given.put("object", facts.object());
        given.put("now", facts.now());
        facts.operation().ifPresent(operation -> given.put("operation", operation));
        var steps = new Steps(facts.allowance());
        var all = new Variables(variables, given, steps).all();
        try {
            for (var condition : conditions) {
                if (!holds(condition, all, steps)) {
                    return Optional.empty();
                }
            }
            return holds(validation, all, steps) ? Optional.empty() : Optional.of(message(all, steps));
        } catch (Unanswerable e) {
            return Optional.of(message + "; it could not be evaluated: " + e.getMessage());
        }
    }

    /// A value of unknown type is not a truth value.
    private static boolean holds(Program program, Map<String, Object> all, Steps steps) {
        if (program.value(all, steps) instanceof Boolean truth) {
            return truth;
        }
        throw new Unanswerable("it is neither true nor false");
    }

    private String message(Map<String, Object> all, Steps steps) {
        return said.flatMap(program -> text(program, all, steps)).orElse(message);
    }

    /// A message expression that fails says less than the written message.
    private static Optional<String> text(Program program, Map<String, Object> all, Steps steps) {
        try {
            if (!(program.value(all, steps) instanceof String given)) {
                return Optional.empty();
            }
            String text = Inert.line(given.strip());
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(text.substring(0, Math.min(LONGEST_MESSAGE, text.length())));
        } catch (Unanswerable _) {
            return Optional.empty();
        }
    }
}
