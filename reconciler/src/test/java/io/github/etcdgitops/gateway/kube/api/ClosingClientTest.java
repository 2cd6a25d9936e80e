package io.github.etcdgitops.gateway.kube.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.ConfigBuilder;
import java.net.http.HttpClient;
import org.junit.jupiter.api.Test;

class ClosingClientTest {
    @Test
    void endsTheThreadOfTheClient() {
        var builder = new ClosingClient(HttpClient.newBuilder());
        var client = builder.build();
        assertThat(client.isTerminated()).isFalse();

        builder.close();

        assertThat(client.isTerminated()).isTrue();
    }

    @Test
    void hasNothingToCloseBeforeItBuilds() {
        new ClosingClient(HttpClient.newBuilder()).close();
    }

    /// The library does not close its client; the factory of a connection does.
    @Test
    void connectionClosesItsClient() {
        var factory = new KubeConnection.Threads();
        var client = factory.newBuilder(
                        new ConfigBuilder().withAutoConfigure(false).build())
                .build();
        assertThat(factory.isOpen()).isTrue();

        client.close();

        assertThat(factory.isOpen()).isFalse();
    }
}
