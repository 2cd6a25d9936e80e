package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.Grant.Access;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Glob;
import io.github.etcdgitops.validation.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tenants whose users and roles are in a ring of somebody else. Whatever one of them writes, the ring's own users
/// and those of the other tenants go on.
class SharedRingsTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    private static final String FLEET = """
          tenants:
            - {name: demo, paths: [clusters/demo/], namespaces: [demo]}
            - name: b
              paths: [clusters/b/]
              namespaces: [b]
              sharedRings:
                - {namespace: demo, name: orders, prefixes: [ab/, b], names: ["b-*", bee], roles: [reader]}
            - name: c
              paths: [clusters/c/]
              namespaces: [c]
              sharedRings:
                - {namespace: demo, name: orders, prefixes: [ab/c/], names: ["c-*"]}
        """;

    private final Map<String, String> files = new TreeMap<>();

    SharedRingsTest() {
        files.put("etcd-gitops.yaml", Trees.fleet(FLEET));
        files.put("clusters/demo/orders.yaml", Trees.ring("orders", """
              tls: {client: mutual}
              auth:
                exclusive: true
                users: [{name: own, roles: [writer], certificate: true}]
                roles:
                  - {name: reader, grants: [{access: read, prefix: all/}]}
                  - {name: writer, grants: [{access: readwrite, prefix: ""}]}
            """));
        files.put("clusters/c/app.yaml", document("EtcdUser", "c-app", "  certificate: true\n"));
    }

    private static String document(String kind, String name, String spec) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: %s
            metadata: {name: %s}
            spec:
              cluster: {namespace: demo, name: orders}
            %s\
            """.formatted(kind, name, spec);
    }

    private void user(String name, String spec) {
        files.put("clusters/b/user-" + name + ".yaml", document("EtcdUser", name, spec));
    }

    private void role(String name, String grants) {
        files.put("clusters/b/role-" + name + ".yaml", document("EtcdRole", name, "  grants: [" + grants + "]\n"));
    }

    private DesiredState load() {
        return SpecLoader.load(Trees.of(files));
    }

    private Auth auth() {
        return load().rings().get(ORDERS).auth().orElseThrow();
    }

    /// The only violation is one of the tenant b. Its users and roles stay, and everybody else's go on.
    private Violation held() {
        var state = load();
        assertThat(state.violations()).hasSize(1);
        var auth = state.rings().get(ORDERS).auth().orElseThrow();
        assertThat(auth.held()).containsExactly(new Glob("b-*"), new Glob("bee"));
        assertThat(auth.users()).containsOnlyKeys("own", "c-app");
        assertThat(auth.roles()).containsOnlyKeys("reader", "writer");
        return state.violations().getFirst();
    }

    @Test
    void tenantAddsUsersAndRolesToRingOfAnother() {
        user("b-app", "  roles: [b-writer, reader]\n  password: {generate: true}\n");
        role("b-writer", "{access: readwrite, prefix: ab/}, {access: read, key: bcd}");

        var auth = auth();

        assertThat(load().violations()).isEmpty();
        assertThat(auth.held()).isEmpty();
        assertThat(auth.users()).containsOnlyKeys("own", "b-app", "c-app");
        assertThat(auth.users().get("b-app").roles()).containsExactly("b-writer", "reader");
        assertThat(auth.roles().get("b-writer")).contains(new Grant(Access.READWRITE, KeyRange.prefix("ab/")));
        assertThat(auth.documents()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{access: read, prefix: ''}",
                "{access: read, prefix: a}",
                "{access: read, prefix: ab}",
                "{access: read, prefix: /}",
                "{access: read, prefix: a/../ab/}",
                "{access: read, prefix: Ab/}",
                "{access: read, key: ab}",
                "{access: read, from: ab/}",
                "{access: read, from: b}",
                "{access: read, from: ab/, to: ab0a}",
                "{access: read, from: ab/, to: b}",
                "{access: read, from: ab, to: ab/}",
                "{access: read, from: ab/, to: c}",
                "{access: read, from: b, to: c0}",
                "{access: read, prefix: ä}",
                "{access: read, prefix: 'ａｂ/'}",
                "{access: read, prefix: \"ab\\u2215\"}",
                "{access: read, prefix: ab/ok/}, {access: write, prefix: other/}",
            })
    void refusesKeysBeyondThePrefixes(String grants) {
        role("b-writer", grants);

        var violation = held();

        assertThat(violation.code()).isEqualTo("outside-tenant");
        assertThat(violation.at().file()).isEqualTo("clusters/b/role-b-writer.yaml");
        assertThat(violation.at().line()).isPositive();
        assertThat(violation.at().pointer()).startsWith("/spec/grants/");
        assertThat(violation.message()).contains("sharedRings.prefixes").contains("ab/, b");
        assertThat(violation.hint().orElseThrow()).contains("etcd-gitops.yaml");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{access: read, from: ab/, to: ab0}",
                "{access: read, from: ab/, to: 'ab/é'}",
                "{access: read, from: ab/, to: \"ab/\\U0010FFFF\"}",
                "{access: read, key: b}",
                "{access: read, prefix: 'b☃'}",
                "{access: read, prefix: b}",
            })
    void letsKeysBelowOneOfThePrefixesPass(String grants) {
        role("b-writer", grants);

        assertThat(load().violations()).isEmpty();
        assertThat(auth().roles()).containsKey("b-writer");
    }

    /// These are no ranges of etcd for anybody.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{access: read, key: ''}",
                "{access: read, from: ''}",
                "{access: read, from: b, to: \"\\0\"}",
                "{access: read, from: b, to: ''}",
                "{access: read, key: b, prefix: b}",
            })
    void refusesWhatIsNoRange(String grants) {
        role("b-writer", grants);

        assertThat(load().violations()).isNotEmpty();
        assertThat(auth().held()).isNotEmpty();
        assertThat(auth().users()).containsOnlyKeys("own", "c-app");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "app       | password: {generate: true}                                | sharedRings.names",
                "own       | certificate: true                                         | sharedRings.names",
                "c-app     | certificate: true                                         | sharedRings.names",
                "bee2      | certificate: true                                         | sharedRings.names",
                "b-app     | {certificate: true, roles: [root]}                        | sharedRings.roles",
                "b-app     | {certificate: true, roles: [writer]}                      | sharedRings.roles",
                "b-app     | {certificate: true, roles: [b-gone]}                      | sharedRings.roles",
                "b-app     | {certificate: true, roles: [c-writer]}                    | sharedRings.roles",
                "b-app     | password: {secretKeyRef: {name: orders-ca, key: tls.key}} | Secret in the namespace demo",
            })
    void refusesUsersOfOthersAndTheirRoles(String name, String signIn, String why) {
        String spec = signIn.startsWith("{")
                ? signIn.substring(1, signIn.length() - 1).replace(", roles", "\n  roles")
                : signIn;
        user(name, "  " + spec + "\n");

        assertThat(load().violations())
                .filteredOn(v -> v.code().equals("outside-tenant"))
                .singleElement()
                .extracting(Violation::message)
                .asString()
                .contains(why);
        assertThat(auth().users()).containsOnlyKeys("own", "c-app");
        assertThat(auth().held()).isNotEmpty();
    }

    /// A role that the ring's own people have given one of these names may have any keys.
    @Test
    void nameAloneMakesNoRoleTheTenants() {
        files.computeIfPresent(
                "clusters/demo/orders.yaml",
                (_, text) -> text.replace("{name: writer, grants", "{name: b-all, grants")
                        .replace("[writer]", "[b-all]"));
        user("b-app", "  roles: [b-all]\n  certificate: true\n");

        assertThat(load().violations()).singleElement().satisfies(v -> {
            assertThat(v.code()).isEqualTo("outside-tenant");
            assertThat(v.at().pointer()).isEqualTo("/spec/roles/0");
        });
        assertThat(auth().users()).containsOnlyKeys("own", "c-app");
    }

    /// Its documents may say anything, and what it has in the ring stays.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind: EtcdUser\nspec: {\"\n",
                "kind: EtcdUsr\nmetadata: {name: b-app}\nspec: {cluster: {namespace: demo, name: orders}}\n",
                "kind: EtcdUser\nmetadata: {name: b-app}\nspec: {cluster: {namespace: demo, name: orders}}\n",
                "kind: EtcdUser\nmetadata: {name: b-app}\nspec: {cluster: {namespace: demo}, certificate: true}\n",
                "kind: EtcdRole\nmetadata: {name: b-app}\nspec: {cluster: {namespace: demo, name: orders}, x: 1}\n",
            })
    void brokenDocumentHoldsTheTenantAlone(String text) {
        files.put("clusters/b/broken.yaml", "apiVersion: etcdgitops.dev/v1alpha1\n" + text);

        var state = load();

        assertThat(state.violations()).isNotEmpty();
        var auth = state.rings().get(ORDERS).auth().orElseThrow();
        assertThat(auth.held()).containsExactly(new Glob("b-*"), new Glob("bee"));
        assertThat(auth.users()).containsOnlyKeys("own", "c-app");
    }

    @Test
    void sameUserTwiceHoldsTheTenantAlone() {
        user("bee", "  certificate: true\n");
        files.put("clusters/b/again.yaml", document("EtcdUser", "other", "  name: bee\n  certificate: true\n"));

        assertThat(held().code()).isEqualTo("duplicate-user");
    }

    @Test
    void ownUserOfTheRingCountsBeforeThatOfATenant() {
        files.computeIfPresent(
                "clusters/demo/orders.yaml", (_, text) -> text.replace("{name: own, roles", "{name: bee, roles"));
        user("bee", "  certificate: true\n");

        var state = load();

        assertThat(state.violations()).singleElement().satisfies(v -> {
            assertThat(v.code()).isEqualTo("duplicate-user");
            assertThat(v.at().file()).startsWith("clusters/b/");
        });
        assertThat(state.rings()
                        .get(ORDERS)
                        .auth()
                        .orElseThrow()
                        .users()
                        .get("bee")
                        .roles())
                .containsExactly("writer");
    }

    @Test
    void tooManyUsersHoldTheTenantAlone() {
        for (int i = 0; i < 500; i++) {
            user("b-" + i, "  certificate: true\n");
        }

        assertThat(auth().users()).containsOnlyKeys("own", "c-app");
        assertThat(load().violations()).extracting(Violation::code).containsOnly("too-many-users");
    }

    @Test
    void secretOfAnotherRingHoldsTheTenantAlone() {
        files.put("clusters/demo/other.yaml", Trees.ring("orders-user-bee", ""));
        user("b-ca", "  password: {generate: true}\n");
        files.put("clusters/b/bee.yaml", document("EtcdUser", "two", "  name: bee-ca\n  password: {generate: true}\n"));
        files.computeIfPresent("etcd-gitops.yaml", (_, text) -> text.replace(", bee]", ", \"bee*\"]"));

        assertThat(load().violations()).extracting(Violation::code).containsExactly("reserved-secret");
        assertThat(auth().users()).containsOnlyKeys("own", "c-app");
        assertThat(auth().held()).isNotEmpty();
    }

    /// Without the entry in the Fleet nothing has changed: the document is not read.
    @Test
    void ringThatIsNotSharedStaysClosed() {
        files.put(
                "etcd-gitops.yaml",
                Trees.fleet(FLEET.replace("name: orders, prefixes: [ab/, b]", "name: other, prefixes: [ab/, b]")));
        user("b-app", "  certificate: true\n");

        var state = load();

        assertThat(state.violations()).singleElement().satisfies(v -> {
            assertThat(v.code()).isEqualTo("outside-tenant");
            assertThat(v.hint().orElseThrow()).contains("sharedRings");
        });
        assertThat(auth().users()).containsOnlyKeys("own", "c-app");
        assertThat(auth().held()).isEmpty();
    }

    /// Other documents about the ring are not meant by it.
    @Test
    void onlyUsersAndRolesAreLetIn() {
        files.put("clusters/b/backup.yaml", document("EtcdBackup", "now", "  policy: nightly\n"));
        files.put("clusters/b/orders.yaml", Trees.ring("orders", ""));

        assertThat(load().violations()).extracting(Violation::code).contains("outside-tenant");
        assertThat(auth().users()).containsOnlyKeys("own", "c-app");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "names: [\"c-*\"]      | names: [\"*-app\"]       | shared-names",
                "names: [\"c-*\"]      | names: [be*]             | shared-names",
                "roles: [reader]       | roles: [reader, root]    | reserved-name",
                "prefixes: [ab/c/]     | prefixes: [\"\"]         | ",
                "prefixes: [ab/c/]     | prefixes: [\"a\\0\"]     | ",
                "names: [\"c-*\"]      | names: []                | ",
                "names: [\"c-*\"]      | names: [\"c \"]          | ",
                "names: [\"c-*\"]      | names: [c], other: 1     | ",
            })
    void checksTheFleet(String former, String next, String code) {
        files.put("etcd-gitops.yaml", Trees.fleet(FLEET.replace(former, next)));

        assertThat(load().violations()).isNotEmpty();
        if (code != null) {
            assertThat(load().violations()).extracting(Violation::code).containsOnly(code);
        }
        assertThat(load().rings()).isEmpty();
    }

    /// That is what a ring is shared for: one writes what the other reads.
    @Test
    void prefixesOfTwoTenantsMayOverlap() {
        assertThat(load().violations()).isEmpty();
    }

    @Test
    void exampleOfPageIsValid() throws IOException {
        String page = Files.readString(Path.of("../docs/tenants.md")).split("## Shared rings")[1];
        var blocks = page.split("```yaml\n");
        files.clear();
        files.put("etcd-gitops.yaml", blocks[1].split("```")[0]);
        files.put(
                "clusters/team-a/orders.yaml",
                Trees.ring("orders", "  auth: {}\n").replace("demo", "team-a"));
        files.put("clusters/team-b/orders.yaml", blocks[2].split("```")[0]);

        assertThat(load().violations()).isEmpty();
        assertThat(load().rings().values())
                .singleElement()
                .satisfies(ring -> assertThat(ring.auth().orElseThrow().users()).containsOnlyKeys("team-b-app"));
    }

    @Test
    void sharedRingTwiceIsRefused() {
        files.put("etcd-gitops.yaml", Trees.fleet(FLEET + """
                - {namespace: demo, name: orders, prefixes: [d], names: ["d-*"]}
            """.indent(4)));

        assertThat(load().violations()).extracting(Violation::code).containsExactly("duplicate-shared-ring");
        assertThat(List.copyOf(load().rings().keySet())).isEmpty();
    }
}
