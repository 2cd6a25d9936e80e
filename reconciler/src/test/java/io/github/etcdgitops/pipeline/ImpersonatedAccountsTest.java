package io.github.etcdgitops.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.gateway.access.ActingAccount;
import io.github.etcdgitops.gateway.access.ServiceAccount;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Violation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ImpersonatedAccountsTest {
    private static final String FLEET = """
        apiVersion: etcdgitops.dev/v1alpha1
        kind: Fleet
        metadata: {name: fleet}
        spec:
          tenants:
            - {name: a, paths: [clusters/a/, tombstones/a/], namespaces: ["a-*"], serviceAccount: etcd-a}
            - {name: b, paths: [clusters/b/, tombstones/b/], namespaces: ["b-*"], serviceAccount: etcd-b}
            - {name: c, paths: [clusters/c/], namespaces: ["c-*"]}
        """;

    private final TreeMap<String, byte[]> files = new TreeMap<>();

    private ImpersonatedAccountsTest with(String file, String text) {
        files.put(file, text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    private ImpersonatedAccountsTest ring(String file, String namespace) {
        return with(file, """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: %s}
            spec: {size: 3, version: 3.5.16, storage: {size: 1Gi}}
            """.formatted(namespace));
    }

    private ImpersonatedAccountsTest tombstone(String file, String namespace) {
        return with(file, """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Tombstone
            metadata: {name: over}
            spec: {cluster: {namespace: %s, name: orders}, clusterId: beef, data: retain, reason: moved}
            """.formatted(namespace));
    }

    private DesiredState desired() {
        return SpecLoader.load(new SourceTree("0", files, List.of(), "digest"));
    }

    private ActingAccount of(String namespace, String... fallback) {
        return ImpersonatedAccounts.of(
                        desired(),
                        Optional.of(fallback).filter(f -> f.length > 0).map(f -> f[0]),
                        false)
                .of(new ClusterRef(namespace, "orders"));
    }

    private static ActingAccount as(String namespace, String name) {
        return new ActingAccount.As(new ServiceAccount(namespace, name));
    }

    @Test
    void actsWithTheAccountOfTheDocumentsTenant() {
        with("etcd-gitops.yaml", FLEET).ring("clusters/a/orders.yaml", "a-shop");

        assertThat(of("a-shop")).isEqualTo(as("a-shop", "etcd-a"));
    }

    @Test
    void lendsNoAccountToADocumentThatPointsToANamespaceOfAnotherTenant() {
        with("etcd-gitops.yaml", FLEET).ring("clusters/a/orders.yaml", "b-shop");

        assertThat(desired().rings()).isEmpty();
        assertThat(desired().violations()).extracting(Violation::code).containsExactly("outside-tenant");
    }

    @Test
    void actsForARingWithoutDocumentWithTheAccountOfItsNamespace() {
        with("etcd-gitops.yaml", FLEET);

        assertThat(of("b-shop")).isEqualTo(as("b-shop", "etcd-b"));
    }

    @Test
    void deletesWithAccountOfTombstonesTenant() {
        with("etcd-gitops.yaml", FLEET).tombstone("tombstones/b/over.yaml", "b-shop");

        assertThat(of("b-shop")).isEqualTo(as("b-shop", "etcd-b"));
    }

    @Test
    void lendsNoAccountToATombstoneForARingOfAnotherTenant() {
        with("etcd-gitops.yaml", FLEET).tombstone("tombstones/a/over.yaml", "b-shop");

        assertThat(desired().decisions().tombstones()).isEmpty();
        assertThat(desired().violations()).extracting(Violation::code).containsExactly("outside-tenant");
    }

    @Test
    void usesDefaultAccountForTenantWithoutAccount() {
        with("etcd-gitops.yaml", FLEET).ring("clusters/c/orders.yaml", "c-shop");

        assertThat(of("c-shop", "rings")).isEqualTo(as("c-shop", "rings"));
        assertThat(of("c-shop")).isInstanceOf(ActingAccount.Nobody.class);
    }

    @Test
    void actsWithItsOwnRightsOnlyWhereNoAccountIsNamedAnywhere() {
        ring("clusters/a/orders.yaml", "a-shop");

        assertThat(of("a-shop")).isEqualTo(new ActingAccount.Itself());
        assertThat(of("a-shop", "rings")).isEqualTo(as("a-shop", "rings"));
    }

    @Test
    void onlyReadsWithoutImpersonation() {
        with("etcd-gitops.yaml", FLEET).ring("clusters/a/orders.yaml", "a-shop");

        assertThat(ImpersonatedAccounts.of(desired(), Optional.empty(), true).of(new ClusterRef("a-shop", "orders")))
                .isEqualTo(new ActingAccount.Reader());
    }

    /// Whether it writes must not hang on what Git says.
    @Test
    void onlyReadsAlsoWhereNoAccountIsNamedAnywhere() {
        ring("clusters/a/orders.yaml", "a-shop");
        var orders = new ClusterRef("a-shop", "orders");

        assertThat(ImpersonatedAccounts.of(desired(), Optional.empty(), true).of(orders))
                .isEqualTo(new ActingAccount.Reader());
        assertThat(ImpersonatedAccounts.ofDefault(Optional.empty(), true).of(orders))
                .isEqualTo(new ActingAccount.Reader());
    }
}
