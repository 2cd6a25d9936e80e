package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.pipeline.Attribution;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.deletion.DeleteCluster;
import io.github.etcdgitops.ring.roll.Roll;
import io.github.etcdgitops.ring.roll.UpgradeVersion;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.Authorship;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.eclipse.jgit.lib.PersonIdent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// From commits to verdicts.
class AttributionTest extends WithOrigin {
    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    private static final Operation SHRINK = new ScaleIn(ORDERS, 4, false);

    private final Map<String, String> files = new TreeMap<>();

    @BeforeEach
    void begin() {
        write("ann", "etcd-gitops.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Fleet
            metadata: {name: fleet}
            spec:
              approvals: {from: low}
              images: {repositories: [evil.example/etcd]}
              environments: [{name: prod, paths: [clusters/]}, {name: lab}]
            """);
        write("ann", "clusters/orders.yaml", ring(5));
        write("mallory", "clusters/orders.yaml", ring(3));
    }

    private void write(String author, String file, String text) {
        files.put(file, text);
        origin.commit(
                "refs/heads/main",
                origin.files(files),
                commit -> commit.setAuthor(
                        new PersonIdent(author, author + "@example.org", Instant.EPOCH, ZoneOffset.UTC)));
    }

    private static String ring(int size) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec:
              size: %d
              version: "3.5.16"
            """.formatted(size);
    }

    private void approve(String author, Operation operation, String expires) {
        write(author, "approvals/" + author + ".yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Approval
            metadata: {name: orders-1}
            spec:
              cluster: {namespace: demo, name: orders}
              operations: ["%s"]
              approvedBy: kim@example.org
              reason: fewer tenants
              expires: "%s"
            """.formatted(operation.id(), expires));
    }

    private DesiredState told(String environment) {
        try (var git = open("cache" + System.nanoTime())) {
            String commit = git.resolve("main");
            var desired = SpecLoader.load(git.read(commit));
            assertThat(desired.violations()).isEmpty();
            return new Attribution(git, commit).of(desired, environment, NOW);
        }
    }

    private Verdict verdict(Operation operation) {
        return PolicyEngine.of(told("prod")).gate(operation, NOW);
    }

    @Test
    void approvalIsByItsCommitter() {
        approve("mallory", SHRINK, "2026-11-26T00:00:00Z");
        assertThat(verdict(SHRINK))
                .isInstanceOfSatisfying(
                        Verdict.Hold.class,
                        hold -> assertThat(hold.reason()).contains("mallory@example.org wrote the change"));

        approve("kim", SHRINK, "2026-11-26T00:00:00Z");
        assertThat(verdict(SHRINK)).isEqualTo(new Verdict.Allow());
    }

    private Operation upgrade() {
        var spec = told("prod").rings().get(ORDERS);
        var former = new MemberSettings(
                new EtcdVersion(3, 5, 16),
                new TreeMap<>(),
                Optional.of("gcr.io/etcd-development/etcd:v3.5.16"),
                Transport.PLAIN,
                Authorities.FIRST,
                new TreeSet<>());
        var target = former.with(
                spec.server().version(), spec.server().imageOf(spec.server().version()));
        return new UpgradeVersion(ORDERS, new Roll(3, 3, former, Blueprint.of(spec, target), Duration.ZERO), 0);
    }

    /// One bumps the version, another one sends other code with it and approves both.
    @Test
    void authorOfImageCannotApproveUpgrade() {
        write("ann", "clusters/orders.yaml", ring(3).replace("3.5.16", "3.5.17"));
        var asked = upgrade();
        write(
                "mallory",
                "clusters/orders.yaml",
                ring(3).replace("3.5.16", "3.5.17") + "  image: {repository: evil.example/etcd}\n");
        write(
                "ann",
                "clusters/orders.yaml",
                ring(3).replace("3.5.16", "3.5.17") + "  image: {repository: evil.example/etcd, pullPolicy: Always}\n");
        approve("kim", asked, "2026-11-26T00:00:00Z");
        var other = upgrade();

        assertThat(other.id()).isNotEqualTo(asked.id());
        assertThat(verdict(other)).isInstanceOf(Verdict.Hold.class);

        approve("mallory", other, "2026-11-26T00:00:00Z");
        assertThat(verdict(other))
                .isInstanceOfSatisfying(
                        Verdict.Hold.class,
                        hold -> assertThat(hold.reason()).contains("mallory@example.org wrote the change"));

        approve("ann", other, "2026-11-26T00:00:00Z");
        assertThat(verdict(other)).isInstanceOf(Verdict.Hold.class);

        approve("lee", other, "2026-11-26T00:00:00Z");
        assertThat(verdict(other)).isEqualTo(new Verdict.Allow());
    }

    /// Whoever chooses where upgrades pause chooses what rings run.
    @Test
    void authorOfCatalogCannotApproveUpgrade() {
        String catalog = """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Catalog
            metadata: {name: etcd}
            spec:
              dated: "2099-01-01"
              lines: [{line: "3.5", newest: "%s"}]
            """;
        write("ann", "clusters/orders.yaml", ring(3).replace("3.5.16", "3.5.17"));
        write("ann", "catalog/etcd.yaml", catalog.formatted("3.5.33"));
        write("eve", "catalog/etcd.yaml", catalog.formatted("3.5.30"));
        var asked = upgrade();

        approve("eve", asked, "2026-11-26T00:00:00Z");
        assertThat(verdict(asked))
                .isInstanceOfSatisfying(
                        Verdict.Hold.class,
                        hold -> assertThat(hold.reason()).contains("eve@example.org wrote the change"));

        approve("lee", asked, "2026-11-26T00:00:00Z");
        assertThat(verdict(asked)).isEqualTo(new Verdict.Allow());
    }

    @Test
    void authorOfTombstoneCannotApproveDeletion() {
        var version = EtcdVersion.parse("3.5.16").orElseThrow();
        var deletion = new DeleteCluster(ORDERS, EtcdId.parse("beef"), 3, version, 0, "moved");
        files.remove("clusters/orders.yaml");
        write("eve", "tombstones/orders.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Tombstone
            metadata: {name: orders}
            spec: {cluster: {namespace: demo, name: orders}, clusterId: beef, data: retain, reason: moved}
            """);
        approve("eve", deletion, "2026-11-26T00:00:00Z");
        assertThat(verdict(deletion)).isInstanceOf(Verdict.Hold.class);

        approve("mallory", deletion, "2026-11-26T00:00:00Z");
        assertThat(verdict(deletion)).isEqualTo(new Verdict.Allow());
    }

    @Test
    void historyIsAskedOnlyWhereAnApprovalCouldCount() {
        assertThat(told("prod").decisions().authorship()).isEqualTo(Authorship.NONE);

        approve("kim", SHRINK, "2026-11-25T11:00:00Z");
        assertThat(told("prod").decisions().authorship()).isEqualTo(Authorship.NONE);

        approve("kim", SHRINK, "2026-11-26T00:00:00Z");
        assertThat(told("lab").decisions().authorship()).isEqualTo(Authorship.NONE);
        assertThat(told("prod").decisions().authorship()).isNotEqualTo(Authorship.NONE);
    }
}
