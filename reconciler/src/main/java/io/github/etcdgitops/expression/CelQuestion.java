package io.github.etcdgitops.expression;

import io.github.etcdgitops.expression.Program.Unanswerable;
import io.github.etcdgitops.spec.Rule;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A validation: where all `conditions` hold, `validation` must. Fails closed: what cannot be evaluated is
/// an objection.
///
/// `message` is what is said otherwise, `said` an expression for it that is asked first.
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
        var all = new Variables(variables, given).all();
        try {
            for (var condition : conditions) {
                if (!Boolean.TRUE.equals(condition.value(all))) {
                    return Optional.empty();
                }
            }
            return Boolean.TRUE.equals(validation.value(all)) ? Optional.empty() : Optional.of(message(all));
        } catch (Unanswerable e) {
            return Optional.of(message + "; it could not be evaluated: " + e.getMessage());
        }
    }

    private String message(Map<String, Object> all) {
        return said.flatMap(program -> text(program, all)).orElse(message);
    }

    /// An expression for a message that fails says less than the message that is written down.
    private static Optional<String> text(Program program, Map<String, Object> all) {
        try {
            String text =
                    program.value(all).toString().replaceAll("\\p{Cntrl}", " ").strip();
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(text.substring(0, Math.min(LONGEST_MESSAGE, text.length())));
        } catch (Unanswerable _) {
            return Optional.empty();
        }
    }
}
