package io.github.etcdgitops.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.deletion.DeleteVolumes;
import io.github.etcdgitops.ring.repair.ReleasePod;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.Authorship;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Passage;
import io.github.etcdgitops.spec.Writers;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.value.EtcdId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// A ring of five that is to be one of three, by somebody.
class ApprovalsTest {
    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    private static final Operation SHRINK = new ScaleIn(ORDERS, 4, false);
    private static final Writers MALLORY = by("mallory@example.org");
    private static final Operation DELETION = new DeleteVolumes(
            ORDERS,
            new EtcdId(7),
            new TreeMap<>(Map.of(0, "uid-0")),
            new EtcdVersion(3, 5, 16),
            0,
            "the team has moved");
    private static final Writers NOBODY_KNOWS = new Writers.Unknown("the history of FILE is cut off at 0123");

    private final Map<String, byte[]> files = new TreeMap<>();
    private final Map<String, Writers> givers = new HashMap<>();
    private Writers change = MALLORY;

    private static Writers by(String... people) {
        return new Writers.Known(new TreeSet<>(List.of(people)));
    }

    private void write(String file, String text) {
        files.put(file, text.getBytes(StandardCharsets.UTF_8));
    }

    private void fleet(String approvals) {
        write("etcd-gitops.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Fleet
            metadata: {name: fleet}
            spec: {approvals: {%s}}
            """.formatted(approvals));
    }

    private void rule(String parameters) {
        write("policies/p.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Policy
            metadata: {name: production}
            spec: {rules: {destructive-approval: {operations: [ScaleIn], %s}}}
            """.formatted(parameters));
    }

    private void approval(String name, String approvedBy, Writers given) {
        write("approvals/" + name + ".yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Approval
            metadata: {name: %s}
            spec:
              cluster: {namespace: demo, name: orders}
              operations: ["%s", "%s", "%s"]
              approvedBy: %s
              reason: fewer tenants
              expires: "2026-12-01T00:00:00Z"
            """.formatted(
                        name, SHRINK.id(), release().id(), DELETION.id(), approvedBy));
        givers.put(name, given);
    }

    private static Operation release() {
        return new ReleasePod(ORDERS, 0, "uid", "worker-1");
    }

    private DesiredState desired() {
        write("clusters/orders.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec: {size: 3, version: "3.5.16"}
            """);
        var desired = SpecLoader.load(new SourceTree("0", new TreeMap<>(files), List.of(), "digest"));
        assertThat(desired.violations()).isEmpty();
        var writers = new HashMap<Passage, Writers>();
        for (Approval approval : desired.approvals()) {
            writers.put(Passage.of(approval), givers.get(approval.name()));
        }
        writers.put(Passage.of(desired.rings().get(ORDERS), "/spec/size"), change);
        return desired.by(new Authorship(writers));
    }

    private Verdict verdict(Operation operation) {
        return PolicyEngine.of(desired()).gate(operation, NOW);
    }

    private String held() {
        var verdict = verdict(SHRINK);
        assertThat(verdict).isInstanceOf(Verdict.Hold.class);
        return ((Verdict.Hold) verdict).reason();
    }

    private void assertBegins() {
        assertThat(verdict(SHRINK)).isEqualTo(new Verdict.Allow());
    }

    @Test
    void authorOfChangeCannotApproveIt() {
        fleet("from: medium");
        approval("a", "somebody-else@example.org", MALLORY);

        assertThat(held())
                .isEqualTo("an approval of operation " + SHRINK.id()
                        + " by another person is needed (risk medium, and the Fleet requires approval from medium"
                        + " on): the approval a does not count, as mallory@example.org wrote the change"
                        + ". To approve: etcd-gitops approve --operation " + SHRINK.id()
                        + " --by NAME --reason WHY");

        approval("b", "kim@example.org", by("kim@example.org"));
        assertBegins();
    }

    @Test
    void approvalWithAuthorOfChangeDoesNotCount() {
        fleet("from: medium");
        approval("a", "kim@example.org", by("kim@example.org", "mallory@example.org"));

        assertThat(held())
                .contains("as mallory@example.org wrote the change and took part in the approval that"
                        + " kim@example.org gave");
    }

    @Test
    void severalApprovalsOfOnePersonAreOnes() {
        rule("approvers: 2");
        approval("a", "kim", by("kim@example.org"));
        approval("b", "lee", by("kim@example.org"));
        assertThat(held()).contains("by 2 people are needed", "and only kim@example.org has given one.");

        approval("c", "lee", by("lee@example.org", "kim@example.org"));
        assertThat(held()).contains("and only kim@example.org and lee@example.org has given one.");

        // Whatever they call themselves.
        approval("d", "kim", by("ann@example.org"));
        assertBegins();
    }

