package io.github.etcdgitops.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.ring.Rule;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Three hundred expressions about a thousand rings: their costs have a bound together, and what is beyond counts as
/// broken.
class ManyRulesTest {
    private static final int RINGS = 1000;
    private static final int RULES = 300;
    private static final int POLICIES = 5;
    private static final int FEW = 10;
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private static DesiredState desired(String expression) {
        var files = new TreeMap<String, byte[]>();
        for (int i = 0; i < RINGS; i++) {
            put(files, "clusters/r" + i + ".yaml", """
                apiVersion: etcdgitops.dev/v1alpha1
                kind: EtcdCluster
                metadata: {name: r%d, namespace: demo}
                spec: {size: 3, version: "3.5.16", storage: {size: 1Gi}}
                """.formatted(i));
        }
        for (int policy = 0; policy < POLICIES; policy++) {
            String name = "p" + policy;
            String rules = IntStream.range(0, RULES / POLICIES)
                    .mapToObj(i -> "{name: %s-%d, expression: \"%s\", message: broken}".formatted(name, i, expression))
                    .collect(Collectors.joining(", "));
            put(files, "policies/" + name + ".yaml", """
                apiVersion: etcdgitops.dev/v1alpha1
                kind: Policy
                metadata: {name: %s}
                spec: {validations: [%s]}
                """.formatted(name, rules));
        }
        var state = SpecLoader.load(new SourceTree("0", files, List.of(), "digest"));
        assertThat(state.violations()).isEmpty();
        return state;
    }

    private static void put(TreeMap<String, byte[]> files, String name, String text) {
        files.put(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<List<RuleBreach>> judgements(DesiredState desired, int rings) {
        var rules = Rules.of(desired);
        return desired.rings().values().stream()
                .limit(rings)
                .map(ring -> rules.of(ring, NOW))
                .toList();
    }

    @Test
    void ordinaryRulesAreAllAnswered() {
        assertThat(judgements(desired("object.spec.size == 3 && object.metadata.name.startsWith('r')"), FEW))
                .hasSize(FEW)
                .allSatisfy(ring -> assertThat(ring).isEmpty());
    }

    /// All that one pass over all rings may cost is known beforehand, so a few of them show it.
    @Test
    void costlyRulesBreakInEachRingAlike() {
        String costly = "['a','b','c','d','e','f','g','h'].all(a, ['a','b','c','d','e','f','g','h'].all(b,"
                + " ['a','b','c','d','e','f','g','h'].all(c, a + b + c != '')))";

        var judgements = judgements(desired(costly), FEW);

        assertThat(judgements)
                .hasSize(FEW)
                .allSatisfy(ring -> assertThat(ring)
                        .hasSameSizeAs(judgements.getFirst())
                        .hasSizeGreaterThan(RULES / 2)
                        .last()
                        .satisfies(judgement -> assertThat(judgement.why())
                                .contains("(" + Rule.Allowance.MOST_OF_ALL / RINGS + " steps, characters and items")));
    }
}
