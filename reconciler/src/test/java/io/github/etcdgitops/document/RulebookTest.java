package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.arch.Production;
import io.github.etcdgitops.document.field.Schemas;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Policy;
import io.github.etcdgitops.spec.Rulebook;
import io.github.etcdgitops.spec.release.Advisory;
import io.github.etcdgitops.spec.ring.DriftHandling;
import io.github.etcdgitops.spec.ring.DriftHandling.Field;
import io.github.etcdgitops.spec.ring.DriftHandling.Mode;
import io.github.etcdgitops.spec.ring.DriftObject;
import io.github.etcdgitops.spec.ring.Effect;
import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.ring.RuleKind;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.validation.Violation;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Policies and exemptions, as documents.
class RulebookTest {
    private static DesiredState load(String... filesAndTexts) {
        var files = new TreeMap<String, String>();
        files.put("clusters/a.yaml", Trees.ring("orders", ""));
        for (int i = 0; i < filesAndTexts.length; i += 2) {
            files.put(filesAndTexts[i], filesAndTexts[i + 1]);
        }
        return SpecLoader.load(Trees.of(files));
    }

    /// `spec` is indented by two.
    private static String policy(String name, String spec) {
        return "apiVersion: etcdgitops.dev/v1alpha1\nkind: Policy\nmetadata: {name: " + name + "}\nspec:\n" + spec;
    }

    private static String exemption(String spec) {
        return "apiVersion: etcdgitops.dev/v1alpha1\nkind: PolicyExemption\nmetadata: {name: vendor}\nspec:\n"
                + "  rules: [require-tls]\n  owner: team-shop\n  reason: The vendor's client.\n  ticket: SEC-1\n"
                + "  created: \"2026-11-01T00:00:00Z\"\n" + spec;
    }

    private static Rulebook rules(DesiredState state) {
        return state.decisions().rules();
    }

    private static List<String> codes(DesiredState state) {
        return state.violations().stream().map(Violation::code).toList();
    }

