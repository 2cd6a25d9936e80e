package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.gateway.GatewayException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterIdentityTest {
    private ScriptedApi server;
    private ClusterIdentity identity;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedApi(List.of());
        identity = new ClusterIdentity(server.api());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void asksOnce() {
        server.answering(200, "{\"metadata\":{\"name\":\"kube-system\",\"uid\":\"u-1\"}}");

        assertThat(identity.uid()).isEqualTo("u-1");
        assertThat(identity.uid()).isEqualTo("u-1");
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void asksOnceWhereItFails() {
        server.answering(403, "{\"kind\":\"Status\",\"code\":403}");

        assertThatThrownBy(identity::uid).isInstanceOf(GatewayException.class);
        int asked = server.asked().size();
        assertThatThrownBy(identity::uid).isInstanceOf(GatewayException.class);

        assertThat(server.asked()).hasSize(asked);
    }
}
