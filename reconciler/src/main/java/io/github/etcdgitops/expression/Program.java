package io.github.etcdgitops.expression;

import dev.cel.common.types.CelType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.Map;

/// An expression that can be evaluated.
public final class Program {
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

    /// Throws [Unanswerable] where it cannot be evaluated, or exceeds its limit. Every other failure in a
    /// user's expression also counts as its own fault, and must not end the run of other rings.
    Object value(Map<String, ?> given, Steps steps) {
        try {
            return program.trace(given, steps::take);
        } catch (CelEvaluationException e) {
            throw new Unanswerable(String.valueOf(e.getMessage()).replaceFirst(WHERE, "at character $1 of it: "));
        } catch (Unanswerable e) {
            throw e;
        } catch (RuntimeException | StackOverflowError e) {
            throw new Unanswerable("the evaluation failed with " + e.getClass().getSimpleName());
        }
    }
}
