package io.github.etcdgitops.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.founding.BootstrapCluster;
import io.github.etcdgitops.ring.maintenance.FreeSpace;
import io.github.etcdgitops.ring.repair.RestartMember;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.ring.scale.ScaleOut;
import io.github.etcdgitops.ring.storage.GrowStorage;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.RuleKind;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.value.EtcdId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Policies as documents, held against documents of rings and against operations.
class RulesTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");

    /// A Wednesday.
    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

    private static final Operation MENDING = new RestartMember(ORDERS, 0, EtcdId.parse("1"), "uid", 1, 3);

    private static final String NIGHTLY = """
        apiVersion: etcdgitops.dev/v1alpha1
        kind: BackupPolicy
        metadata: {name: nightly}
        spec: {destination: {directory: {path: /b}}, maxAge: 26h, drill: {every: 7d, namespace: drills}}
        """;

    /// `ring` is the rest of a spec without size and version, `rules` what stands below `rules:`, `more`
    /// further files by name and text.
    private static DesiredState desired(String ring, String rules, String... more) {
        var files = new TreeMap<String, byte[]>();
        put(files, "clusters/a.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo, labels: {tier: gold}}
            spec: {%s}
            """.formatted(ring));
        put(files, "policies/p.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Policy
            metadata: {name: all}
            spec: {rules: {%s}}
            """.formatted(rules));
        for (int i = 0; i < more.length; i += 2) {
            put(files, more[i], more[i + 1]);
        }
        var state = SpecLoader.load(new SourceTree("0", files, List.of(), "digest"));
        assertThat(state.violations()).isEmpty();
        return state;
    }

    private static void put(TreeMap<String, byte[]> files, String name, String text) {
        files.put(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String exemption(String rule, String expires) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: PolicyExemption
            metadata: {name: vendor}
            spec:
              rules: [%s]
              rings: [{namespace: demo, name: orders}]
              owner: team-shop
              reason: The vendor asks for it.
              ticket: SEC-1
              created: "2026-10-01T00:00:00Z"
              expires: "%s"
            """.formatted(rule, expires);
    }

    private static List<Finding> admit(DesiredState desired) {
        return PolicyEngine.of(desired).admit(desired.rings().get(ORDERS), NOW);
    }

    private static Verdict gate(DesiredState desired, Operation operation) {
        return PolicyEngine.of(desired).gate(operation, NOW);
    }

    /// A rule, a ring that keeps to it, one that breaks it, and what is said of that.
    static Stream<Arguments> specRules() {
        return Stream.of(
                Arguments.of(
                        "odd-members: {sizes: [3, 5]}",
                        "size: 3, version: \"3.5.16\"",
                        "size: 7, version: \"3.5.16\"",
                        "size 7 is none of 3, 5"),
                Arguments.of(
                        "version-allowlist: {allowed: ['>=3.5.16 <3.6.0']}",
                        "size: 3, version: \"3.5.16\"",
                        "size: 3, version: \"3.4.23\"",
                        "etcd 3.4.23 is none of the allowed versions >=3.5.16 <3.6.0"),
                Arguments.of(
                        "version-allowlist: {blocked: [{versions: '3.5.0 - 3.5.9', reason: may lose data}]}",
                        "size: 3, version: \"3.5.16\"",
                        "size: 3, version: \"3.5.9\"",
                        "etcd 3.5.9 is blocked (3.5.0 - 3.5.9): may lose data"),
                Arguments.of(
                        "require-tls: {}",
                        "size: 3, version: \"3.5.16\", tls: {peer: mutual, client: mutual}",
                        "size: 3, version: \"3.5.16\", tls: {peer: mutual, client: mixed}",
                        "clients talk to members over TLS and in plain text; set tls.client to mutual"),
                Arguments.of(
                        "require-tls: {client: plain}",
                        "size: 3, version: \"3.5.16\", tls: {peer: mutual}",
                        "size: 3, version: \"3.5.16\"",
                        "members talk to each other in plain text; set tls.peer to mutual"),
                Arguments.of(
                        "auth-required: {}",
                        "size: 3, version: \"3.5.30\", auth: {users: [{name: app, password: {generate: true}}]}",
                        "size: 3, version: \"3.5.30\"",
                        "every client that reaches the ring may use all keys; set spec.auth"),
                Arguments.of(
                        "auth-required: {}",
                        "size: 3, version: \"3.5.30\", auth: {}",
                        "size: 3, version: \"3.5.30\", auth: {enabled: false}",
                        "remove spec.auth.enabled: false when the clients have their passwords"),
                Arguments.of(
                        "role-breadth: {}",
                        role("prefix: /app/"),
                        role("prefix: ''"),
                        "the role r covers every key; grant it the prefixes"),
                Arguments.of(
                        "role-breadth: {except: [r]}",
                        role("prefix: ''"),
                        role("prefix: ''").replace("name: r,", "name: s,"),
                        "the role s covers every key"),
                Arguments.of(
                        "role-breadth: {prefixes: [/app/, /shared/]}",
                        role("prefix: /app/orders/"),
                        role("prefix: /ap"),
                        "the role r covers the prefix /ap, and may cover only keys below /app/, /shared/"),
                Arguments.of(
                        "role-breadth: {prefixes: [/app/]}",
                        role("key: /app/one"),
                        role("from: /app/, to: /b"),
                        "the role r covers the keys from /app/ up to /b"),
                Arguments.of(
                        "role-breadth: {prefixes: [/app/], except: [root]}",
                        "size: 3, version: \"3.5.30\", auth: {users: [{name: kim, roles: [root], certificate: true}]},"
                                + " tls: {client: mutual}",
                        role("from: /app/"),
                        "the role r covers every key from /app/ on"),
                Arguments.of(
                        "role-breadth: {}",
                        "size: 3, version: \"3.5.30\", auth: {users: [{name: kim, password: {generate: true}}]}",
                        "size: 3, version: \"3.5.30\", auth: {users: [{name: kim, roles: [root], password: {generate:"
                                + " true}}]}",
                        "the role root, which kim has, covers every key"),
                Arguments.of(
                        "require-backup: {maxAge: 26h, drilledWithin: 7d}",
                        "size: 3, version: \"3.5.16\", backup: {policy: nightly}",
                        "size: 3, version: \"3.5.16\"",
                        "no BackupPolicy applies to the ring"),
                Arguments.of(
                        "require-backup: {maxAge: 27h}",
                        "size: 3, version: \"3.5.16\", backup: {policy: nightly}",
                        "size: 3, version: \"3.5.16\"",
                        "no BackupPolicy applies to the ring"),
                Arguments.of(
                        "suspend-hygiene: {effect: deny, longest: 7d}",
                        "size: 3, version: \"3.5.16\", suspend: {reason: x, by: kim, until: \"2026-11-30T00:00:00Z\"}",
                        "size: 3, version: \"3.5.16\", suspend: {reason: x, by: kim}",
                        "the suspension never ends; set suspend.until"),
                Arguments.of(
                        "suspend-hygiene: {effect: deny, longest: 7d}",
                        "size: 3, version: \"3.5.16\", suspend: {reason: x, by: kim, until: \"2026-11-20T00:00:00Z\"}",
                        "size: 3, version: \"3.5.16\", suspend: {reason: x, by: kim, until: \"2027-11-30T00:00:00Z\"}",
                        "more than 7d ahead"),
                Arguments.of(
                        "secret-in-spec: {}",
                        "size: 3, version: \"3.5.16\", podTemplate: {metadata: {annotations: {note: hello}}}",
                        "size: 3, version: \"3.5.16\", podTemplate: {metadata: {annotations: {note:"
                                + " AKIAABCDEFGHIJKLMNOP}}}",
                        "the value at /spec/podTemplate/metadata/annotations/note looks like a key"));
    }

    @ParameterizedTest
    @MethodSource("specRules")
    void deniesBrokenRuleUnlessExempted(String rule, String good, String bad, String said) {
        String name = rule.substring(0, rule.indexOf(':'));
        var change = new ScaleOut(ORDERS, 3, true, Blueprints.ANY);

        var kept = desired(good, rule, "policies/n.yaml", NIGHTLY);
        assertThat(admit(kept)).isEmpty();
        assertThat(gate(kept, change)).isEqualTo(new Verdict.Allow());

        var broken = desired(bad, rule, "policies/n.yaml", NIGHTLY);
        assertThat(admit(broken)).singleElement().satisfies(f -> {
            assertThat(f.code()).isEqualTo(name);
            assertThat(f.level()).isEqualTo(Finding.Level.ERROR);
            assertThat(f.denies()).isTrue();
            assertThat(f.message()).contains(said).endsWith("(policy all)").doesNotContain("AKIA");
        });
        assertThat(gate(broken, change)).isInstanceOfSatisfying(Verdict.Deny.class, d -> {
            assertThat(d.rule()).isEqualTo(name);
            assertThat(d.reason()).contains(said);
        });

        var exempted = desired(
                bad, rule, "policies/n.yaml", NIGHTLY, "policies/e.yaml", exemption(name, "2026-12-10T00:00:00Z"));
        assertThat(admit(exempted)).singleElement().satisfies(f -> {
            assertThat(f.level()).isEqualTo(Finding.Level.NOTE);
            assertThat(f.denies()).isFalse();
            assertThat(f.message()).contains(said, "exempted by vendor until 2026-12-10T00:00:00Z (team-shop, SEC-1)");
        });
        assertThat(gate(exempted, change)).isEqualTo(new Verdict.Allow());

        var expired = desired(
                bad, rule, "policies/n.yaml", NIGHTLY, "policies/e.yaml", exemption(name, "2026-11-25T12:00:00Z"));
        assertThat(admit(expired)).singleElement().satisfies(f -> {
            assertThat(f.level()).isEqualTo(Finding.Level.ERROR);
            assertThat(f.message()).contains("the exemption vendor expired on 2026-11-25T12:00:00Z");
        });
        assertThat(gate(expired, change)).isInstanceOf(Verdict.Deny.class);
    }

    /// A ring with one role, which has this range.
    private static String role(String range) {
        return "size: 3, version: \"3.5.30\", auth: {roles: [{name: r, grants: [{access: read, " + range + "}]}]}";
    }

    /// Several ranges together can be every key.
    @Test
    void addsUpRangesOfRole() {
        var ring = "size: 3, version: \"3.5.30\", auth: {roles: [{name: r, grants: [%s]}]}";
        String low = "{access: read, from: \"\\x01\", to: k}";
        String high = "{access: write, from: %s}";

        assertThat(admit(desired(ring.formatted(low + ", " + high.formatted("k")), "role-breadth: {}")))
                .singleElement()
                .satisfies(f -> assertThat(f.message()).contains("the role r covers every key"));
        assertThat(admit(desired(ring.formatted(low + ", " + high.formatted("l")), "role-breadth: {}")))
                .isEmpty();
        assertThat(admit(desired(ring.formatted(low), "role-breadth: {}"))).isEmpty();
    }

    /// A role with a document of its own is a role of the ring.
    @Test
    void roleOfOwnDocumentMayNotBeWide() {
        var broken = desired(
                "size: 3, version: \"3.5.30\", auth: {}", "role-breadth: {prefixes: [/app/]}", "clusters/r.yaml", """
                apiVersion: etcdgitops.dev/v1alpha1
                kind: EtcdRole
                metadata: {name: every}
                spec: {cluster: {namespace: demo, name: orders}, grants: [{access: read, prefix: ""}]}
                """);

        assertThat(admit(broken))
                .singleElement()
                .satisfies(f -> assertThat(f.message()).contains("the role every covers every key"));
    }

    /// An invalid document of one user must not hold the ring.
    @Test
    void ringWithInvalidUserStillAsksForAuthentication() {
        var files = new TreeMap<String, byte[]>();
        put(files, "clusters/a.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec: {size: 3, version: "3.5.30", auth: {}}
            ---
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdUser
            metadata: {name: app}
            spec: {cluster: {namespace: demo, name: orders}, roles: [none], password: {generate: true}}
            """);
        put(files, "policies/p.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Policy
            metadata: {name: all}
            spec: {rules: {auth-required: {}, role-breadth: {}}}
            """);
        var state = SpecLoader.load(new SourceTree("0", files, List.of(), "digest"));

        assertThat(state.violations()).isNotEmpty();
        assertThat(state.rings().get(ORDERS))
                .satisfies(ring -> assertThat(ring.auth()).isEmpty());
        assertThat(admit(state)).isEmpty();
    }

    /// Whatever stands below `spec` of a policy beside its rules.
    private static DesiredState expressed(String ring, String spec, String... more) {
        var files = new String[more.length + 2];
        files[0] = "policies/cel.yaml";
        files[1] = "apiVersion: etcdgitops.dev/v1alpha1\nkind: Policy\nmetadata: {name: ours}\nspec:\n" + spec;
        System.arraycopy(more, 0, files, 2, more.length);
        return desired(ring, "secret-in-spec: {}", files);
    }

    private static final String SMALL = """
          matchConditions:
            - {name: demo, expression: "object.metadata.namespace == 'demo'"}
          variables:
            - {name: tier, expression: "'tier' in object.metadata.labels ? object.metadata.labels['tier'] : ''"}
          validations:
            - name: small
              expression: "object.spec.size <= 3 || variables.tier == 'platinum'"
              message: only platinum rings are large
              messageExpression: "variables.tier + ' rings have 3 members, this one has ' + string(object.spec.size)"
        """;

    @Test
    void treatsExpressionLikeAnyRule() {
        var change = new ScaleOut(ORDERS, 3, true, Blueprints.ANY);
        assertThat(admit(expressed("size: 3, version: \"3.5.16\"", SMALL))).isEmpty();

        var broken = expressed("size: 5, version: \"3.5.16\"", SMALL);
        assertThat(admit(broken)).singleElement().satisfies(f -> {
            assertThat(f.code()).isEqualTo("small");
            assertThat(f.message()).isEqualTo("gold rings have 3 members, this one has 5 (policy ours)");
        });
        assertThat(gate(broken, change)).isInstanceOf(Verdict.Deny.class);
        assertThat(gate(broken, MENDING)).isEqualTo(new Verdict.Allow());

        var exempted = expressed(
                "size: 5, version: \"3.5.16\"", SMALL, "policies/e.yaml", exemption("small", "2026-12-10T00:00:00Z"));
        assertThat(gate(exempted, change)).isEqualTo(new Verdict.Allow());
        var expired = expressed(
                "size: 5, version: \"3.5.16\"", SMALL, "policies/e.yaml", exemption("small", "2026-11-25T00:00:00Z"));
        assertThat(gate(expired, change)).isInstanceOf(Verdict.Deny.class);
        assertThat(admit(expressed("size: 5, version: \"3.5.16\"", SMALL.replace("== 'demo'", "== 'shop'"))))
                .isEmpty();
    }

    @Test
    void evaluatesOperationExpressionForEachOperation() {
        var desired = expressed("size: 5, version: \"3.5.16\"", """
              validations:
                - name: no-weekday-scale-in
                  target: operation
                  effect: hold
                  expression: "operation.kind != 'ScaleIn' || now.getDayOfWeek('Europe/Vienna') in [0, 6]"
                  message: rings are made smaller at weekends only
            """);

        assertThat(admit(desired)).isEmpty();
        assertThat(gate(desired, new ScaleOut(ORDERS, 3, true, Blueprints.ANY))).isEqualTo(new Verdict.Allow());
        assertThat(gate(desired, new ScaleIn(ORDERS, 4, false))).isInstanceOfSatisfying(Verdict.Hold.class, hold -> {
            assertThat(hold.rule()).isEqualTo("no-weekday-scale-in");
            assertThat(hold.reason()).contains("rings are made smaller at weekends only");
        });
        assertThat(PolicyEngine.of(desired).gate(new ScaleIn(ORDERS, 4, false), Instant.parse("2026-11-28T12:00:00Z")))
                .isEqualTo(new Verdict.Allow());
    }

    /// A field that is not there is not what was asked for.
    @Test
    void failedEvaluationBreaksRule() {
        var desired = expressed("size: 3, version: \"3.5.16\"", """
              validations:
                - {name: policy, expression: "object.spec.backup.policy == 'nightly'", message: take nightly}
            """);

        assertThat(admit(desired))
                .singleElement()
                .satisfies(f -> assertThat(f.message()).contains("take nightly; it could not be evaluated", "backup"));
        assertThat(gate(desired, new ScaleOut(ORDERS, 3, true, Blueprints.ANY))).isInstanceOf(Verdict.Deny.class);
    }

    /// Of repairs and backups nobody is deprived by a document that breaks a rule.
    @Test
    void repairsAndReadsContinue() {
        var broken = desired("size: 4, version: \"3.5.16\"", "odd-members: {}");

        assertThat(gate(broken, new ScaleIn(ORDERS, 3, false))).isInstanceOf(Verdict.Deny.class);
        assertThat(MENDING.heals()).isTrue();
        assertThat(gate(broken, MENDING)).isEqualTo(new Verdict.Allow());
    }

    @Test
    void effectsAreWhatTheyAreCalled() {
        var change = new ScaleOut(ORDERS, 3, true, Blueprints.ANY);
        String even = "size: 4, version: \"3.5.16\"";

        assertThat(gate(desired(even, "odd-members: {effect: deny}"), change)).isInstanceOf(Verdict.Deny.class);
        assertThat(gate(desired(even, "odd-members: {effect: hold}"), change))
                .isInstanceOfSatisfying(
                        Verdict.Hold.class, h -> assertThat(h.rule()).isEqualTo("odd-members"));
        assertThat(gate(desired(even, "odd-members: {effect: require-approval}"), change))
                .isInstanceOfSatisfying(Verdict.Hold.class, h -> {
                    assertThat(h.rule()).isEqualTo("approval");
                    assertThat(h.reason()).contains("odd-members, policy all", "approve --operation " + change.id());
                });
        assertThat(gate(desired(even, "odd-members: {effect: warn}"), change)).isInstanceOf(Verdict.Warn.class);
        assertThat(gate(desired(even, "odd-members: {effect: audit}"), change)).isEqualTo(new Verdict.Allow());
        assertThat(admit(desired(even, "odd-members: {effect: audit}")))
                .singleElement()
                .satisfies(f -> assertThat(f.level()).isEqualTo(Finding.Level.NOTE));
    }

    @Test
    void warnsBeforeRuleIsEnforced() {
        var change = new ScaleOut(ORDERS, 3, true, Blueprints.ANY);
        String even = "size: 4, version: \"3.5.16\"";
        var later = desired(even, "odd-members: {enforceFrom: \"2026-12-01T00:00:00Z\"}");

        assertThat(gate(later, change)).isInstanceOf(Verdict.Warn.class);
        assertThat(admit(later))
                .singleElement()
                .satisfies(f -> assertThat(f.message()).contains("from 2026-12-01T00:00:00Z on: deny"));
        assertThat(PolicyEngine.of(later).gate(change, Instant.parse("2026-12-01T00:00:00Z")))
                .isInstanceOf(Verdict.Deny.class);
    }

    private static final String SATURDAYS =
            "maintenance-window: {allow: [{schedule: '0 2 * * 6', duration: 4h, timeZone: Europe/Vienna}], minRisk:"
                    + " %s}";

    @Test
    void holdsOutsideWindowAndNamesNextOne() {
        var desired = desired("size: 5, version: \"3.5.16\"", SATURDAYS.formatted("low"));

        assertThat(gate(desired, new ScaleOut(ORDERS, 3, true, Blueprints.ANY)))
                .isInstanceOfSatisfying(Verdict.Hold.class, hold -> {
                    assertThat(hold.rule()).isEqualTo("maintenance-window");
                    assertThat(hold.reason()).contains("no window is open; it can start on 2026-11-28T01:00:00Z");
                });
        var saturday = Instant.parse("2026-11-28T01:00:00Z");
        assertThat(PolicyEngine.of(desired).gate(new ScaleOut(ORDERS, 3, true, Blueprints.ANY), saturday))
                .isEqualTo(new Verdict.Allow());
        assertThat(PolicyEngine.of(desired)
                        .gate(new ScaleOut(ORDERS, 3, true, Blueprints.ANY), saturday.plusSeconds(4 * 3600 - 600)))
                .isInstanceOfSatisfying(
                        Verdict.Hold.class,
                        hold -> assertThat(hold.reason())
                                .contains(
                                        "ends on 2026-11-28T05:00:00Z, too early",
                                        "it can start on 2026-12-05T01:00:00Z"));
    }

    @Test
    void repairAndLowRiskNeedNoWindow() {
        var desired = desired("size: 5, version: \"3.5.16\"", SATURDAYS.formatted("medium"));

        assertThat(gate(desired, new ScaleOut(ORDERS, 3, true, Blueprints.ANY))).isEqualTo(new Verdict.Allow());
        assertThat(gate(desired, MENDING)).isEqualTo(new Verdict.Allow());
        assertThat(gate(desired, new ScaleIn(ORDERS, 2, false))).isInstanceOf(Verdict.Hold.class);
    }

    @Test
    void holdsOutsideWindowOfRingDocument() {
        var desired = desired(
                "size: 5, version: \"3.5.16\", maintenance: {windows: [{schedule: \"0 2 * * 6\", duration: 4h}]}",
                "secret-in-spec: {}");

        assertThat(gate(desired, new ScaleOut(ORDERS, 3, true, Blueprints.ANY)))
                .isInstanceOfSatisfying(Verdict.Hold.class, hold -> {
                    assertThat(hold.rule()).isEqualTo("maintenance-window");
                    assertThat(hold.reason())
                            .contains("2026-11-28T02:00:00Z", "maintenance.windows of the ring's document");
                });
    }

    @Test
    void freezeHoldsOnlyBetweenItsStartAndEnd() {
        var desired = desired(
                "size: 5, version: \"3.5.16\"",
                "freeze: {from: \"2026-11-25T12:00:00Z\", until: \"2026-12-01T00:00:00Z\", reason: the sale}");
        var change = new ScaleOut(ORDERS, 3, true, Blueprints.ANY);

        assertThat(gate(desired, change))
                .isInstanceOfSatisfying(
                        Verdict.Hold.class,
                        hold -> assertThat(hold.reason()).contains("no changes until 2026-12-01T00:00:00Z: the sale"));
        assertThat(PolicyEngine.of(desired).gate(change, NOW.minusSeconds(1))).isEqualTo(new Verdict.Allow());
        assertThat(PolicyEngine.of(desired).gate(change, Instant.parse("2026-12-01T00:00:00Z")))
                .isEqualTo(new Verdict.Allow());
        assertThat(gate(desired, MENDING)).isEqualTo(new Verdict.Allow());
    }

    private static String approval(String name, String by, Operation operation) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Approval
            metadata: {name: %s}
            spec:
              cluster: {namespace: demo, name: orders}
              operations: ["%s"]
              approvedBy: %s
              expires: "2026-11-26T00:00:00Z"
            """.formatted(name, operation.id(), by);
    }

    @Test
    void twoPeopleAreTwo() {
        var shrink = new ScaleIn(ORDERS, 4, false);
        String rule = "destructive-approval: {operations: [ScaleIn], approvers: 2}";
        String ring = "size: 5, version: \"3.5.16\"";

        assertThat(gate(desired(ring, rule), shrink)).isInstanceOfSatisfying(Verdict.Hold.class, hold -> {
            assertThat(hold.rule()).isEqualTo("approval");
            assertThat(hold.reason()).contains("by 2 people", "destructive-approval, policy all", "there is none");
        });
        var twice = desired(
                ring,
                rule,
                "approvals/a.yaml",
                approval("a", "kim", shrink),
                "approvals/b.yaml",
                approval("b", "kim", shrink));
        assertThat(gate(twice, shrink))
                .isInstanceOfSatisfying(
                        Verdict.Hold.class, hold -> assertThat(hold.reason()).contains("only kim has given one"));
        var both = desired(
                ring,
                rule,
                "approvals/a.yaml",
                approval("a", "kim", shrink),
                "approvals/b.yaml",
                approval("b", "lee", shrink));
        assertThat(gate(both, shrink)).isEqualTo(new Verdict.Allow());
        assertThat(gate(desired(ring, rule), new ScaleOut(ORDERS, 3, true, Blueprints.ANY)))
                .isEqualTo(new Verdict.Allow());
    }

    /// The ring's document lets it be done; whoever named the kind meant it all the same. What brings back what
    /// was taken away waits for nobody.
    @Test
    void namedKindNeedsApprovalEvenIfDocumentAllowsIt() {
        var space = new FreeSpace(ORDERS, EtcdId.parse("1"), 3, List.of(1, 2, 0), 1000, false);
        var back = GrowStorage.resumed(
                ORDERS,
                "data",
                new Intent.Recreation(new EtcdClusterSpec.Storage("1Gi", Optional.empty()), 3, "r", "x"));
        String ring = "size: 3, version: \"3.5.16\"";
        var named = desired(ring, "destructive-approval: {operations: [FreeSpace, RestartMember, GrowStorage]}");

        for (var operation : List.of(space, MENDING)) {
            assertThat(gate(named, operation))
                    .isInstanceOfSatisfying(
                            Verdict.Hold.class, h -> assertThat(h.rule()).isEqualTo("approval"));
            assertThat(gate(desired(ring, "destructive-approval: {minRisk: low}"), operation))
                    .isEqualTo(new Verdict.Allow());
            assertThat(gate(
                            desired(
                                    ring,
                                    "destructive-approval: {operations: [FreeSpace, RestartMember]}",
                                    "approvals/a.yaml",
                                    approval("a", "kim", operation)),
                            operation))
                    .isEqualTo(new Verdict.Allow());
        }
        assertThat(gate(named, back)).isEqualTo(new Verdict.Allow());
    }

    /// An approval is for what waits for an approval, and for nothing else.
    @Test
    void approvalOpensNoWindow() {
        var shrink = new ScaleIn(ORDERS, 4, false);
        var desired = desired(
                "size: 5, version: \"3.5.16\"",
                SATURDAYS.formatted("low"),
                "approvals/a.yaml",
                approval("a", "kim", shrink));

        assertThat(gate(desired, shrink))
                .isInstanceOfSatisfying(
                        Verdict.Hold.class, h -> assertThat(h.rule()).isEqualTo("maintenance-window"));
    }

    @Test
    void policyAppliesToSelectedRingsOnly() {
        String even = "size: 4, version: \"3.5.16\"";
        var change = new ScaleOut(ORDERS, 3, true, Blueprints.ANY);
        for (var given : List.of(
                "namespaces: [demo]|true",
                "namespaces: [shop]|false",
                "matchLabels: {tier: gold}|true",
                "matchLabels: {tier: gold, zone: a}|false",
                "environments: [default], namespaces: [demo]|true",
                "features: {PeerTls: true}|false",
                "features: {PeerTls: false}|true")) {
            var parts = given.split("\\|", -1);
            var desired = desired(even, "secret-in-spec: {}", "policies/q.yaml", """
                apiVersion: etcdgitops.dev/v1alpha1
                kind: Policy
                metadata: {name: some}
                spec: {clusters: {%s}, rules: {odd-members: {}}}
                """.formatted(parts[0]));
            assertThat(gate(desired, change) instanceof Verdict.Deny).as(given).isEqualTo(Boolean.valueOf(parts[1]));
        }
    }

    /// What a wrong policy would have forbidden must not pass because it is wrong.
    @Test
    void invalidPolicyHoldsChanges() {
        var files = new TreeMap<String, byte[]>();
        put(files, "clusters/a.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec: {size: 5, version: "3.5.16"}
            """);
        put(
                files,
                "policies/p.yaml",
                "apiVersion: etcdgitops.dev/v1alpha1\n"
                        + "kind: Policy\n"
                        + "metadata: {name: p}\n"
                        + "spec: {rules: {frozen: {}}}\n");
        var desired = SpecLoader.load(new SourceTree("0", files, List.of(), "digest"));

        assertThat(gate(desired, new ScaleOut(ORDERS, 3, true, Blueprints.ANY)))
                .isInstanceOfSatisfying(Verdict.Hold.class, hold -> {
                    assertThat(hold.rule()).isEqualTo("policy-unread");
                    assertThat(hold.reason()).contains("policies/p.yaml");
                });
        assertThat(gate(desired, MENDING)).isEqualTo(new Verdict.Allow());
    }

    /// Given when it is from, until when, and what the ring is like: what is said of it.
    @ParameterizedTest
    @CsvSource({
        "odd-members, 2026-12-10T00:00:00Z, 4,",
        "odd-members, 2026-11-25T12:00:00Z, 4, exemption-expired",
        "odd-members, 2026-12-02T12:00:00Z, 4, exemption-ends-soon",
        "odd-members, 2026-12-02T12:00:01Z, 4,",
        "odd-members, 2026-12-10T00:00:00Z, 3, exemption-unused",
        "require-tls, 2026-12-10T00:00:00Z, 4, exemption-of-no-rule",
    })
    void findsUnusedExemptions(String rule, String expires, int size, @Nullable String found) {
        var desired = desired(
                "size: " + size + ", version: \"3.5.16\"",
                "odd-members: {}",
                "policies/e.yaml",
                exemption(rule, expires));

        assertThat(PolicyEngine.of(desired).findings(NOW))
                .extracting(Finding::code)
                .isEqualTo(found == null ? List.of() : List.of(found));
    }

    @Test
    void ignoresExemptionBeforeItStarts() {
        var desired = desired(
                "size: 4, version: \"3.5.16\"",
                "odd-members: {}",
                "policies/e.yaml",
                exemption("odd-members", "2099-12-10T00:00:00Z").replace("2026-10-01", "2099-10-01"));

        assertThat(gate(desired, new ScaleOut(ORDERS, 3, true, Blueprints.ANY))).isInstanceOf(Verdict.Deny.class);
        assertThat(PolicyEngine.of(desired).findings(NOW))
                .extracting(Finding::code)
                .containsExactly("exemption-not-yet");
    }

    /// Half a change is worse than either end of it.
    @Test
    void finishesStartedOperationDespiteRules() {
        var desired = desired("size: 4, version: \"3.5.16\"", "odd-members: {}, " + SATURDAYS.formatted("low"));

        assertThat(gate(desired, new ScaleOut(ORDERS, 3, true, ScaleOut.Stage.BEGUN, Blueprints.ANY)))
                .isEqualTo(new Verdict.Allow());
        assertThat(gate(desired, new ScaleIn(ORDERS, 3, true))).isEqualTo(new Verdict.Allow());
        var version = EtcdVersion.parse("3.5.16").orElseThrow();
        assertThat(gate(desired, new BootstrapCluster(ORDERS, 4, version, Tls.NONE, Blueprints.ANY)))
                .isInstanceOf(Verdict.Deny.class);
        assertThat(gate(
                        desired,
                        new BootstrapCluster(
                                ORDERS, 4, version, Tls.NONE, new BootstrapCluster.Stage.Begun(), Blueprints.ANY)))
                .isEqualTo(new Verdict.Allow());
        var storage = new EtcdClusterSpec.Storage("1Gi", Optional.empty());
        assertThat(gate(
                        desired,
                        new GrowStorage(ORDERS, "data", 3, storage, List.of(), List.of(), GrowStorage.Stage.BACK)))
                .isEqualTo(new Verdict.Allow());
        assertThat(new ScaleOut(ORDERS, 3, true, ScaleOut.Stage.BEGUN, Blueprints.ANY).id())
                .isEqualTo(new ScaleOut(ORDERS, 3, true, Blueprints.ANY).id());
    }

    /// A rule that only warns, or is exempted, asks for nobody.
    @Test
    void onlyRulesThatCountAskForPeople() {
        var shrink = new ScaleIn(ORDERS, 4, false);
        String ring = "size: 5, version: \"3.5.16\"";
        String rule = "destructive-approval: {operations: [ScaleIn], approvers: 3%s}";
        for (String less : List.of(", effect: audit", ", enforceFrom: \"2027-01-01T00:00:00Z\"")) {
            assertThat(PolicyEngine.of(desired(
                                    ring, rule.formatted(less), "approvals/a.yaml", approval("a", "kim", shrink)))
                            .approved(shrink, NOW))
                    .isTrue();
        }
        assertThat(PolicyEngine.of(desired(ring, rule.formatted(""), "approvals/a.yaml", approval("a", "kim", shrink)))
                        .approved(shrink, NOW))
                .isFalse();
    }

    @Test
    void exemptionOfMissingRingAppliesToNone() {
        var desired = desired(
                "size: 4, version: \"3.5.16\"",
                "odd-members: {}",
                "policies/e.yaml",
                exemption("odd-members", "2026-12-10T00:00:00Z").replace("name: orders", "name: gone"));

        assertThat(PolicyEngine.of(desired).findings(NOW))
                .extracting(Finding::code)
                .containsExactly("exemption-for-nobody");
    }

    @Test
    void everyRuleHasItsPage() {
        for (var kind : RuleKind.builtIn()) {
            assertThat(Path.of("..", "policies", kind + ".md")).exists();
        }
    }
}
