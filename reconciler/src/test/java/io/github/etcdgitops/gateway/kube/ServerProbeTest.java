package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.access.ClusterProbe.AccessQuestion;
import io.github.etcdgitops.gateway.access.Permission;
import io.github.etcdgitops.gateway.access.Permission.Need;
import io.github.etcdgitops.gateway.access.Permission.Role;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerProbeTest {
    private static final AccessQuestion FORWARD = new AccessQuestion(
            new Permission(Role.PLANNER, "", "pods", "portforward", "create", Need.PORT_FORWARD), "demo", "");

    private ScriptedApi server;
    private ServerProbe probe;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedApi(List.of());
        probe = new ServerProbe(server.connection());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void readsVersionAndDate() {
        server.answering(200, "{\"gitVersion\":\"v1.31.2\"}");

        var seen = probe.server();

        assertThat(seen.version()).isEqualTo("v1.31.2");
        assertThat(seen.address()).startsWith("http://127.0.0.1:");
        assertThat(Duration.between(seen.date().orElseThrow(), Instant.now()).abs())
                .isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void readsTheServersTimeAndTakesSilenceForNone() {
        var gateway = new Fabric8Gateway(server.connection());
        server.answering(200, "{\"metadata\":{\"uid\":\"u\"}}").answering(403, "{}");

        assertThat(gateway.serverTime())
                .hasValueSatisfying(time ->
                        assertThat(Duration.between(time, Instant.now()).abs()).isLessThan(Duration.ofMinutes(1)));
        assertThat(gateway.serverTime()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void asksForExactlyThatRight(boolean allowed) {
        server.answering(201, "{\"status\":{\"allowed\":" + allowed + "}}");

        assertThat(probe.allows(FORWARD)).isEqualTo(allowed);

        var asked = server.asked().getFirst();
        assertThat(asked.method()).isEqualTo("POST");
        assertThat(asked.uri()).isEqualTo("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews");
        assertThat(asked.body())
                .contains("\"resource\":\"pods\"", "\"subresource\":\"portforward\"", "\"verb\":\"create\"")
                .contains("\"namespace\":\"demo\"", "\"name\":\"\"");
    }

    @Test
    void takesNoAnswerForNeitherYesNorNo() {
        server.answering(201, "{\"status\":{}}");

        assertThatThrownBy(() -> probe.allows(FORWARD)).isInstanceOf(GatewayException.class);
    }

    @Test
    void listsWhatIsServed() {
        server.answering(
                200,
                "{\"groups\":[{\"versions\":[{\"groupVersion\":\"apps/v1\"}]},"
                        + "{\"versions\":[{\"groupVersion\":\"policy/v1\"},{\"groupVersion\":\"policy/v1beta1\"}]}]}");

        assertThat(probe.apis()).containsExactly("apps/v1", "policy/v1", "policy/v1beta1");
    }

    @Test
    void findsTheDefaultClassesAmongOthers() {
        server.answering(200, """
            {"items":[
            {"metadata":{"name":"fast","annotations":{"storageclass.kubernetes.io/is-default-class":"false"}}},
            {"metadata":{"name":"slow","annotations":{"storageclass.kubernetes.io/is-default-class":"true"}}},
            {"metadata":{"name":"bare"}}]}\
            """);

        assertThat(probe.defaultStorageClasses()).containsExactly("slow");
    }

    @Test
    void rejectsServerThatIsNoApiServer() {
        server.answering(404, "not found");

        assertThatThrownBy(probe::server)
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(GatewayException.Kind.REJECTED));
    }
}
