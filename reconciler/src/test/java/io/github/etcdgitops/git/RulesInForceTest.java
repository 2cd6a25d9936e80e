package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.gateway.Watermarks;
import io.github.etcdgitops.inert.Mark;
import io.github.etcdgitops.pipeline.RulesInForce;
import io.github.etcdgitops.pipeline.Watermark;
import io.github.etcdgitops.pipeline.environment.Branch;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.OfRules.Notice;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.PersonIdent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whoever may write the rules about approvals does not do away with them alone. One run after the
/// other, each with a cache of its own, as pods have.
class RulesInForceTest extends WithOrigin {
    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
    private static final String MAIN = "refs/heads/main";
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    private static final Operation SHRINK = new ScaleIn(ORDERS, 4, false);

    private static final String MEDIUM_WITH = "from: medium\n  tenants: [%s]";

    private final Map<String, String> files = new TreeMap<>();
    private final Map<Watermarks.Subject, Watermarks.Mark> marks = new HashMap<>();
    private final Watermarks memory = new Watermarks() {
        @Override
        public Found read(Subject subject) {
            return new Found(Optional.ofNullable(marks.get(subject)), "" + marks.hashCode());
        }

        @Override
        public void write(Subject subject, Mark mark, Found found) {
            assertThat(found).isEqualTo(read(subject));
            marks.put(subject, mark);
        }
    };
    private Optional<String> named = Optional.of("prod");
    private String environment = "prod";
    private int runs;

    @BeforeEach
    void runsOnceWithInitialRules() {
        files.put("clusters/orders.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo, labels: {tier: gold}}
            spec: {size: 5, version: "3.5.16"}
            """);
        fleet("ann", "from: medium");
        assertThat(run().notices()).isEmpty();
    }

    private String write(String author, String file, String text) {
        files.put(file, text);
        return commit(author);
    }

    private String delete(String author, String file) {
        files.remove(file);
        return commit(author);
    }

    private String commit(String author) {
        return origin.commit(MAIN, origin.files(files), commit -> commit.setAuthor(person(author)));
    }

    private static PersonIdent person(String name) {
        return new PersonIdent(name, name + "@example.org", Instant.EPOCH, ZoneOffset.UTC);
    }

    private String fleet(String author, String approvals) {
        return write(author, "etcd-gitops.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Fleet
            metadata: {name: fleet}
            spec:
              approvals:
                %s
              environments: [{name: prod, paths: [clusters/]}, {name: lab}]
            """.formatted(approvals));
    }

    private String policy(String author, String name, String clusters, String rule) {
        return write(author, "policies/" + name + ".yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Policy
            metadata: {name: %s}
            spec:
              %s
              rules: {destructive-approval: {%s}}
            """.formatted(name, clusters, rule));
    }

    private String approve(String author, String change) {
        return write(author, "approvals/rules-" + author + ".yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Approval
            metadata: {name: rules}
            spec:
              rules: "%s"
              approvedBy: %s@example.org
              reason: fewer tenants
              expires: "2026-11-26T00:00:00Z"
            """.formatted(change, author));
    }

    private static String tenant(String name, String namespaces) {
        return "{name: %1$s, paths: [clusters/%1$s/], namespaces: [%2$s]}".formatted(name, namespaces);
    }

    private record Run(DesiredState desired, String commit) {
        List<Notice> notices() {
            return desired.decisions().ofRules().notices();
        }

        String held() {
            assertThat(notices())
                    .singleElement()
                    .satisfies(n -> assertThat(n.holds()).as(n.text()).isTrue());
            return notices().getFirst().text();
        }

        String change() {
            var found = Pattern.compile("approve --rules ([0-9a-f]{16})").matcher(held());
            assertThat(found.find()).isTrue();
            return found.group(1);
        }

        Verdict shrink() {
            return PolicyEngine.of(desired).gate(SHRINK, NOW);
        }
    }

    private Run run() {
        return run(Optional.empty(), false);
    }

    private Run run(Optional<String> accepted, boolean dryRun) {
        var run = runWithViolations(accepted, dryRun);
        assertThat(run.desired().violations()).isEmpty();
        return run;
    }

    private Run runWithViolations() {
        return runWithViolations(Optional.empty(), false);
    }

