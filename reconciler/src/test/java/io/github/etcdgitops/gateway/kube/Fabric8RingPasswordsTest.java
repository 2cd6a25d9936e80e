package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.RingPasswords.Password;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Fabric8RingPasswordsTest {
    private static final ClusterRef REF = new ClusterRef("shop", "orders");
    private static final Password PASSWORD = new Password("open-sesame");
    private static final String ENCODED = base64("open-sesame");

    private ScriptedApi server;
    private Fabric8RingPasswords passwords;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedApi(List.of());
        passwords = new Fabric8RingPasswords(server.connection());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String secret(String name, String data) {
        return """
            {"metadata":{"name":"%s","namespace":"shop","resourceVersion":"7","labels":{
            "app.kubernetes.io/managed-by":"etcd-gitops","etcdgitops.dev/cluster":"orders"}},"data":%s}\
            """.formatted(name, data);
    }

    private static RingObjects wanted(Transport.Mode clients) {
        var spec = Specs.secured(
                Given.spec(REF, 3, "3.5.30"), Tls.NONE.with(new Transport(Transport.Mode.PLAIN, clients)));
        var applied = MemberSettings.founding(spec.server(), spec.server().version());
        return new RingObjects(spec, applied, 3, 2, 4, Optional.of("the ring's CA"));
    }

    private Map<String, String> written() {
        var written = new TreeMap<String, String>();
        server.asked()
                .getLast()
                .body()
                .replaceAll("(?s).*\"data\":\\{([^}]*)}.*", "$1")
                .replace("\"", "")
                .lines()
                .flatMap(line -> List.of(line.split(",")).stream())
                .map(entry -> entry.split(":", 2))
                .forEach(entry -> written.put(
                        entry[0], new String(Base64.getDecoder().decode(entry[1]), StandardCharsets.UTF_8)));
        return written;
    }

    @Test
    void createsBasicAuthSecretOfRoot() {
        server.answering(201, secret("orders-root-auth", "{}"));

        assertThat(passwords.writeRoot(REF, PASSWORD, Optional.empty(), Optional.empty(), 4))
                .isEqualTo("7");

        assertThat(written()).isEqualTo(Map.of("username", "root", "password", "open-sesame"));
        assertThat(server.asked().getLast().body())
                .contains("\"type\":\"kubernetes.io/basic-auth\"", "\"name\":\"orders-root-auth\"")
                .contains("\"etcdgitops.dev/epoch\":\"4\"", "\"etcdgitops.dev/cluster\":\"orders\"")
                .doesNotContain("ownerReferences", "resourceVersion");
    }

    @Test
    void userFindsHowToConnectInPlainText() {
        server.answering(201, secret("orders-user-app", "{}"));

        passwords.writeUser(wanted(Transport.Mode.PLAIN), "app", PASSWORD, Optional.empty());

        assertThat(written())
                .isEqualTo(Map.of(
                        "username", "app",
                        "password", "open-sesame",
                        "type", "etcd",
                        "provider", "etcd-gitops",
                        "host", "orders.shop.svc",
                        "port", "2379",
                        "uri", "http://orders.shop.svc:2379",
                        "endpoints", "http://orders.shop.svc:2379"));
        assertThat(server.asked().getLast().body())
                .contains("\"type\":\"Opaque\"", "\"name\":\"orders-user-app\"", "\"etcdgitops.dev/epoch\":\"4\"");
    }

    @Test
    void userFindsHowToConnectOverTls() {
        server.answering(201, secret("orders-user-app", "{}"));

        passwords.writeUser(wanted(Transport.Mode.MUTUAL), "app", PASSWORD, Optional.empty());

        assertThat(written())
                .containsEntry("uri", "https://orders.shop.svc:2379")
                .containsEntry("endpoints", "https://orders.shop.svc:2379")
                .containsEntry("ca.crt", "the ring's CA");
    }

    @Test
    void namesMissingRight() {
        server.answering(403, "{}").answering(403, "{}");

        assertThatThrownBy(() -> passwords.root(REF))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(GatewayException.Kind.UNAUTHORIZED))
                .hasMessageContaining("HTTP 403")
                .hasMessageContaining("has to let it get Secret shop/orders-root-auth, see cronjob/components/auth");
        assertThatThrownBy(() -> passwords.writeRoot(REF, PASSWORD, Optional.empty(), Optional.empty(), 1))
                .hasMessageContaining("has to let it create Secret shop/orders-root-auth");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\"!cHJpdmF0ZQ\"", "null", "{\"cHJpdmF0ZQ\":1}"})
    void showsNoPasswordThatIsNotBase64(String value) {
        server.answering(200, secret("orders-root-auth", "{\"password\":" + value + "}"));

        var refused = catchThrowableOfType(GatewayException.class, () -> passwords.root(REF));

        assertThat(refused.kind()).isEqualTo(GatewayException.Kind.REJECTED);
        assertThat(refused).hasMessageContaining("it has no password").hasNoCause();
        assertThat(refused.getMessage()).doesNotContain("cHJp");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 400, 409, 422, 500})
    void showsNoPasswordThatServerRepeats(int code) {
        server.otherwise(_ -> Optional.of(new ScriptedApi.Answer(code, "denied: " + ENCODED)));

        var read = catchThrowableOfType(GatewayException.class, () -> passwords.root(REF));
        var written = catchThrowableOfType(
                GatewayException.class,
                () -> passwords.writeRoot(REF, PASSWORD, Optional.empty(), Optional.empty(), 1));

        assertThat(read.getMessage()).doesNotContain(ENCODED, "denied", "sesame");
        assertThat(written.getMessage()).doesNotContain(ENCODED, "denied", "sesame");
        assertThat(read).hasNoCause();
        assertThat(written).hasNoCause();
    }
}
