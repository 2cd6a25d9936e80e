package io.github.etcdgitops.gateway.etcd;

import io.github.etcdgitops.gateway.EtcdGateway.Answer;
import io.github.etcdgitops.gateway.EtcdGateway.Manner;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/// One request for the page `/version`, which both etcd's client port and its peer port have; only whether
/// it was served counts. A handshake alone proves nothing: over TLS 1.3 a server refuses a client's
/// certificate only after the client has finished its part.
///
/// `tls` is empty for plain text.
record PortProbe(MemberAccess.Route route, Optional<SSLContext> tls) {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})(?: .*)?");
    private static final String OK = "200";
    private static final int LONGEST_LINE = 200;

    /// Only a caller over TLS needs the ring's CA and our certificate.
    static PortProbe of(MemberAccess.Route route, Manner manner, Identities identities) {
        var tls = switch (manner) {
            case PLAIN -> Optional.<TlsMaterial>empty();
            case TLS_WITHOUT_CERTIFICATE ->
                Optional.of(new TlsMaterial(ours(route, identities).caPem(), Optional.empty()));
            case TLS -> Optional.of(ours(route, identities));
        };
        return new PortProbe(route, tls.map(material -> TlsContexts.fresh(route, material)));
    }

    private static TlsMaterial ours(MemberAccess.Route route, Identities identities) {
        return identities
                .ordinary(route)
                .orElseThrow(() -> new GatewayException(
                        Kind.UNAUTHORIZED,
                        false,
                        "knocking at the member at " + Endpoint.name(route)
                                + ": the ring's CA is not known, so TLS could not be checked"));
    }

    /// When the time is up, the socket is closed and the waiting read ends. The timer's own thread closes it: parallel
    /// streams may keep the usual pool busy.
    Answer within(Duration deadline) {
        return within(deadline, this::answer, refused -> refused);
    }

    /// The same for another conversation, over TLS with the handshake done. `refused` says what a refusal
    /// means.
    <T> T within(Duration deadline, Talk<T> talk, Function<Answer.Refused, T> refused) {
        var late = new AtomicBoolean();
        try (var socket = new Socket()) {
            var watch = CompletableFuture.runAsync(
                    () -> {
                        late.set(true);
                        close(socket);
                    },
                    CompletableFuture.delayedExecutor(deadline.toNanos(), TimeUnit.NANOSECONDS, Runnable::run));
            try {
                connect(socket);
                return ask(socket, talk);
            } catch (IOException e) {
                if (late.get() || Thread.currentThread().isInterrupted()) {
                    throw failed(Kind.TIMEOUT, "no answer within the deadline");
                }
                return refused.apply(refused(e));
            } finally {
                watch.cancel(false);
            }
        } catch (IOException e) {
            throw failed(Kind.UNREACHABLE, "the connection could not be closed");
        }
    }

    /// A refused connection is an answer; an unreachable member is not.
    private void connect(Socket socket) throws IOException {
        socket.connect(new InetSocketAddress(route.host(), route.port()));
    }

    private <T> T ask(Socket connected, Talk<T> talk) throws IOException {
        if (tls.isEmpty()) {
            return talk.on(connected);
        }
        try (var secured = (SSLSocket)
                tls.get().getSocketFactory().createSocket(connected, route.authority(), route.port(), true)) {
            var parameters = secured.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secured.setSSLParameters(parameters);
            secured.startHandshake();
            return talk.on(secured);
        }
    }

    private static Optional<Instant> certificateEnds(Socket socket) throws SSLPeerUnverifiedException {
        return socket instanceof SSLSocket secured
                ? Optional.of(((X509Certificate) secured.getSession().getPeerCertificates()[0])
                        .getNotAfter()
                        .toInstant())
                : Optional.empty();
    }

    private Answer answer(Socket socket) throws IOException {
        var certificateEnds = certificateEnds(socket);
        String request = "GET /version HTTP/1.1\r\nHost: " + route.authority() + "\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        String line = firstLine(socket.getInputStream());
        if (line.isEmpty()) {
            return new Answer.Refused("it closed the connection without an answer");
        }
        var status = STATUS.matcher(line);
        if (!status.matches()) {
            return new Answer.Refused("its answer is not HTTP");
        }
        return status.group(1).equals(OK)
                ? new Answer.Served(certificateEnds)
                : new Answer.Refused("it answered HTTP " + status.group(1));
    }

    private static String firstLine(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n' && line.length() < LONGEST_LINE; c = in.read()) {
            line.append((char) c);
        }
        return line.toString().strip();
    }

    private Answer.Refused refused(IOException failure) {
        if (failure instanceof ConnectException) {
            if (String.valueOf(failure.getMessage()).contains("refused")) {
                return new Answer.Refused("connection refused");
            }
            throw failed(Kind.UNREACHABLE, "unreachable");
        }
        if (failure instanceof NoRouteToHostException) {
            throw failed(Kind.UNREACHABLE, "unreachable");
        }
        boolean itsCertificate = Stream.iterate((Throwable) failure, cause -> cause != null, Throwable::getCause)
                .limit(20)
                .anyMatch(CertificateException.class::isInstance);
        if (itsCertificate) {
            return new Answer.Refused(
                    "its certificate is not signed by the ring's CA, has expired, or is not for the name "
                            + route.authority());
        }
        return new Answer.Refused(
                failure instanceof SSLException
                        ? "it refused our TLS settings, or does not speak TLS"
                        : "it closed the connection without an answer");
    }

    private GatewayException failed(Kind kind, String why) {
        return new GatewayException(kind, false, "knocking at the member at " + Endpoint.name(route) + ": " + why);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // It counts as closed.
        }
    }

    /// A request and its answer on a connected socket.
    @FunctionalInterface
    interface Talk<T> {
        T on(Socket socket) throws IOException;
    }
}
