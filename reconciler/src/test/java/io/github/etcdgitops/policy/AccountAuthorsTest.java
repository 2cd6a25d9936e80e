package io.github.etcdgitops.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Passage;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Which passages ask for a change of users and roles.
class AccountAuthorsTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");

    private static DesiredState desired(String users) {
        var files = Map.of("clusters/orders.yaml", """
                apiVersion: etcdgitops.dev/v1alpha1
                kind: EtcdCluster
                metadata: {name: orders, namespace: demo}
                spec:
                  size: 3
                  version: "3.5.33"
                  auth: {users: [%s], roles: [{name: reader}]}
                """.formatted(users), "clusters/app.yaml", """
                apiVersion: etcdgitops.dev/v1alpha1
                kind: EtcdUser
                metadata: {name: the-app}
                spec: {cluster: {namespace: demo, name: orders}, name: app, password: {generate: true}}
                """);
        var documents = new TreeMap<String, byte[]>();
        files.forEach((name, text) -> documents.put(name, text.getBytes(StandardCharsets.UTF_8)));
        var desired = SpecLoader.load(new SourceTree("0000", documents, List.of(), "digest"));
        assertThat(desired.violations()).isEmpty();
        return desired;
    }

    private static DesiredState desired() {
        return desired("{name: billing, password: {generate: true}}");
    }

    private static List<String> shown(List<Passage> passages) {
        return passages.stream()
                .map(p -> p.kind() + " " + p.name() + " " + p.pointer())
                .sorted()
                .toList();
    }

    private static List<String> asking(Set<String> users, Set<String> roles) {
        return shown(new RingFields(desired().rings().get(ORDERS)).accounts(new RequestedBy.Accounts(users, roles)));
    }

    @Test
    void itemOfRingsDocumentAsksForItsUser() {
        assertThat(asking(Set.of("billing"), Set.of("reader")))
                .containsExactly(
                        "EtcdCluster orders /spec/auth/roles/reader", "EtcdCluster orders /spec/auth/users/billing");
    }

    /// The item of the ring's document counts as well: it may have moved from there.
    @Test
    void documentOfUserAsksForItsUser() {
        assertThat(asking(Set.of("app"), Set.of()))
                .containsExactly("EtcdCluster orders /spec/auth/users/app", "EtcdUser the-app ");
    }

    @Test
    void removedUserMayHaveBeenRemovedFromList() {
        assertThat(asking(Set.of("gone"), Set.of()))
                .containsExactly("EtcdCluster orders /spec/auth/users", "EtcdCluster orders /spec/auth/users/gone");
        assertThat(asking(Set.of(), Set.of("gone")))
                .containsExactly("EtcdCluster orders /spec/auth/roles", "EtcdCluster orders /spec/auth/roles/gone");
    }

    @Test
    void partIsFieldOfRingsDocument() {
        assertThat(shown(new RingFields(desired().rings().get(ORDERS)).of(RequestedBy.Part.AUTH)))
                .containsExactly(
                        "EtcdCluster orders /spec/auth",
                        "EtcdCluster orders /spec/auth/enabled",
                        "EtcdCluster orders /spec/auth/exclusive",
                        "EtcdCluster orders /spec/auth/root");
    }

    @Test
    void historyIsReadForEveryUserAndRole() {
        assertThat(shown(ChangeAuthors.passages(desired(), ORDERS)))
                .contains(
                        "EtcdCluster orders /spec/auth",
                        "EtcdCluster orders /spec/auth/roles",
                        "EtcdCluster orders /spec/auth/roles/reader",
                        "EtcdCluster orders /spec/auth/users",
                        "EtcdCluster orders /spec/auth/users/app",
                        "EtcdCluster orders /spec/auth/users/billing",
                        "EtcdUser the-app ");
    }

    @Test
    void historyOfLongListIsReadAsWhole() {
        String many = IntStream.range(0, 51)
                .mapToObj(i -> "{name: u%d, password: {generate: true}}".formatted(i))
                .collect(Collectors.joining(", "));

        assertThat(shown(ChangeAuthors.passages(desired(many), ORDERS)))
                .contains("EtcdCluster orders /spec/auth/users", "EtcdUser the-app ")
                .doesNotContain("EtcdCluster orders /spec/auth/users/u1");
    }
}