    private Run runWithViolations(Optional<String> accepted, boolean dryRun) {
        try (var git = open("cache" + runs++)) {
            String commit = git.resolve("main");
            new Watermark(git, memory, _ -> {})
                    .accept(
                            environment,
                            new Watermark.Wanted(new Branch(named, "main"), commit, Optional.empty(), dryRun));
            var desired = SpecLoader.load(git.read(commit));
            var ruled = new RulesInForce(git, commit, environment, NOW)
                    .ofRun(memory, new RulesInForce.Asked(new Branch(named, "main"), accepted, !dryRun), desired);
            return new Run(ruled, commit);
        }
    }

    private String rules() {
        return marks.values().iterator().next().rules();
    }

    @Test
    void formerApprovalsAreRequiredUntilRelaxationIsApproved() {
        String before = rules();
        fleet("mallory", "from: destructive");

        var run = run();

        assertThat(run.held())
                .contains(
                        "since " + before.substring(0, 12),
                        "spec.approvals.from (etcd-gitops.yaml:6:11) was medium, is destructive",
                        "mallory@example.org did",
                        "--accept-rules " + run.commit());
        assertThat(run.shrink()).isInstanceOf(Verdict.Hold.class);
        assertThat(rules()).isEqualTo(before);
        assertThat(marks.values().iterator().next().commit()).isEqualTo(run.commit());
    }

    @Test
    void approvalOfAnotherPersonMakesNewRulesHold() {
        fleet("mallory", "from: destructive");
        String change = run().change();
        approve("mallory", change);
        assertThat(run().held()).contains("(rules does not count)");

        approve("kim", change);
        var approved = run();

        assertThat(approved.notices())
                .singleElement()
                .satisfies(notice -> assertThat(notice.text()).contains("approved by kim@example.org"));
        assertThat(approved.notices().getFirst().holds()).isFalse();
        assertThat(approved.shrink()).isEqualTo(new Verdict.Allow());
        assertThat(rules()).isEqualTo(approved.commit());
        delete("ann", "approvals/rules-kim.yaml");
        assertThat(run().notices()).isEmpty();
        assertThat(run().shrink()).isEqualTo(new Verdict.Allow());
    }

    @Test
    void approvalDoesNotCoverFurtherRelaxation() {
        fleet("mallory", "from: high");
        String change = run().change();
        approve("kim", change);
        fleet("mallory", "from: destructive");

        var run = run();

        assertThat(run.held()).contains("was medium, is destructive");
        assertThat(run.change()).isNotEqualTo(change);
    }

    @ParameterizedTest
    @ValueSource(strings = {"from: medium\n    authorMayApprove: true", "from: high", "{}"})
    void fleetThatRelaxesItsRules(String approvals) {
        fleet("mallory", approvals);

        assertThat(run().held()).contains("spec.approvals.", "(etcd-gitops.yaml:");
    }

    @Test
    void keepsApprovalRulesOfDeletedFleet() {
        delete("mallory", "etcd-gitops.yaml");
        assertThat(run().held()).contains("spec.approvals.from (etcd-gitops.yaml) was medium, is destructive");
        assertThat(run().desired().fleet().approvals().from()).isEqualTo(Risk.MEDIUM);
    }