    @Test
    void readsEveryRuleWithItsParameters() {
        var state = load("policies/p.yaml", policy("all", """
              clusters:
                environments: [default]
                features: {PeerTls: false}
              rules:
                odd-members: {sizes: [5, 3], effect: warn}
                version-allowlist:
                  allowed: [">=3.5.16 <3.6.0"]
                  blocked: [{versions: "3.5.20", reason: "loses data"}]
                advisories: {severity: high, grace: 14d}
                require-tls: {peer: false, client: mixed, enforceFrom: "2027-01-01T00:00:00Z"}
                auth-required: {}
                role-breadth: {prefixes: [/b/, /a/], except: [backup, root], effect: warn}
                require-backup: {maxAge: 26h, drilledWithin: 30d}
                suspend-hygiene: {longest: 7d}
                secret-in-spec: {}
                maintenance-window:
                  allow: [{schedule: "0 2 * * 6", duration: 4h, timeZone: Europe/Vienna}]
                  margin: 5m
                  minRisk: medium
                  repairs: true
                freeze: {from: "2026-12-20T00:00:00Z", until: "2027-01-02T00:00:00Z", reason: holidays}
                destructive-approval: {minRisk: high, operations: [ResetVolume], approvers: 2, authorMayApprove: true}
                backup-freshness: {maxAge: 24h, drilledWithin: 30d, minRisk: high, repairs: true}
                cool-down: {between: 24h}
                waves:
                  order: [{matchLabels: {wave: canary}}, {namespaces: [staging], matchLabels: {wave: early}}]
                  soak: 1h
                max-parallel: {most: 2, by: topology.kubernetes.io/region, minRisk: low}
                blast-radius: {most: 10, percent: 30}
                drift-policy:
                  effect: audit
                  fields:
                    - {object: client-service, pointer: /spec/type, mode: ignore}
                    - {object: network-policy, mode: report}
                    - {object: replicas, mode: correct}
            """));

        assertThat(state.violations()).isEmpty();
        var policy = rules(state).policies().getFirst();
        assertThat(policy.rings().environments()).containsExactly("default");
        assertThat(policy.rings().gates()).hasSize(1).containsValue(false);
        assertThat(policy.clauses()).extracting(c -> c.rule().kind()).containsExactlyElementsOf(RuleKind.builtIn());
        var byKind = new TreeMap<RuleKind, Policy.Clause>();
        policy.clauses().forEach(c -> byKind.put(c.rule().kind(), c));
        assertThat(byKind.get(RuleKind.ODD_MEMBERS).rule()).isEqualTo(new Rule.OddMembers(List.of(3, 5)));
        assertThat(byKind.get(RuleKind.ODD_MEMBERS).effect()).isEqualTo(Effect.WARN);
        assertThat(byKind.get(RuleKind.ADVISORIES).rule())
                .isEqualTo(new Rule.Advisories(Advisory.Severity.HIGH, Duration.ofDays(14)));
        assertThat(byKind.get(RuleKind.ADVISORIES).effect()).isEqualTo(Effect.WARN);
        assertThat(byKind.get(RuleKind.REQUIRE_TLS).rule()).isEqualTo(new Rule.RequireTls(false, Transport.Mode.MIXED));
        assertThat(byKind.get(RuleKind.REQUIRE_TLS).enforceFrom()).contains(Instant.parse("2027-01-01T00:00:00Z"));
        assertThat(byKind.get(RuleKind.AUTH_REQUIRED).effect()).isEqualTo(Effect.DENY);
        assertThat(byKind.get(RuleKind.ROLE_BREADTH).rule())
                .isEqualTo(new Rule.RoleBreadth(
                        new TreeSet<>(Set.of("/a/", "/b/")), new TreeSet<>(Set.of("backup", "root"))));
        assertThat(byKind.get(RuleKind.MAINTENANCE_WINDOW).rule())
                .isInstanceOfSatisfying(Rule.MaintenanceWindow.class, w -> {
                    assertThat(w.windows().allow()).hasSize(1);
                    assertThat(w.margin()).isEqualTo(Duration.ofMinutes(5));
                    assertThat(w.minRisk()).isEqualTo(Risk.MEDIUM);
                    assertThat(w.repairs()).isTrue();
                });
        assertThat(byKind.get(RuleKind.MAINTENANCE_WINDOW).effect()).isEqualTo(Effect.HOLD);
        assertThat(byKind.get(RuleKind.DESTRUCTIVE_APPROVAL).rule())
                .isEqualTo(new Rule.DestructiveApproval(Risk.HIGH, new TreeSet<>(Set.of("ResetVolume")), 2, true));
        assertThat(byKind.get(RuleKind.BACKUP_FRESHNESS).rule())
                .isEqualTo(new Rule.BackupFreshness(
                        Duration.ofDays(1), Optional.of(Duration.ofDays(30)), Risk.HIGH, true));
        assertThat(byKind.get(RuleKind.BACKUP_FRESHNESS).effect()).isEqualTo(Effect.HOLD);
        assertThat(byKind.get(RuleKind.DRIFT_POLICY).rule())
                .isEqualTo(new Rule.DriftPolicy(new DriftHandling(List.of(
                        new Field(DriftObject.CLIENT_SERVICE, "/spec/type", Mode.IGNORE),
                        new Field(DriftObject.NETWORK_POLICY, "", Mode.REPORT),
                        new Field(DriftObject.REPLICAS, "", Mode.CORRECT)))));
        assertThat(byKind.get(RuleKind.DRIFT_POLICY).effect()).isEqualTo(Effect.AUDIT);
        assertThat(byKind.get(RuleKind.COOL_DOWN).rule()).isEqualTo(new Rule.CoolDown(Duration.ofDays(1), Risk.MEDIUM));
        assertThat(byKind.get(RuleKind.WAVES).rule())
                .isEqualTo(new Rule.Waves(
                        List.of(
                                new RingSelector(List.of(), List.of(), new TreeMap<>(Map.of("wave", "canary"))),
                                new RingSelector(
                                        List.of(), List.of("staging"), new TreeMap<>(Map.of("wave", "early")))),
                        Duration.ofHours(1),
                        Risk.MEDIUM));
        assertThat(byKind.get(RuleKind.MAX_PARALLEL).rule())
                .isEqualTo(new Rule.MaxParallel(2, Optional.of("topology.kubernetes.io/region"), Risk.LOW));
        assertThat(byKind.get(RuleKind.BLAST_RADIUS).rule())
                .isEqualTo(new Rule.BlastRadius(OptionalInt.of(10), OptionalInt.of(30), 10, Risk.LOW));
        assertThat(byKind.get(RuleKind.BLAST_RADIUS).effect()).isEqualTo(Effect.REQUIRE_APPROVAL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "odd-membres: {} | unknown-field",
                "odd-members: {sizes: []} | too-few",
                "odd-members: {effect: forbid} | unknown-value",
                "version-allowlist: {} | empty-rule",
                "version-allowlist: {allowed: ['3.5.16 - ']} | bad-version-range",
                "version-allowlist: {blocked: [{versions: '<3.5.', reason: x}]} | bad-version-range",
                "maintenance-window: {} | empty-rule",
                "maintenance-window: {allow: [{schedule: '61 2 * * 6', duration: 4h, timeZone: UTC}]} | bad-crontab",
                "maintenance-window: {allow: [{schedule: '0 2 * * 6', duration: 4h, timeZone: Europe/Wien}]} |"
                        + " unknown-time-zone",
                "maintenance-window: {allow: [{schedule: '0 2 * * 6', duration: 4h}]} | missing-field",
                "freeze: {reason: x} | missing-field",
                "freeze: {reason: x, from: '2027-01-01T00:00:00Z', until: '2026-01-01T00:00:00Z'} |"
                        + " ends-before-it-begins",
                "freeze: {reason: x, until: 'tomorrow'} | bad-timestamp",
                "destructive-approval: {operations: [Explode]} | unknown-value",
                "destructive-approval: {operations: [NoteMachine]} | unknown-value",
                "require-tls: {enforceFrom: 'soon'} | bad-timestamp",
                "auth-required: {enabled: true} | unknown-field",
                "auth-required: {enforceFrom: 'soon'} | bad-timestamp",
                "role-breadth: {prefixes: []} | too-few",
                "role-breadth: {prefixes: ['']} | out-of-range",
                "role-breadth: {prefixes: [/a/, /a/]} | duplicate-item",
                "role-breadth: {except: ['a b']} | bad-format",
                "role-breadth: {prefixes: /a/} | wrong-type",
                "cool-down: {} | missing-field",
                "waves: {order: []} | too-few",
                "waves: {order: [{environments: [production]}]} | unknown-field",
                "max-parallel: {by: zone} | missing-field",
                "blast-radius: {minRings: 3} | empty-rule",
                "backup-freshness: {} | missing-field",
                "backup-freshness: {maxAge: daily} | bad-format",
                "drift-policy: {fields: []} | too-few",
                "drift-policy: {effect: deny, fields: [{object: connection, mode: report}]} | unknown-value",
                "drift-policy: {fields: [{object: secrets, mode: ignore}]} | unknown-value",
                "drift-policy: {fields: [{object: connection, mode: keep}]} | unknown-value",
                "drift-policy: {fields: [{object: disruption-budget, mode: ignore}]} | only-corrected",
                "drift-policy: {fields: [{object: replicas, mode: report}]} | only-corrected",
                "drift-policy: {fields: [{object: member-files, mode: report}]} | only-corrected",
                "drift-policy: {fields: [{object: peer-service, pointer: /spec/ports, mode: report}]} | only-corrected",
                "drift-policy: {fields: [{object: statefulset-labels, mode: ignore}]} | only-corrected",
                "drift-policy: {fields: [{object: client-service, pointer: /spec/selector, mode: ignore}]} |"
                        + " only-corrected",
                "drift-policy: {fields: [{object: client-service, pointer: /metadata/labels, mode: ignore}]} |"
                        + " only-corrected",
                "drift-policy: {fields: [{object: network-policy, pointer: /spec/ingress/0, mode: ignore}]} |"
                        + " only-corrected",
                "drift-policy: {fields: [{object: connection, pointer: /data/ca.crt, mode: ignore}]} | only-corrected",
            })
    void refusesImpossibleValues(String rule, String code) {
        var state = load("policies/p.yaml", policy("p", "  rules:\n    " + rule + "\n"));

        assertThat(codes(state)).as("%s", state.violations()).isNotEmpty();
        if (!code.equals("too-few")) {
            assertThat(codes(state)).contains(code);
        }
        assertThat(rules(state).policies()).isEmpty();
        assertThat(rules(state).unread()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "object.spec.tls.peeer == 'mutual' | undefined field 'peeer'",
                "object.spec.size == 'three' | found no matching overload",
                "object.spec.size | expected type 'bool' but found 'int'",
                "size( | mismatched input",
                "operation.kind == 'ScaleIn' | undeclared reference to 'operation'",
                "variables.none == 1 | undefined field 'none'",
                "env('HOME') == '' | undeclared reference to 'env'",
            })
    void refusesInvalidExpressionAtItsPosition(String expression, String said) {
        var state = load(
                "policies/p.yaml",
                policy("p", "  validations:\n    - {name: x, message: m, expression: \"" + expression + "\"}\n"));

        assertThat(state.violations()).singleElement().satisfies(v -> {
            assertThat(v.code()).isEqualTo("bad-expression");
            assertThat(v.message()).contains(said, "line 1, column");
            assertThat(v.at().pointer()).isEqualTo("/spec/validations/0/expression");
        });
        assertThat(rules(state).unread()).hasSize(1);
    }

