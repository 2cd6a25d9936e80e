package io.github.etcdgitops.gateway.etcd;

import static io.github.etcdgitops.gateway.etcd.call.Sent.SETTINGS;
import static io.github.etcdgitops.gateway.etcd.call.Sent.begun;
import static io.github.etcdgitops.gateway.etcd.call.Sent.data;
import static io.github.etcdgitops.gateway.etcd.call.Sent.ended;
import static io.github.etcdgitops.gateway.etcd.call.Sent.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.gateway.etcd.call.ScriptedServer;
import io.github.etcdgitops.gateway.etcd.call.ScriptedServer.Script;
import io.github.etcdgitops.gateway.etcd.call.UnaryChannel;
import io.github.etcdgitops.it.ClientTls;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers that speak TLS, or do not: a person reads the same as from gRPC's own channel.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnaryChannelTlsTest {
    private static final int LARGEST = 1 << 20;
    private static final long LIMIT_MILLIS = 3_000;
    private static final Duration DAY = Duration.ofDays(1);
    private static final ClusterRef ORDERS = new ClusterRef("shop", "orders");
    private static final String HOST = ORDERS.memberHost(0);

    private final Authority ca = Authority.create(ORDERS, Instant.now(), DAY);
    private final Authority strange = Authority.create(ORDERS, Instant.now(), DAY);
    private final Credential server = ca.issue(Leaf.SERVER, ORDERS, Instant.now(), DAY);
    private final SslContext ours = ClientTls.of(
                    ca.certificatePem(), ca.issue(Leaf.CLIENT, ORDERS, Instant.now(), DAY), HOST)
            .context();

    private static final Script ANSWERS = with -> {
        int stream = with.send(SETTINGS).request();
        byte[] status = StatusResponse.newBuilder().setVersion("3.5.30").build().toByteArray();
        with.send(begun(stream), data(stream, message(status)), ended(stream));
    };

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void answersOverEachVersion(String version) throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(same(ours, HOST, ANSWERS, p -> p.setProtocols(new String[] {version})))
                    .isEqualTo("3.5.30");
        }
    }

    /// The certificate is looked at once, and again where another name is called.
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void nextConnectionResumesTheSession(String version) throws Exception {
        var looks = new AtomicInteger();
        var context = GrpcSslContexts.forClient().trustManager(counting(looks)).build();
        try (var server = new ScriptedServer(socket(p -> p.setProtocols(new String[] {version})), ANSWERS)) {
            for (int i = 0; i < 3; i++) {
                try (var channel = UnaryChannel.secured(server.address(), HOST, LARGEST, context)) {
                    assertThat(said(channel)).isEqualTo("3.5.30");
                }
            }
            assertThat(looks).hasValue(1);
            try (var channel = UnaryChannel.secured(server.address(), "m0.test", LARGEST, context)) {
                assertThat(said(channel)).contains("TLS failed");
            }
        }
    }

    @Test
    void certificateForAnotherNameIsRefused() throws Exception {
        var elsewhere = new ClusterRef("shop", "invoices").memberHost(0);

        assertThat(same(ours, elsewhere, ANSWERS, _ -> {})).contains("UNAUTHORIZED", "TLS failed");
        assertThat(same(ours, "m0.test", ANSWERS, _ -> {})).contains("UNAUTHORIZED", "TLS failed");
    }

    @Test
    void certificateOfAnotherCaIsRefused() throws Exception {
        var misled = ClientTls.of(strange.certificatePem(), ca.issue(Leaf.CLIENT, ORDERS, Instant.now(), DAY), HOST)
                .context();

        assertThat(same(misled, HOST, ANSWERS, _ -> {})).contains("UNAUTHORIZED", "TLS failed");
    }

    @Test
    void serverThatRefusesOursSaysSo() throws Exception {
        var stranger = ClientTls.of(ca.certificatePem(), strange.issue(Leaf.CLIENT, ORDERS, Instant.now(), DAY), HOST)
                .context();

        assertThat(same(stranger, HOST, ANSWERS, p -> p.setNeedClientAuth(true)))
                .contains("UNAUTHORIZED", "TLS failed");
        assertThat(same(ours, HOST, ANSWERS, p -> p.setNeedClientAuth(true))).isEqualTo("3.5.30");
    }

    @Test
    void serverThatMissesOursSaysSo() throws Exception {
        var nameless = GrpcSslContexts.forClient()
                .trustManager(new ByteArrayInputStream(ca.certificatePem()))
                .build();

        assertThat(same(nameless, HOST, ANSWERS, p -> p.setNeedClientAuth(true)))
                .contains("UNAUTHORIZED", "TLS failed");
    }

    @Test
    void serverWithoutHttp2IsLost() throws Exception {
        assertThat(same(ours, HOST, ANSWERS, p -> p.setApplicationProtocols(new String[0])))
                .contains("UNREACHABLE");
    }

    @Test
    void serverOfAnotherProtocolRefuses() throws Exception {
        same(ours, HOST, ANSWERS, p -> p.setApplicationProtocols(new String[] {"http/1.1"}));
    }

    @Test
    void whatComesAfterTheHandshakeIsReadTheSame() throws Exception {
        same(
                ours,
                HOST,
                with -> with.send("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII)),
                _ -> {});
        same(ours, HOST, with -> with.send(SETTINGS), _ -> {});
    }

    /// gRPC's own channel says that TLS failed: it could not write any more.
    @Test
    void serverThatClosesAfterTheHandshakeIsLost() throws Exception {
        try (var server = new ScriptedServer(
                        socket(_ -> {}), with -> with.send(SETTINGS).hangUp());
                var channel = UnaryChannel.secured(server.address(), HOST, LARGEST, ours)) {
            assertThat(said(channel)).contains("UNREACHABLE");
        }
    }

    @Test
    void serversWithoutTlsAreReadTheSame() throws Exception {
        withoutTls(ScriptedServer.Connected::hangUp);
        withoutTls(_ -> {});
        withoutTls(with -> with.send("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
        withoutTls(with -> with.send(SETTINGS));
        withoutTls(with -> {
            with.in().readNBytes(100);
            with.hangUp();
        });
        withoutTls(with -> {
            with.in().readNBytes(100);
            with.send(new byte[] {21, 3, 3, 0, 2, 2, 40}).hangUp();
        });
        withoutTls(with -> {
            with.in().readNBytes(100);
            with.send(new byte[] {22, 3, 3, 0, 100, 2, 0}).hangUp();
        });
        withoutTls(with -> with.send(new byte[100_000]));
    }

    private void withoutTls(Script script) throws IOException, InterruptedException {
        try (var server = new ScriptedServer(script)) {
            same(server, ours, HOST);
        }
    }

    private String same(SslContext context, String host, Script script, Consumer<SSLParameters> with)
            throws IOException, InterruptedException {
        try (var server = new ScriptedServer(socket(with), script)) {
            return same(server, context, host);
        }
    }

    private static String same(ScriptedServer server, SslContext context, String host) throws InterruptedException {
        var theirs = NettyChannelBuilder.forAddress(server.address())
                .sslContext(context)
                .overrideAuthority(host)
                .disableRetry()
                .maxInboundMessageSize(LARGEST)
                .directExecutor()
                .build();
        try (var channel = UnaryChannel.secured(server.address(), host, LARGEST, context)) {
            var said = said(channel);
            assertThat(said).isEqualTo(said(theirs));
            return said;
        } finally {
            theirs.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
        }
    }

    private SSLServerSocket socket(Consumer<SSLParameters> with) throws IOException {
        var socket = (SSLServerSocket)
                serving().getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        with.accept(parameters);
        socket.setSSLParameters(parameters);
        return socket;
    }

    private static X509TrustManager counting(AtomicInteger looks) {
        return new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {
                looks.incrementAndGet();
            }

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
    }

    private SSLContext serving() throws SSLException {
        var context = SslContextBuilder.forServer(
                        new ByteArrayInputStream(server.certificatePem()), new ByteArrayInputStream(server.keyPem()))
                .trustManager(new ByteArrayInputStream(ca.certificatePem()))
                .sslProvider(SslProvider.JDK)
                .build();
        return ((JdkSslContext) context).context();
    }

    private static String said(Channel channel) {
        try {
            return MaintenanceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(LIMIT_MILLIS, TimeUnit.MILLISECONDS)
                    .status(StatusRequest.getDefaultInstance())
                    .getVersion();
        } catch (StatusRuntimeException e) {
            var failure = EtcdErrors.changing("asking", e);
            return failure.kind() + " " + failure.mayHaveHappened() + " " + failure.getMessage();
        }
    }
}