    @Test
    void stricterRulesHoldAtOnce() {
        String stricter = fleet("mallory", "from: low");
        assertThat(run().notices()).isEmpty();
        assertThat(rules()).isEqualTo(stricter);

        String more = policy("mallory", "two", "clusters: {namespaces: [demo]}", "approvers: 2");
        assertThat(run().notices()).isEmpty();
        assertThat(rules()).isEqualTo(more);

        String wider = policy("mallory", "two", "clusters: {namespaces: [demo, shop]}", "approvers: 3, minRisk: low");
        assertThat(run().notices()).isEmpty();
        assertThat(rules()).isEqualTo(wider);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "clusters: {matchLabels: {tier: gold}} | minRisk: medium, approvers: 1",
                "clusters: {matchLabels: {tier: gold}} | minRisk: high, approvers: 2",
                "clusters: {matchLabels: {tier: gold}} | minRisk: medium, approvers: 2, authorMayApprove: true",
                "clusters: {matchLabels: {tier: gold}} | minRisk: medium, approvers: 2, effect: warn",
                "clusters: {matchLabels: {tier: gold}} | minRisk: medium, approvers: 2, enforceFrom:"
                        + " '2027-01-01T00:00:00Z'",
                "clusters: {matchLabels: {tier: gold, team: a}} | minRisk: medium, approvers: 2",
                "clusters: {environments: [prod], matchLabels: {tier: gold}} | minRisk: medium, approvers: 2"
            })
    void keepsFormerPolicyWhenItIsRelaxed(String clusters, String rule) {
        policy("ann", "two", "clusters: {matchLabels: {tier: gold}}", "minRisk: medium, approvers: 2");
        assertThat(run().notices()).isEmpty();

        policy("mallory", "two", clusters, rule);

        var run = run();
        assertThat(run.held()).contains("destructive-approval of policy two (policies/two.yaml:");
        assertThat(run.shrink())
                .isInstanceOfSatisfying(
                        Verdict.Hold.class, hold -> assertThat(hold.reason()).contains("by 2 people"));
    }

    @Test
    void keepsDeletedPolicyInForce() {
        policy("ann", "two", "clusters: {matchLabels: {tier: gold}}", "minRisk: medium, approvers: 2");
        run();

        delete("mallory", "policies/two.yaml");

        var run = run();
        assertThat(run.held())
                .contains(
                        "destructive-approval of policy two (policies/two.yaml) was require-approval from medium by 2",
                        "is nothing",
                        "2 people who did not write it");
        assertThat(run.shrink()).isInstanceOf(Verdict.Hold.class);
    }

    @Test
    void movedPolicyIsSameRule() {
        policy("ann", "two", "clusters: {matchLabels: {tier: gold}}", "minRisk: medium, approvers: 2");
        run();
        files.remove("policies/two.yaml");

        policy("mallory", "pair", "clusters: {matchLabels: {tier: gold}}", "minRisk: medium, approvers: 2");

        assertThat(run().notices()).isEmpty();
    }

    @Test
    void holdsNewExemptionFromApprovalRule() {
        policy("ann", "two", "clusters: {matchLabels: {tier: gold}}", "minRisk: medium, approvers: 2");
        run();

        write("mallory", "policies/orders.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: PolicyExemption
            metadata: {name: orders}
            spec:
              rules: [destructive-approval]
              rings: [{namespace: demo, name: orders}]
              owner: mallory
              reason: in a hurry
              ticket: OPS-1
              created: "2026-11-01T00:00:00Z"
              expires: "2026-12-01T00:00:00Z"
            """);

        var run = run();
        assertThat(run.held())
                .contains("exemption orders from destructive-approval (policies/orders.yaml:", "was nothing, is demo/");
        assertThat(run.shrink()).isInstanceOf(Verdict.Hold.class);
    }

    @Test
    void removedTenantFenceRelaxesRules() {
        files.put("clusters/a/orders.yaml", files.remove("clusters/orders.yaml"));
        fleet("ann", MEDIUM_WITH.formatted(tenant("a", "demo") + ", " + tenant("b", "shop")));
        assertThat(run().notices()).isEmpty();

        files.put("clusters/b/carts.yaml", files.get("clusters/a/orders.yaml").replace("orders", "carts"));
        String wider = tenant("b", "demo, shop").replace("}", ", backups: {destinations: ['s3://b/']}}");
        fleet("mallory", MEDIUM_WITH.formatted(wider + ", " + tenant("a", "other")));
        var run = runWithViolations();

        assertThat(run.held())
                .contains(
                        "spec.tenants b namespaces (etcd-gitops.yaml:7:",
                        "was shop, is demo, shop",
                        "spec.tenants b backups.destinations");
        assertThat(run.desired().rings()).doesNotContainKey(new ClusterRef("demo", "carts"));
        assertThat(run.desired().violations())
                .anySatisfy(v -> assertThat(v.toString()).contains("outside-tenant", "clusters/b/carts.yaml"));
    }

    @Test
    void firstTenantsCannotRestoreForeignData() {
        files.put("clusters/a/orders.yaml", files.remove("clusters/orders.yaml"));
        String own = tenant("a", "demo").replace("}", ", backups: {destinations: ['s3://b/']}}");
        String relaxed = fleet("mallory", MEDIUM_WITH.formatted(own));

        var run = run();

        assertThat(run.held()).contains("spec.tenants a backups.destinations");
        assertThat(run.desired().fleet().approvals().foreignData()).isTrue();
        assertThat(run(Optional.of(relaxed), false)
                        .desired()
                        .fleet()
                        .approvals()
                        .foreignData())
                .isFalse();
    }

    @Test
    void ignoresPolicyOfAnotherEnvironment() {
        policy("ann", "two", "clusters: {environments: [lab]}", "approvers: 2");
        run();

        String gone = delete("mallory", "policies/two.yaml");

        assertThat(run().notices()).isEmpty();
        assertThat(rules()).isEqualTo(gone);
    }

    @Test
    void acceptsRulesOfCommitNamedByOperator() {
        String relaxed = fleet("mallory", "from: destructive");
        assertThat(run(Optional.of("f".repeat(40)), false).held()).contains("--accept-rules " + relaxed);
        assertThatExceptionOfType(RunException.class)
                .isThrownBy(() -> run(Optional.of("main"), false))
                .withMessageContaining("takes a whole commit id");

        var run = run(Optional.of(relaxed), false);

        assertThat(run.notices())
                .singleElement()
                .satisfies(n -> assertThat(n.holds()).isFalse());
        assertThat(rules()).isEqualTo(relaxed);
    }

    @Test
    void dryRunRemembersNothing() {
        String before = rules();
        fleet("mallory", "from: low");

        run(Optional.empty(), true);

        assertThat(rules()).isEqualTo(before);
    }

    /// Whatever comes after the change, also where the run that met it first did not get to its end.
    @Test
    void laterCommitsDoNotHideRelaxation() {
        String before = rules();
        fleet("mallory", "from: destructive");
        run();
        write("ann", "clusters/carts.yaml", files.get("clusters/orders.yaml").replace("orders", "carts"));

        assertThat(run().held()).contains("since " + before.substring(0, 12), "(mallory@example.org did)");
        fleet("ann", "from: medium");
        assertThat(run().notices()).isEmpty();
        assertThat(rules()).isNotEqualTo(before);
    }

    @Test
    void unreadableRulesMayHaveRequiredAnything() {
        marks.replaceAll((_, mark) -> mark.ruledBy("f".repeat(40), "prod"));
        String next = fleet("ann", "from: destructive");

        var run = run();

        assertThat(run.held()).contains("ffffffffffff", "cannot be read", "--accept-rules " + next);
        assertThat(run.desired().fleet().approvals().from()).isEqualTo(Risk.LOW);
        assertThat(run(Optional.of(next), false).shrink()).isEqualTo(new Verdict.Allow());
        assertThat(rules()).isEqualTo(next);
    }

    @Test
    void mergerIsNoAuthorUnlessMergeAddsContent() {
        ObjectId base = ObjectId.fromString(rules());
        String change = fleet("mallory", "from: destructive");
        ObjectId relaxed = ObjectId.fromString(change);
        ObjectId tree = origin.files(files);
        merge("kim", tree, base, relaxed);
        String id = run().change();
        approve("kim", id);
        assertThat(run().notices().getFirst().text()).contains("approved by kim@example.org");
    }

    @Test
    void mergerThatRelaxesRulesIsTheirAuthor() {
        ObjectId base = ObjectId.fromString(rules());
        String harmless = write("mallory", "policies/README.md", "words");
        String text = files.get("etcd-gitops.yaml");
        files.put("etcd-gitops.yaml", text.replace("medium", "destructive"));
        merge("kim", origin.files(files), base, ObjectId.fromString(harmless));

        var run = run();
        assertThat(run.held()).contains("kim@example.org");
        approve("kim", run.change());
        assertThat(run().held()).contains("does not count");
    }

    private void merge(String author, ObjectId tree, ObjectId... parents) {
        origin.commit(MAIN, tree, commit -> {
            commit.setParentIds(parents);
            commit.setAuthor(person(author));
        });
    }

    /// Whoever names no environment has it from etcd-gitops.yaml. Its end would begin a new memory.
    @Test
    void noRunGoesOnInAnotherEnvironmentThatOnlyGitNames() {
        marks.clear();
        named = Optional.empty();
        run();
        files.remove("etcd-gitops.yaml");
        String gone = commit("mallory");
        environment = "default";

        assertThatExceptionOfType(RunException.class)
                .isThrownBy(this::run)
                .withMessageContainingAll(
                        "selects the environment default", "the last run was for prod", "--accept-rules " + gone);
        assertThat(run(Optional.of(gone), false).commit()).isEqualTo(gone);
        assertThat(marks.values())
                .singleElement()
                .satisfies(mark -> assertThat(mark.environment()).isEqualTo("default"));
    }
}
