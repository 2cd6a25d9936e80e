package io.github.etcdgitops.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.expression.Expressions.Understood;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.ring.RuleKind.Phase;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Expressions that would take for ever, or all memory: each comes to an end, and counts as broken.
class HostileExpressionsTest {
    private static final Map<String, Object> OBJECT =
            Map.of("spec", Map.of("numbers", LongStream.range(0, 300).boxed().toList(), "text", "a".repeat(2000)));

    private Expressions expressions;

    @BeforeEach
    void understand() throws IOException {
        expressions = new Expressions(new ObjectMapper().readTree("""
            {"type": "object", "properties": {"spec": {"type": "object", "properties": {
              "numbers": {"type": "array", "items": {"type": "integer"}}, "text": {"type": "string"}}}}}
            """), Phase.SPEC);
    }

    private static Program program(Understood understood) {
        assertThat(understood).isInstanceOf(Understood.Yes.class);
        return ((Understood.Yes) understood).program();
    }

    private Optional<String> ask(Map<String, Program> variables, String expression) {
        var question = new CelQuestion(
                List.of(), variables, program(expressions.condition(expression)), "no", Optional.empty());
        // Not how fast it is: that it ends at all.
        return assertTimeoutPreemptively(
                Duration.ofMinutes(1),
                () -> question.objection(new Rule.Facts(OBJECT, Optional.empty(), Instant.EPOCH)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "object.spec.numbers.all(a, object.spec.numbers.all(b, object.spec.numbers.all(c, a + b + c >= 0)))",
                "object.spec.numbers.map(a, object.spec.numbers.map(b, object.spec.numbers)).size() > 0",
                "object.spec.numbers.exists(a, object.spec.numbers.exists(b, object.spec.numbers.exists(c, a > 999)))",
                "1 / (object.spec.numbers[0]) == 1",
                "object.spec.numbers[1000] == 1",
                "9223372036854775807 + object.spec.numbers[1] > 0",
                "object.spec.text.matches(object.spec.text + '(')"
            })
    void reportsCostlyOrFailingExpressionAsBroken(String expression) {
        assertThat(ask(Map.of(), expression))
                .hasValueSatisfying(why -> assertThat(why).contains("could not be evaluated"));
    }

    @Test
    void patternsNeverBacktrack() {
        assertThat(ask(Map.of(), "object.spec.text.matches('^(a+)+$')")).isEmpty();
    }

    /// Twice as much with each variable.
    @ParameterizedTest
    @ValueSource(strings = {"'aaaaaaaaaaaaaaaa'|v + v + v + v", "[1, 2, 3, 4]|v + v + v + v", "[1]|[v, v, v, v, v, v]"})
    void variablesThatGrowAreBroken(String given) {
        var parts = given.split("\\|", -1);
        var variables = new LinkedHashMap<String, Program>();
        variables.put("v0", program(expressions.variable("v0", parts[0])));
        IntStream.range(1, 16).forEach(i -> {
            String text = parts[1].replace("v", "variables.v" + (i - 1));
            variables.put("v" + i, program(expressions.variable("v" + i, text)));
        });

        assertThat(ask(variables, "variables.v15 == variables.v15"))
                .hasValueSatisfying(why -> assertThat(why).contains("too large"));
    }

    /// Whatever comes of it, it is evaluated once: a loop goes on over errors.
    @Test
    void evaluatesFailingVariableOnce() {
        String thousand = "[" + "0,".repeat(999) + "0]";
        var variables = new LinkedHashMap<String, Program>();
        variables.put("v0", program(expressions.variable("v0", "1 / object.spec.numbers[0] == 1")));
        IntStream.range(1, 16)
                .forEach(i -> variables.put(
                        "v" + i,
                        program(expressions.variable("v" + i, thousand + ".exists(i, variables.v" + (i - 1) + ")"))));

        assertThat(ask(variables, "variables.v15"))
                .hasValueSatisfying(why -> assertThat(why).contains("could not be evaluated"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x + x", "[x, x]"})
    void stopsGrowingExpression(String twice) {
        String growing = "['aaaaaaaaaaaaaaaa']" + (".map(x, " + twice + ")").repeat(26);

        assertThat(ask(Map.of(), growing + " == " + growing))
                .hasValueSatisfying(why -> assertThat(why).contains("takes too many steps or produces too much"));
    }

    @Test
    void textsAreChargedEachTimeTheyAreRead() {
        assertThat(ask(Map.of(), "object.spec.numbers.all(i, !object.spec.text.matches('^(a|b)*c$'))"))
                .hasValueSatisfying(why -> assertThat(why).contains("takes too many steps or produces too much"));
    }

    /// Each of them alone may do what it does.
    @Test
    void manyExpressionsAboutOneRingHaveOneAllowance() {
        var question = new CelQuestion(
                List.of(),
                Map.of(),
                program(expressions.condition(
                        "object.spec.numbers.all(a, [a, a, a, a, a, a, a, a, a, a].size() == 10)")),
                "no",
                Optional.empty());
        var allowance = new Rule.Allowance();
        var facts = new Rule.Facts(OBJECT, Optional.empty(), Instant.EPOCH, allowance);

        var answers =
                IntStream.range(0, 300).mapToObj(_ -> question.objection(facts)).toList();

        assertThat(question.objection(new Rule.Facts(OBJECT, Optional.empty(), Instant.EPOCH)))
                .isEmpty();
        assertThat(answers.getFirst()).isEmpty();
        assertThat(answers.getLast())
                .hasValueSatisfying(why -> assertThat(why)
                        .contains("together, the expressions evaluated for this ring take too many steps or"
                                + " produce too much"));
        assertThat(allowance.left()).isZero();
    }

    /// Deep without brackets.
    @ParameterizedTest
    @ValueSource(strings = {" + 1", " || false", ".b"})
    void chainsEnd(String link) {
        var understood = expressions.condition("1".concat(link.repeat(4000 / link.length())) + " == 1");
        if (understood instanceof Understood.Yes(Program program)) {
            assertThat(new CelQuestion(List.of(), Map.of(), program, "no", Optional.empty())
                            .objection(new Rule.Facts(OBJECT, Optional.empty(), Instant.EPOCH)))
                    .isNotNull();
        }
    }

    @Test
    void ignoresConditionWithUnknownStatus() {
        var question = new CelQuestion(
                List.of(program(expressions.condition("dyn('true')"))),
                Map.of(),
                program(expressions.condition("true")),
                "no",
                Optional.empty());

        assertThat(question.objection(new Rule.Facts(OBJECT, Optional.empty(), Instant.EPOCH)))
                .hasValueSatisfying(why -> assertThat(why).contains("could not be evaluated"));
    }

    @Test
    void rejectsTooLongOrTooDeepExpression() {
        assertThat(expressions.condition("true" + " || true".repeat(600))).isInstanceOf(Understood.No.class);
        assertThat(expressions.condition("(".repeat(200) + "true" + ")".repeat(200)))
                .isInstanceOf(Understood.No.class);
        assertThat(expressions.condition("!".repeat(3000) + "true")).isNotNull();
    }

    @Test
    void evaluatesOnlyUsedVariables() {
        var variables = new LinkedHashMap<String, Program>();
        variables.put("bad", program(expressions.variable("bad", "1 / object.spec.numbers[0]")));

        assertThat(ask(variables, "object.spec.numbers.size() == 300")).isEmpty();
    }
}
