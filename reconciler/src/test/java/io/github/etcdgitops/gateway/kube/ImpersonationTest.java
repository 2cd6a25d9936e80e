package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.access.ActingAccount;
import io.github.etcdgitops.gateway.access.ServiceAccount;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.value.Observed;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ImpersonationTest {
    private static final ClusterRef RING = new ClusterRef("team-a", "orders");
    private static final String ACCOUNT = "system:serviceaccount:team-a:rings";

    private final ScriptedApi server;

    ImpersonationTest() throws IOException {
        server = new ScriptedApi(List.of());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void impersonate(String name) {
        server.connection().act(ActingAccount.Rights.impersonating(_ -> Optional.empty(), Optional.of(name)));
    }

    private static String forbidden(String kind, String name) {
        return """
            {"kind": "Status", "status": "Failure", "reason": "Forbidden", "code": 403, "message": "hidden text",
             "details": {"kind": "%s", "name": "%s"}}\
            """.formatted(kind, name);
    }

    private GatewayException readRefused(String body) {
        server.answering(403, body);
        return catchThrowableOfType(
                GatewayException.class, () -> server.rings().of(RING).get(ObjectKind.STATEFUL_SET, "team-a", "orders"));
    }

    @Test
    void sendsTheAccountOfTheRingsOwnNamespaceAndNoGroups() {
        impersonate("rings");
        server.answering(200, "{}").answering(201, "{}");

        server.rings().of(RING).get(ObjectKind.POD, "team-a", "orders-0");
        server.rings().of(RING).create(ObjectKind.POD, "team-b", Tree.object());

        assertThat(server.users()).containsExactly(ACCOUNT, ACCOUNT);
        assertThat(server.headers()).noneMatch(h -> h.startsWith("Impersonate-") && !h.equals("Impersonate-user"));
    }

    @Test
    void sendsNoAccountForTheListsOfTheFleet() {
        impersonate("rings");
        server.otherwise(_ -> Optional.of(new ScriptedApi.Answer(200, "{\"items\": []}")));

        new Fabric8Gateway(server.connection()).list();

        assertThat(server.users()).isNotEmpty().containsOnly("");
    }

    @Test
    void impersonatesOnlyNamedAccounts() {
        server.answering(200, "{}");

        server.rings().of(RING).get(ObjectKind.POD, "team-a", "orders-0");

        assertThat(server.users()).containsExactly("");
    }

    @Test
    void prefersTheTenantsAccountToTheDefault() {
        var rights = ActingAccount.Rights.impersonating(
                ring -> Optional.ofNullable(Map.of(RING, "tenants").get(ring)), Optional.of("rings"));

        assertThat(rights.of(RING)).isEqualTo(new ActingAccount.As(new ServiceAccount("team-a", "tenants")));
        assertThat(rights.of(new ClusterRef("team-b", "carts")))
                .isEqualTo(new ActingAccount.As(new ServiceAccount("team-b", "rings")));
    }

    @Test
    void sendsNothingForARingWithoutAnAccount() {
        server.connection().act(ActingAccount.Rights.impersonating(_ -> Optional.empty(), Optional.empty()));

        var state = new Fabric8Gateway(server.connection()).read(RING, 3);

        assertThat(server.asked()).isEmpty();
        assertThat(state.statefulSet())
                .isEqualTo(Observed.unknown("no service account is named for ring team-a/orders. Set serviceAccount of"
                        + " its tenant in etcd-gitops.yaml, or --default-service-account"));
    }

    @Test
    void namesMissingRightToImpersonate() {
        impersonate("rings");

        var refused = readRefused(forbidden("serviceaccounts", "rings"));

        assertThat(refused.kind()).isEqualTo(Kind.UNAUTHORIZED);
        assertThat(refused)
                .hasMessage("get StatefulSet team-a/orders: HTTP 403, this identity may not impersonate service account"
                        + " team-a/rings. Grant it the verb impersonate on serviceaccounts with resourceNames [rings]"
                        + " in namespace team-a, or correct the name");
    }

    @Test
    void namesAccountThatLacksARight() {
        impersonate("rings");

        var refused = readRefused(forbidden("statefulsets", "orders"));

        assertThat(refused.kind()).isEqualTo(Kind.UNAUTHORIZED);
        assertThat(refused)
                .hasMessage("get StatefulSet team-a/orders: HTTP 403, not allowed for service account team-a/rings, or"
                        + " forbidden by admission");
    }

    @Test
    void refusesWritesOfAnIdentityThatOnlyReads() {
        server.connection().act(ActingAccount.Rights.reading());
        server.answering(200, "{}");
        var api = server.rings().of(RING);

        api.get(ObjectKind.POD, "team-a", "orders-0");

        assertThatThrownBy(() -> api.create(ObjectKind.POD, "team-a", Tree.object()))
                .hasMessageContaining("with --no-impersonation objects of rings are only read");
        assertThatThrownBy(() -> api.delete(ObjectKind.POD, "team-a", "orders-0", "uid"))
                .hasMessageContaining("with --no-impersonation objects of rings are only read");
        assertThat(server.users()).containsExactly("");
    }

    @Test
    void acceptsNoNameThatIsNoObjectsName() {
        for (String name : new String[] {"", "a:b", "a\nX-Header: b", "A", "-a", "a/b", "a".repeat(254)}) {
            assertThatThrownBy(() -> new ServiceAccount("team-a", name))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new ServiceAccount(name, "rings"))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