    @Test
    void neverCountsAuthorAmongSeveralApprovers() {
        rule("approvers: 2");
        approval("a", "mallory", MALLORY);
        assertThat(held())
                .contains("and there is none that counts; the approval a does not count, as mallory@example.org"
                        + " wrote the change");

        approval("b", "kim", by("kim@example.org"));
        assertThat(held()).contains("only kim@example.org has given one; the approval a does not count");
    }

    @Test
    void authorMayApproveOnlyIfFleetAndRulesAllowIt() {
        fleet("from: medium, authorMayApprove: true");
        approval("a", "mallory", MALLORY);
        assertBegins();

        // Where a rule asks for somebody else as well, one word of one's own is not enough.
        rule("approvers: 1");
        assertThat(held()).contains("by another person is needed (destructive-approval");

        rule("authorMayApprove: true");
        assertBegins();
        fleet("from: medium");
        assertThat(held()).contains("by another person is needed");
    }

    @Test
    void ruleMayCountAuthorAsOneOfTwoApprovers() {
        rule("approvers: 2, authorMayApprove: true");
        approval("a", "mallory", MALLORY);
        approval("b", "mal", MALLORY);
        assertThat(held()).contains("only mallory@example.org has given one");

        approval("c", "kim", by("kim@example.org"));
        assertBegins();
    }

    @Test
    void countsApproversByNameWithoutHistory() {
        fleet("from: medium");
        approval("a", "mallory@example.org", NOBODY_KNOWS);
        assertBegins();
        assertThat(warnings()).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("approval-by-name");
            assertThat(finding.message()).contains("ScaleIn " + SHRINK.id(), "the history of FILE is cut off at 0123");
        });

        // Somebody else has certainly approved it: nothing hangs on the other one.
        approval("b", "kim@example.org", by("kim@example.org"));
        assertThat(warnings()).isEmpty();

        change = NOBODY_KNOWS;
        assertThat(warnings()).hasSize(1);
        fleet("from: medium, authorMayApprove: true");
        assertThat(warnings()).isEmpty();
    }

    /// Whoever wrote what nobody can read may be anybody.
    @Test
    void unknownHistoryApprovesNoDestructiveOperation() {
        approval("a", "kim@example.org", NOBODY_KNOWS);

        assertThat(verdict(DELETION))
                .isInstanceOfSatisfying(
                        Verdict.Hold.class,
                        hold -> assertThat(hold.reason())
                                .contains(
                                        "the approval a does not count, as the history of FILE is cut off at 0123",
                                        "git fetch --unshallow"));

        approval("b", "kim@example.org", by("kim@example.org"));
        assertThat(verdict(DELETION)).isEqualTo(new Verdict.Allow());
    }

    @Test
    void ignoresNamesIfNoApprovalIsRequired() {
        approval("a", "mallory@example.org", NOBODY_KNOWS);

        assertBegins();
        assertThat(warnings()).isEmpty();
    }

    /// It comes from a machine that is gone, whoever wrote the ring's document.
    @Test
    void anyoneApprovesChangeWithoutAuthor() {
        approval("a", "mallory", MALLORY);

        assertThat(verdict(release())).isEqualTo(new Verdict.Allow());
    }

    private List<Finding> warnings() {
        var plan = new ClusterPlan(
                ORDERS,
                ClusterPlan.Situation.CHANGES,
                new Quorum(5, 5),
                List.of(new PlannedOperation(SHRINK, List.of(), new Verdict.Allow())),
                List.of(),
                List.of(),
                new TreeMap<>());
        return PolicyEngine.of(desired()).gate(plan, NOW).findings().stream()
                .filter(finding -> finding.level() == Finding.Level.WARNING)
                .toList();
    }

    @Test
    void namesApproverAndExpiry() {
        fleet("from: medium");
        approval("a", "kim@example.org", by("kim@example.org"));
        var plan = new ClusterPlan(
                ORDERS,
                ClusterPlan.Situation.CHANGES,
                new Quorum(5, 5),
                List.of(new PlannedOperation(SHRINK, List.of(), new Verdict.Allow())),
                List.of(),
                List.of(),
                new TreeMap<>());

        assertThat(PolicyEngine.of(desired()).gate(plan, NOW).findings())
                .singleElement()
                .extracting(Finding::message)
                .isEqualTo("ScaleIn " + SHRINK.id() + " is approved by kim@example.org until 2026-12-01T00:00:00Z");
    }
}