    static Stream<Arguments> wrongValidations() {
        String good = "message: m, expression: 'true'";
        return Stream.of(
                Arguments.of("  clusters: {namespaces: [demo]}\n", "empty-policy"),
                Arguments.of("  validations: [{name: freeze, " + good + "}]\n", "duplicate-rule"),
                Arguments.of("  validations: [{name: a, " + good + "}, {name: a, " + good + "}]\n", "duplicate-rule"),
                Arguments.of("  validations: [{name: a, " + good + ", effect: shout}]\n", "unknown-value"),
                Arguments.of("  validations: [{name: a, " + good + ", failurePolicy: Ignore}]\n", "unknown-field"),
                Arguments.of("  failurePolicy: Ignore\n  validations: [{name: a, " + good + "}]\n", "unknown-value"),
                Arguments.of(
                        "  variables: [{name: a, expression: b}]\n  validations: [{name: a, " + good + "}]\n",
                        "bad-expression"),
                Arguments.of(
                        "  matchConditions: [{name: a, expression: '1'}]\n  validations: [{name: a, " + good + "}]\n",
                        "bad-expression"));
    }

    @ParameterizedTest
    @MethodSource("wrongValidations")
    void validationsAreCheckedAsRulesAre(String spec, String code) {
        assertThat(codes(load("policies/p.yaml", policy("p", spec)))).containsExactly(code);
    }

