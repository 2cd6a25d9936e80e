package io.github.etcdgitops.expression;

import dev.cel.common.types.CelType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.Map;

/// An expression that can be asked. Bounded by counting what it does, so that it comes to the same on
/// every machine.
public final class Program {
    /// What a rule that a person can read takes is some hundred.
    private static final int STEPS = 100_000;

    private static final String WHERE = "^evaluation error at <input>:(\\d+): ";

    private final CelRuntime.Program program;
    private final CelType type;

    Program(CelRuntime.Program program, CelType type) {
        this.program = program;
        this.type = type;
    }

    CelType type() {
        return type;
    }

    /// Throws [Unanswerable] where it cannot be evaluated, or does too much.
    Object value(Map<String, ?> given) {
        var count = new int[1];
        try {
            return program.trace(given, (_, _) -> {
                if (++count[0] > STEPS) {
                    throw new Unanswerable("it takes more than " + STEPS + " steps");
                }
            });
        } catch (CelEvaluationException e) {
            throw new Unanswerable(String.valueOf(e.getMessage()).replaceFirst(WHERE, "at character $1 of it: "));
        }
    }

    /// Why an expression has no value.
    static final class Unanswerable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unanswerable(String why) {
            super(why);
        }
    }
}
