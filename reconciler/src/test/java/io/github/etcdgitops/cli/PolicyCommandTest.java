package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.spec.ring.RuleKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyCommandTest {
    @TempDir
    Path repository;

    @BeforeEach
    void createsRepositoryWithPolicies() throws IOException {
        for (String ring : List.of("orders", "carts")) {
            write("clusters/" + ring + ".yaml", """
                apiVersion: etcdgitops.dev/v1alpha1
                kind: EtcdCluster
                metadata: {name: %s, namespace: %s}
                spec: {size: 4, version: "3.5.16"}
                """.formatted(ring, ring.equals("carts") ? "shop" : "demo"));
        }
        write("policies/p.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Policy
            metadata: {name: all}
            spec:
              rules:
                odd-members: {enforceFrom: "2999-01-01T00:00:00Z"}
              validations:
                - {name: small, message: m, expression: object.spec.size < 5, effect: warn}
            """);
        write("policies/e.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: PolicyExemption
            metadata: {name: e}
            spec:
              rules: [small]
              clusters: {namespaces: [shop]}
              owner: o
              reason: r
              ticket: t
              created: "2998-12-01T00:00:00Z"
              expires: "2999-01-01T00:00:00Z"
            """);
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(repository.resolve(file).getParent());
        Files.writeString(repository.resolve(file), text);
    }

    private static Ran run(String... args) {
        return Ran.of(Map.of(), args);
    }

    @Test
    void listsEveryRuleWithItsRings() throws IOException {
        var ran = run("policy", "list", "--now", "2998-12-15T00:00:00Z", repository.toString());

        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines())
                .hasSize(3)
                .anyMatch(
                        l -> l.matches("all +odd-members +rings +deny +2999-01-01T00:00:00Z +2 +0 +policies/p.yaml.*"))
                .anyMatch(l -> l.matches("all +small +rings +warn +now +2 +1 +policies/p.yaml.*"));
        var json = new ObjectMapper()
                .readTree(run(
                                "policy",
                                "list",
                                "--now",
                                "2998-12-15T00:00:00Z",
                                "--rule",
                                "small",
                                "-o",
                                "json",
                                repository.toString())
                        .out());
        assertThat(json.path("rules")).hasSize(1);
        assertThat(json.at("/rules/0/exempted").asInt()).isEqualTo(1);
    }

    @Test
    void listReportsInvalidPolicy() throws IOException {
        write("policies/p.yaml", "apiVersion: etcdgitops.dev/v1alpha1\nkind: Policy\nmetadata: {name: p}\nspec: {}\n");

        var ran = run("policy", "list", repository.toString());

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out()).contains("empty-policy");
    }

    @Test
    void explainsEveryRule() {
        var catalogue = run("policy", "explain");
        assertThat(catalogue.out().lines()).hasSize(1 + RuleKind.builtIn().size());
        for (var kind : RuleKind.builtIn()) {
            var page = run("policy", "explain", kind.toString());
            assertThat(page.code()).isZero();
            assertThat(page.out()).contains(kind.about(), "effect");
            assertThat(page.out().contains("enforceFrom"))
                    .as("only what forbids something can be announced: %s", kind)
                    .isEqualTo(kind != RuleKind.DRIFT_POLICY);
        }
        assertThat(run("policy", "explain", "maintenance-window").out())
                .contains("margin", "15m", "Looks at operations");
        assertThat(run("policy", "explain", "freeze").out()).containsPattern("until +required");
    }

    @Test
    void unknownRuleListsKnownRules() {
        var ran = run("policy", "explain", "odd-membres");

        assertThat(ran.code()).isEqualTo(78);
        assertThat(ran.err()).contains("there is no built-in rule odd-membres; there are odd-members");
    }

    @Test
    void everySchemaThatShipsCanBePrinted() throws IOException {
        var names = new TreeSet<String>();
        try (var files = Files.list(Path.of("..", "schemas"))) {
            files.map(f -> f.getFileName().toString())
                    .filter(f -> f.endsWith(".schema.json"))
                    .forEach(f -> names.add(f.substring(0, f.indexOf('.'))));
        }
        var printed = new TreeSet<String>();
        run("schema").out().lines().forEach(kind -> printed.add(kind.toLowerCase(java.util.Locale.ROOT)));

        assertThat(printed).isEqualTo(names);
    }
}