    @Test
    void invalidPolicyNeverHoldsUnselectedRing() {
        var state = load(
                "policies/p.yaml",
                policy("p", "  clusters: {namespaces: [shop]}\n  rules: {odd-members: {sizes: x}}\n"));

        var unread = rules(state).unread().getFirst();
        assertThat(unread.mayHold(state.rings().firstEntry().getValue())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind: Policy\n: :",
                "apiVersion: etcdgitops.dev/v1alpha1\nkind: Polcy\nmetadata: {name: p}\nspec: {rules: {}}",
                "apiVersion: etcdgitops.dev/v1alpha1\nkind: Policy\nspec: {rules: {odd-members: {}}}"
            })
    void unreadablePolicyMayHoldForAllRings(String text) {
        var state = load("policies/p.yaml", text);

        assertThat(rules(state).unread())
                .anyMatch(u -> u.mayHold(state.rings().firstEntry().getValue()));
    }

    @Test
    void twoPoliciesOfOneNameCountForNeither() {
        var state = load(
                "policies/a.yaml", policy("p", "  rules: {odd-members: {}}\n"),
                "policies/b.yaml", policy("p", "  rules: {secret-in-spec: {}}\n"));

        assertThat(codes(state)).containsExactly("duplicate-policy", "duplicate-policy");
        assertThat(rules(state).policies()).isEmpty();
        assertThat(rules(state).unread()).hasSize(2);
    }

