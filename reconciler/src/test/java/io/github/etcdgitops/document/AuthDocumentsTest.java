package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Schemas;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.AuthDocument;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.Grant.Access;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.auth.OwnSecrets;
import io.github.etcdgitops.spec.auth.TokenKey;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.auth.User.SecretRef;
import io.github.etcdgitops.spec.auth.User.SignIn;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Users and roles that are defined in a ring's document and beside it.
class AuthDocumentsTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    private static final String READER = "  auth: {roles: [{name: reader, grants: [{access: read, prefix: /}]}]}\n";
    private static final String TLS = "  tls: {client: mutual}\n";

    private final Map<String, String> files = new TreeMap<>();

    private void ring(String name, String spec) {
        files.put("clusters/" + name + ".yaml", Trees.ring(name, spec));
    }

    private void document(String file, String kind, String name, String spec) {
        files.put("clusters/" + file + ".yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: %s
            metadata: {name: %s}
            spec:
              cluster: {namespace: demo, name: orders}
            %s\
            """.formatted(kind, name, spec));
    }

    private void user(String name, String spec) {
        document("users-" + name, "EtcdUser", name, spec);
    }

    private DesiredState load() {
        return SpecLoader.load(Trees.of(files));
    }

    private Auth auth() {
        var state = load();
        assertThat(state.violations()).isEmpty();
        return state.rings().get(ORDERS).auth().orElseThrow();
    }

    /// Of users and roles alone: the ring goes on, and nobody asks for users and roles of it.
    private Violation onlyViolation() {
        var state = load();
        assertThat(state.violations()).hasSize(1);
        assertThat(state.rings()).containsKey(ORDERS);
        assertThat(state.rings().get(ORDERS).auth()).isEmpty();
        return state.violations().getFirst();
    }

    private static String shown(Violation v) {
        return v.code() + " " + v.at() + " " + v.at().pointer() + ": " + v.message();
    }

    private static TreeSet<Grant> grants(Grant... grants) {
        return new TreeSet<>(List.of(grants));
    }

    private static TreeSet<String> roles(String... roles) {
        return new TreeSet<>(List.of(roles));
    }

    @Test
    void readsTheKeyOfTokens() {
        ring("orders", """
              auth:
                token: {jwt: {secretKeyRef: {name: orders-token, key: tls.key}}}
            """);
        ring("bills", """
              auth:
                token: {jwt: {secretKeyRef: {name: keys, key: second}, signMethod: ES384, ttlSeconds: 60}}
            """);

        var state = load();

        assertThat(state.violations()).isEmpty();
        assertThat(TokenKey.of(state.rings().get(ORDERS).server().options()))
                .contains(new TokenKey(new SecretRef("orders-token", "tls.key"), TokenKey.Method.RS256, 300));
        assertThat(TokenKey.of(state.rings()
                        .get(new ClusterRef("demo", "bills"))
                        .server()
                        .options()))
                .contains(new TokenKey(new SecretRef("keys", "second"), TokenKey.Method.ES384, 60));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token: {}",
                "token: {jwt: {}}",
                "token: {simple: {}}",
                "token: {jwt: {secretKeyRef: {name: a}}}",
                "token: {jwt: {secretKeyRef: {name: a, key: 'b,sign-method=HS256'}}}",
                "token: {jwt: {secretKeyRef: {name: a, key: b}, signMethod: HS256}}",
                "token: {jwt: {secretKeyRef: {name: a, key: b}, ttlSeconds: 5}}"
            })
    void refusesAKeyThatEtcdWouldNotTake(String token) {
        ring("orders", "  auth: {" + token + "}\n");

        assertThat(load().violations()).isNotEmpty();
    }

    @Test
    void readsUsersAndRolesOfRingsDocument() {
        ring("orders", TLS + """
              auth:
                enabled: false
                exclusive: true
                roles:
                  - name: writer
                    grants:
                      - {access: readwrite, prefix: /orders/}
                      - {access: read, key: /config}
                      - {access: write, from: /a, to: /b}
                      - {access: read, from: /y}
                  - name: everything
                    grants: [{access: read, prefix: ""}]
                  - name: nothing
                users:
                  - {name: app, roles: [writer, root], password: {generate: true}}
                  - {name: Billing_App, password: {secretKeyRef: {name: billing, key: pw}, number: 7}}
                  - {name: metrics@shop, roles: [everything], certificate: true}
            """);

        var auth = auth();

        assertThat(auth.enabled()).isFalse();
        assertThat(auth.exclusive()).isTrue();
        assertThat(auth.documents()).isEmpty();
        assertThat(auth.roles())
                .isEqualTo(Map.of(
                        "writer",
                        grants(
                                new Grant(Access.READWRITE, KeyRange.prefix("/orders/")),
                                new Grant(Access.READ, KeyRange.key("/config")),
                                new Grant(Access.WRITE, KeyRange.range("/a", "/b")),
                                new Grant(Access.READ, KeyRange.onwards("/y"))),
                        "everything",
                        grants(new Grant(Access.READ, KeyRange.ALL)),
                        "nothing",
                        grants()));
        assertThat(auth.users())
                .isEqualTo(Map.of(
                        "app",
                        new User("app", roles("root", "writer"), new SignIn.Password(Optional.empty(), 1)),
                        "Billing_App",
                        new User(
                                "Billing_App",
                                roles(),
                                new SignIn.Password(Optional.of(new User.SecretRef("billing", "pw")), 7)),
                        "metrics@shop",
                        new User("metrics@shop", roles("everything"), new SignIn.Certificate())));
    }

    @Test
    void asksForAuthenticationWhereNothingElseIsSaid() {
        ring("orders", "  auth: {}\n");

        assertThat(auth()).isEqualTo(new Auth(true, false, new TreeMap<>(), new TreeMap<>()));
    }

    @Test
    void leavesUsersAloneWithoutAuth() {
        ring("orders", "");

        assertThat(load().rings().get(ORDERS).auth()).isEmpty();
    }

    @Test
    void addsDocumentsOfUsersAndRoles() {
        ring("orders", READER);
        user("app", "  name: Orders_App\n  roles: [reader, writer]\n  password: {secretKeyRef: {name: a, key: b}}\n");
        document("role", "EtcdRole", "writer", "  grants: [{access: write, key: /a}]\n");

        var auth = auth();

        assertThat(auth.users().keySet()).containsExactly("Orders_App");
        assertThat(Objects.requireNonNull(auth.users().get("Orders_App")).roles())
                .containsExactly("reader", "writer");
        assertThat(auth.roles().keySet()).containsExactly("reader", "writer");
        assertThat(auth.documents())
                .extracting(
                        AuthDocument::kind,
                        AuthDocument::name,
                        AuthDocument::document,
                        d -> d.source().toString())
                .containsExactly(
                        tuple(AuthDocument.Kind.ROLE, "writer", "writer", "clusters/role.yaml:1:1"),
                        tuple(AuthDocument.Kind.USER, "Orders_App", "app", "clusters/users-app.yaml:1:1"));
    }

    @Test
    void nobodySwitchesAuthenticationOnByAddingUser() {
        ring("orders", "");
        user("app", "  password: {generate: true}\n");

        assertThat(shown(onlyViolation()))
                .isEqualTo("auth-not-asked clusters/users-app.yaml:5:36 /spec/cluster/name: The document of the ring"
                        + " demo/orders has no `spec.auth`; a user or a role alone does not switch authentication"
                        + " on.");
    }

    @Test
    void namesBothPlacesOfUserThatIsDefinedTwice() {
        ring("orders", "  auth: {users: [{name: app, password: {generate: true}}]}\n");
        user("app", "  password: {generate: true}\n");

        assertThat(shown(onlyViolation()))
                .isEqualTo("duplicate-user clusters/users-app.yaml:3:18 /metadata/name: The user \"app\" of the ring"
                        + " demo/orders is already defined at clusters/orders.yaml:9:25.");
    }

    @Test
    void namesBothPlacesOfRoleThatIsDefinedTwice() {
        ring("orders", READER);
        document("role", "EtcdRole", "any", "  name: reader\n");

        assertThat(shown(onlyViolation()))
                .isEqualTo("duplicate-role clusters/role.yaml:6:9 /spec/name: The role \"reader\" of the ring"
                        + " demo/orders is already defined at clusters/orders.yaml:9:25.");
    }

    @Test
    void findsNameThatTwoUsersOfOneListHave() {
        ring(
                "orders",
                "  auth: {users: [{name: a, password: {generate: true}}, {name: a, password: {generate: true}}]}\n");

        assertThat(onlyViolation().code()).isEqualTo("duplicate-user");
    }

    @Test
    void userMayHaveNameOfRole() {
        ring("orders", READER);
        user("reader", "  roles: [reader]\n  password: {generate: true}\n");

        assertThat(auth().users().keySet()).isEqualTo(auth().roles().keySet());
    }

    @Test
    void findsRoleThatNoDocumentDefines() {
        ring("orders", READER);
        user("app", "  roles: [root, readr]\n  password: {generate: true}\n");

        var violation = onlyViolation();

        assertThat(shown(violation))
                .isEqualTo("unknown-role clusters/users-app.yaml:6:17 /spec/roles/1: `spec.roles[1]` is \"readr\"; the"
                        + " ring demo/orders has no role of this name.");
        assertThat(violation.hint()).contains("Did you mean `reader`?");
    }

    @Test
    void acceptsLooseFilesWithoutTheirRolesAndRing() {
        user("app", "  roles: [writer]\n  password: {generate: true}\n");
        assertThat(SpecLoader.loadLoose(Trees.of(files)).violations()).isEmpty();

        ring("orders", READER);
        assertThat(SpecLoader.loadLoose(Trees.of(files)).violations()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  tls: {peer: mutual}\n", "  tls: {client: plain}\n"})
    void findsCertificateInRingWhoseClientsUseNoTls(String tls) {
        ring("orders", tls + "  auth: {users: [{name: app, certificate: true}]}\n");

        var violation = onlyViolation();

        assertThat(violation.code()).isEqualTo("certificate-without-tls");
        assertThat(violation.at().pointer()).isEqualTo("/spec/auth/users/0/certificate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mutual", "mixed"})
    void acceptsCertificateWhereClientsUseTls(String client) {
        ring("orders", "  tls: {client: " + client + "}\n" + READER);
        user("app", "  certificate: true\n");

        assertThat(auth().users()).containsKey("app");
    }

    /// A user that could not be read is not absent: it would be deleted, and its client cut off.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "  roles: reader\n  password: {generate: true}\n",
                "  password: {generate: true, number: 0}\n",
                "  password: {generate: true}\n  unknown: 1\n",
                "  roles: []\n"
            })
    void leavesUsersAloneWhileOneIsInvalid(String spec) {
        ring("orders", READER);
        user("app", spec);
        user("billing", "  roles: [of-the-broken-document]\n  password: {generate: true}\n");

        var violation = onlyViolation();

        assertThat(violation.at().file()).isEqualTo("clusters/users-app.yaml");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // A kind that may mean a user.
                "kind: EtcdUsers\nmetadata: {name: app}\nspec: {cluster: {namespace: demo}}",
                // It is unknown of which ring.
                "kind: EtcdUser\nmetadata: {name: app}\nspec: {cluster: {namespace: demo}, password: {generate: true}}",
                "kind: EtcdRole\nmetadata: {name: app}\nspec: {}",
                // Half a file.
                "kind: EtcdUser\nmetadata: {name: app}\nspec: {cluster: {namespace: demo, name: \"orders"
            })
    void leavesUsersAloneWhileDocumentMayBeAboutThem(String text) {
        ring("orders", READER);
        ring("plain", "");
        files.put("clusters/broken.yaml", "apiVersion: etcdgitops.dev/v1alpha1\n" + text + "\n");

        var state = load();

        assertThat(state.violations()).isNotEmpty();
        assertThat(state.rings()).containsKeys(ORDERS, new ClusterRef("demo", "plain"));
        assertThat(state.rings().get(ORDERS).auth()).isEmpty();
    }

    @Test
    void invalidUserOfAnotherRingChangesNothing() {
        ring("orders", READER);
        ring("other", READER);
        files.put("clusters/other-user.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdUser
            metadata: {name: app}
            spec: {cluster: {namespace: demo, name: other}}
            """);

        var rings = load().rings();

        assertThat(rings.get(ORDERS).auth()).isPresent();
        assertThat(rings.get(new ClusterRef("demo", "other")).auth()).isEmpty();
    }

    @Test
    void documentInWrongFolderLeavesUsersAlone() {
        ring("orders", READER);
        user("app", "  password: {generate: true}\n");
        files.put("policies/app.yaml", Objects.requireNonNull(files.remove("clusters/users-app.yaml")));

        assertThat(onlyViolation().code()).isEqualTo("wrong-folder");
    }

    @Test
    void invalidRingTakesItsUsersOutWithoutMoreViolations() {
        ring("orders", READER + "  unknown: 1\n");
        user("app", "  password: {generate: true}\n");

        var state = load();

        assertThat(state.violations()).extracting(Violation::code).containsExactly("unknown-field");
        assertThat(state.rejected()).containsExactly(ORDERS);
    }

    @Test
    void findsSecretThatUsersOfTwoRingsShare() {
        ring("orders", "  auth: {users: [{name: b-user-c, password: {generate: true}}]}\n");
        ring("orders-user-b", "  auth: {users: [{name: c, password: {generate: true}}]}\n");

        var state = load();

        assertThat(state.violations())
                .extracting(AuthDocumentsTest::shown)
                .containsExactly(
                        "duplicate-secret clusters/orders-user-b.yaml:9:25 /spec/auth/users/0/name: The password of this user"
                                + " of the ring demo/orders-user-b is generated into the Secret orders-user-b-user-c, as is"
                                + " that of a user of another ring, at clusters/orders.yaml:9:25.",
                        "duplicate-secret clusters/orders.yaml:9:25 /spec/auth/users/0/name: The password of this user of the"
                                + " ring demo/orders is generated into the Secret orders-user-b-user-c, as is that of a user"
                                + " of another ring, at clusters/orders-user-b.yaml:9:25.");
        assertThat(state.rings().values()).allMatch(ring -> ring.auth().isEmpty());
    }

    @Test
    void findsGeneratedSecretThatAnotherRingOwns() {
        ring("orders", "  auth: {users: [{name: b-root-auth, password: {generate: true}}]}\n");
        ring("orders-user-b", "");

        assertThat(shown(onlyViolation()))
                .isEqualTo("reserved-secret clusters/orders.yaml:9:25 /spec/auth/users/0/name: The password of the"
                        + " user \"b-root-auth\" is in the Secret orders-user-b-root-auth, which is one of the ring"
                        + " demo/orders-user-b itself.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders-root-auth", "orders-ca", "orders-client-tls", "other-peer-tls"})
    void findsPasswordInSecretOfRing(String secret) {
        ring("orders", "  auth: {}\n");
        ring("other", "");
        user("app", "  password: {secretKeyRef: {name: " + secret + ", key: tls.key}}\n");

        assertThat(onlyViolation().code()).isEqualTo("reserved-secret");
    }

    @Test
    void countsUsersOfAllDocuments() {
        String users = IntStream.range(0, 500)
                .mapToObj(i -> "{name: u" + i + ", password: {generate: true}}")
                .collect(Collectors.joining(", ", "  auth: {users: [", "]}\n"));
        ring("orders", users);
        assertThat(auth().users()).hasSize(500);

        user("one-more", "  password: {generate: true}\n");
        user("two-more", "  password: {generate: true}\n");

        assertThat(shown(onlyViolation()))
                .isEqualTo("too-many-users clusters/users-one-more.yaml:3:18 /metadata/name: The ring demo/orders has"
                        + " more than 500 users in all its documents.");
    }

    /// A journal that is too large would not be read any more.
    @Test
    void usersAndRolesThatDoNotFitIntoTheJournalAreRefused() {
        var grants = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            grants.append("{access: read, prefix: \"%04d%s\"}, ".formatted(i, "k".repeat(1_000)));
        }
        ring("orders", "  auth: {roles: [{name: reader, grants: [" + grants + "]}]}\n");

        var state = load();

        assertThat(state.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.code()).isEqualTo("too-large-auth");
            assertThat(violation.message()).contains("KiB in its journal, and at most 256 KiB fit there");
        });
        assertThat(state.rings().get(ORDERS).auth()).isEmpty();
    }

    /// Names of Secrets that users must not take.
    @Test
    void everySecretOfARingIsReserved() {
        var own = new ArrayList<String>(List.of(RingPasswords.rootSecret(ORDERS)));
        for (var kind : RingSecrets.Kind.values()) {
            own.add(kind.secretName(ORDERS));
        }

        assertThat(OwnSecrets.ENDS.stream().map(end -> ORDERS.name() + end)).containsExactlyInAnyOrderElementsOf(own);
    }

    @Test
    void tenantAddsNoUserToRingOfAnother() {
        files.put("etcd-gitops.yaml", Trees.fleet("""
              tenants:
                - {name: a, paths: [clusters/a/], namespaces: [demo]}
                - {name: b, paths: [clusters/b/], namespaces: [b]}
            """));
        files.put("clusters/a/orders.yaml", Trees.ring("orders", READER));
        user("app", "  password: {generate: true}\n");
        String good = Objects.requireNonNull(files.remove("clusters/users-app.yaml"));
        for (String text : List.of(good, good + "  unknown: 1\n")) {
            files.put("clusters/b/app.yaml", text);

            var state = load();

            assertThat(state.violations()).extracting(Violation::code).contains("outside-tenant");
            assertThat(state.rings().get(ORDERS).auth().orElseThrow().users()).isEmpty();
        }
    }

    @Test
    void brokenFileOfTenantHoldsNoUsersOfAnother() {
        files.put("etcd-gitops.yaml", Trees.fleet("""
              tenants:
                - {name: a, paths: [clusters/a/], namespaces: [demo]}
                - {name: b, paths: [clusters/b/], namespaces: [b]}
            """));
        files.put("clusters/a/orders.yaml", Trees.ring("orders", READER));
        files.put("clusters/b/broken.yaml", "apiVersion: etcdgitops.dev/v1alpha1\nkind: EtcdUser\nspec: {\"\n");

        assertThat(load().rings().get(ORDERS).auth()).isPresent();

        files.put("clusters/a/broken.yaml", "apiVersion: etcdgitops.dev/v1alpha1\nkind: EtcdUser\nspec: {\"\n");

        assertThat(load().rings().get(ORDERS).auth()).isEmpty();
    }

    @Test
    void exampleOfPageIsValid() throws IOException {
        String page = Files.readString(Path.of("../docs/users-and-roles.md"));
        files.put("clusters/orders.yaml", page.split("```yaml\n")[1].split("```")[0]);

        var state = load();

        assertThat(state.violations()).isEmpty();
        assertThat(state.rings().values())
                .singleElement()
                .satisfies(ring -> assertThat(ring.auth()).isPresent());
    }

    @Test
    void schemasOfUserAndRoleAreThoseOfRingsLists() {
        for (String title : List.of("authRoleNames", "authPassword", "authCertificate")) {
            assertThat(definition("EtcdUser", title)).isEqualTo(definition("EtcdCluster", title));
        }
        for (String title : Set.of("authGrants", "authGrant")) {
            assertThat(definition("EtcdRole", title)).isEqualTo(definition("EtcdCluster", title));
        }
    }

    private static JsonNode definition(String kind, String name) {
        var schema = Schemas.of(DocumentKind.of(kind).orElseThrow()).getSchemaNode();
        assertThat(schema.at("/$defs/" + name).isMissingNode()).isFalse();
        return schema.at("/$defs/" + name);
    }
}
