package io.github.etcdgitops.expression;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelOptions;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import io.github.etcdgitops.spec.ring.RuleKind.Phase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Parses expressions of one policy. They may use `object`, the ring's document; `operation`, where they
/// are about one; `now`; and earlier `variables`. No function accesses the outside, and none makes a text
/// or a list many times as long.
public final class Expressions {
    /// In characters.
    private static final int LONGEST = 4096;

    private static final CelOptions OPTIONS = CelOptions.current()
            .maxExpressionCodePointSize(LONGEST)
            .maxParseRecursionDepth(64)
            .comprehensionMaxIterations(10_000)
            .maxRegexProgramSize(1000)
            .enableHeterogeneousNumericComparisons(true)
            .build();

    /// Fields of `operation`.
    private static final Map<String, CelType> OPERATION = Map.of(
            "kind", SimpleType.STRING,
            "id", SimpleType.STRING,
            "risk", SimpleType.STRING,
            "summary", SimpleType.STRING,
            "mends", SimpleType.BOOL,
            "steps", SimpleType.INT,
            "minutes", SimpleType.INT);

    private static final CelRuntime RUNTIME =
            CelRuntimeFactory.legacyCelRuntimeBuilder().setOptions(OPTIONS).build();

    private final SchemaTypes types = new SchemaTypes();
    private final Phase phase;
    private final CelType object;
    private final CelType operation;
    private final Map<String, CelType> variables = new LinkedHashMap<>();

    /// `ring` is the JSON Schema of a ring's document.
    public Expressions(JsonNode ring, Phase phase) {
        this.phase = phase;
        this.object = types.declare("EtcdCluster", ring);
        this.operation = types.declare("Operation", OPERATION);
    }

    /// The result of parsing an expression.
    public sealed interface Understood {
        record Yes(Program program) implements Understood {}

        /// Each with its position and the error.
        record No(List<String> faults) implements Understood {
            public No {
                faults = List.copyOf(faults);
            }
        }
    }

    /// An expression with a truth value.
    public Understood condition(String text) {
        return compile(text, SimpleType.BOOL);
    }

    /// An expression with a text value.
    public Understood text(String text) {
        return compile(text, SimpleType.STRING);
    }

    /// An expression whose value later ones can use as `variables.NAME`.
    public Understood variable(String name, String text) {
        var understood = compile(text, SimpleType.DYN);
        if (understood instanceof Understood.Yes(Program program)) {
            variables.put(name, program.type());
        }
        return understood;
    }

    private Understood compile(String text, CelType result) {
        try {
            return compiled(text, result);
        } catch (StackOverflowError _) {
            return new Understood.No(List.of("it is nested too deep"));
        }
    }

    private Understood compiled(String text, CelType result) {
        var compiled = compiler(result).build().compile(text);
        if (compiled.hasError()) {
            return new Understood.No(compiled.getErrors().stream()
                    .map(issue -> "line " + issue.getSourceLocation().getLine() + ", column "
                            + (issue.getSourceLocation().getColumn() + 1) + ": "
                            + issue.getMessage().lines().findFirst().orElse(""))
                    .toList());
        }
        try {
            var ast = compiled.getAst();
            return new Understood.Yes(new Program(RUNTIME.createProgram(ast), ast.getResultType()));
        } catch (dev.cel.common.CelValidationException | CelEvaluationException e) {
            return new Understood.No(List.of(String.valueOf(e.getMessage())));
        }
    }

    private CelCompilerBuilder compiler(CelType result) {
        var builder = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .setResultType(result)
                .addVar("object", object)
                .addVar("now", SimpleType.TIMESTAMP)
                .addVar("variables", types.declare("Variables", new TreeMap<>(variables)))
                .setTypeProvider(types.declared());
        return phase == Phase.OPERATION ? builder.addVar("operation", operation) : builder;
    }
}