    @Test
    void refusesUnknownEnvironment() {
        var state = load(
                "policies/a.yaml", policy("p", "  clusters: {environments: [prod]}\n  rules: {odd-members: {}}\n"));

        assertThat(codes(state)).containsExactly("unknown-environment");
        assertThat(rules(state).unread())
                .singleElement()
                .satisfies(unread -> assertThat(
                                unread.mayHold(state.rings().firstEntry().getValue()))
                        .isTrue());
    }

    @Test
    void exemptionMustEndAndNameItsRings() {
        var policy = policy("production", "  rules: {require-tls: {}}\n");
        var good = load(
                "policies/p.yaml",
                policy,
                "policies/e.yaml",
                exemption("  policies: [production]\n  rings: [{namespace: demo, name: orders}]\n"
                        + "  expires: \"2026-12-01T00:00:00Z\"\n"));
        assertThat(good.violations()).isEmpty();
        assertThat(rules(good).exemptions()).singleElement().satisfies(e -> {
            assertThat(e.concerns(good.rings().firstEntry().getValue())).isTrue();
            assertThat(e.expiredAt(Instant.parse("2026-11-30T23:59:59Z"))).isFalse();
            assertThat(e.expiredAt(Instant.parse("2026-12-01T00:00:00Z"))).isTrue();
        });

        Stream.of(
                        "  rings: [{namespace: demo, name: orders}]\n"
                                + "  expires: \"2027-12-01T00:00:00Z\"\n"
                                + "|exemption-too-long",
                        "  rings: [{namespace: demo, name: orders}]\n"
                                + "  expires: \"2026-10-01T00:00:00Z\"\n"
                                + "|exemption-too-long",
                        "  expires: \"2026-12-01T00:00:00Z\"\n|missing-field",
                        "  policies: [prodction]\n"
                                + "  clusters: {namespaces: [demo]}\n"
                                + "  expires: \"2026-12-01T00:00:00Z\"\n"
                                + "|unknown-policy",
                        "  clusters: {namespaces: [demo]}\n"
                                + "  expires: \"2026-12-01T00:00:00Z\"\n"
                                + "  rules: [require-tsl]\n"
                                + "|unknown-rule")
                .forEach(given -> {
                    var parts = given.split("\\|", -1);
                    var state = load("policies/p.yaml", policy, "policies/e.yaml", once(exemption(parts[0])));
                    assertThat(codes(state)).as(given).containsExactly(parts[1]);
                    assertThat(rules(state).exemptions()).isEmpty();
                });
    }

    /// The last one counts of a field that is given twice.
    private static String once(String exemption) {
        int last = exemption.lastIndexOf("  rules: ");
        int first = exemption.indexOf("  rules: ");
        return first == last
                ? exemption
                : exemption.substring(0, first) + exemption.substring(exemption.indexOf('\n', first) + 1);
    }

    /// What a policy can ask people for is what there is.
    @Test
    void schemaListsAllApprovableOperationsAndRules() throws IOException {
        var schema = new ObjectMapper().readTree(Schemas.text("Policy").orElseThrow());
        var rules = schema.at("/properties/spec/properties/rules/properties");
        var listed = new TreeSet<String>();
        rules.at("/destructive-approval/properties/operations/items/enum").forEach(n -> listed.add(n.asText()));

        var kinds =
                Production.records(Operation.class).map(Class::getSimpleName).collect(Collectors.toSet());
        kinds.removeAll(Set.of("TakeBackup", "DrillBackup", "NoteMachine"));
        assertThat(listed).isEqualTo(kinds);

        var names = new TreeSet<String>();
        rules.fieldNames().forEachRemaining(names::add);
        assertThat(names)
                .containsExactlyInAnyOrderElementsOf(
                        RuleKind.builtIn().stream().map(RuleKind::toString).toList());
        for (var kind : RuleKind.builtIn()) {
            assertThat(rules.at("/" + kind + "/properties/effect/default").asText())
                    .isEqualTo(kind.effect().toString());
        }
    }
}
