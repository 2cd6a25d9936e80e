package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.expression.CelQuestion;
import io.github.etcdgitops.expression.Expressions;
import io.github.etcdgitops.expression.Expressions.Understood;
import io.github.etcdgitops.expression.Program;
import io.github.etcdgitops.spec.Policy;
import io.github.etcdgitops.spec.ring.Effect;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.ring.RuleKind;
import io.github.etcdgitops.spec.ring.RuleKind.Phase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// The rules of a Policy that are written as expressions. Each is parsed once for its subject, because only
/// operation rules may refer to an operation.
public final class ValidationFields {
    public static final String VALIDATIONS = "validations";
    private static final String EXPRESSION = "expression";

    private final YamlDocument document;
    private final Findings findings;

    /// Adds invalid expressions to `findings`.
    public ValidationFields(YamlDocument document, Findings findings) {
        this.document = document;
        this.findings = findings;
    }

    public void check() {
        var names = new HashSet<String>();
        for (int i = 0; i < document.items("spec", VALIDATIONS).size(); i++) {
            var at = List.of("spec", VALIDATIONS, Integer.toString(i), "name");
            var name = document.text(at.toArray(String[]::new)).orElse("");
            Rfc3339.check(document, findings, "spec", VALIDATIONS, Integer.toString(i), "enforceFrom");
            if (!names.add(name) || RuleKind.of(name).isPresent()) {
                findings.at(
                        at,
                        "duplicate-rule",
                        "`" + Shown.path(at) + "` is " + Shown.quoted(name) + ", which is already the name of another"
                                + " rule.",
                        "Give each its own name: exemptions and reports use it.");
            }
        }
        read();
    }

    /// The valid ones.
    public List<Policy.Clause> read() {
        var clauses = new ArrayList<Policy.Clause>();
        for (var phase : Phase.values()) {
            var mine = IntStream.range(0, document.items("spec", VALIDATIONS).size())
                    .mapToObj(Integer::toString)
                    .filter(i -> phase(i) == phase)
                    .toList();
            if (!mine.isEmpty()) {
                var ring = Schemas.of(DocumentKind.ETCD_CLUSTER).getSchemaNode();
                var expressions = new Expressions(ring, phase);
                var variables = variables(expressions);
                var conditions = conditions(expressions);
                mine.forEach(i -> clause(expressions, i, variables, conditions).ifPresent(clauses::add));
            }
        }
        return clauses;
    }

    private Phase phase(String index) {
        return document.text("spec", VALIDATIONS, index, "target")
                .filter("operation"::equals)
                .map(_ -> Phase.OPERATION)
                .orElse(Phase.SPEC);
    }

    private Map<String, Program> variables(Expressions expressions) {
        var variables = new LinkedHashMap<String, Program>();
        for (int i = 0; i < document.items("spec", "variables").size(); i++) {
            var at = List.of("spec", "variables", Integer.toString(i), EXPRESSION);
            var name = document.text("spec", "variables", Integer.toString(i), "name");
            var text = document.text(at.toArray(String[]::new));
            if (name.isPresent() && text.isPresent()) {
                program(at, expressions.variable(name.get(), text.get()))
                        .ifPresent(program -> variables.put(name.get(), program));
            }
        }
        return variables;
    }

    private List<Program> conditions(Expressions expressions) {
        var conditions = new ArrayList<Program>();
        for (int i = 0; i < document.items("spec", "matchConditions").size(); i++) {
            var at = List.of("spec", "matchConditions", Integer.toString(i), EXPRESSION);
            document.text(at.toArray(String[]::new))
                    .flatMap(text -> program(at, expressions.condition(text)))
                    .ifPresent(conditions::add);
        }
        return conditions;
    }

    private Optional<Policy.Clause> clause(
            Expressions expressions, String index, Map<String, Program> variables, List<Program> conditions) {
        var at = List.of("spec", VALIDATIONS, index, EXPRESSION);
        var saidAt = List.of("spec", VALIDATIONS, index, "messageExpression");
        var validation =
                document.text(at.toArray(String[]::new)).flatMap(text -> program(at, expressions.condition(text)));
        var said =
                document.text(saidAt.toArray(String[]::new)).flatMap(text -> program(saidAt, expressions.text(text)));
        return validation.map(program -> new Policy.Clause(
                new Rule.Validation(
                        document.text("spec", VALIDATIONS, index, "name").orElse(""),
                        phase(index),
                        new CelQuestion(
                                conditions,
                                variables,
                                program,
                                document.text("spec", VALIDATIONS, index, "message")
                                        .orElse(""),
                                said)),
                document.text("spec", VALIDATIONS, index, "effect")
                        .flatMap(Effect::of)
                        .orElse(Effect.DENY),
                document.text("spec", VALIDATIONS, index, "enforceFrom").flatMap(Rfc3339::parse),
                document.at(List.of("spec", VALIDATIONS, index))));
    }

    private Optional<Program> program(List<String> at, Understood understood) {
        return switch (understood) {
            case Understood.Yes(Program program) -> Optional.of(program);
            case Understood.No(List<String> faults) -> {
                if (findings.noneAt(at)) {
                    findings.at(
                            at,
                            "bad-expression",
                            "`" + Shown.path(at) + "` is not understood: "
                                    + Shown.plain(faults.isEmpty() ? "no reason is given" : faults.getFirst())
                                    + ".",
                            "`etcd-gitops schema EtcdCluster` has the fields of `object`; docs/policies.md has the"
                                    + " fields of `operation`.");
                }
                yield Optional.empty();
            }
        };
    }
}
