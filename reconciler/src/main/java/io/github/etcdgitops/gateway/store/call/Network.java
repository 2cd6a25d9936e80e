package io.github.etcdgitops.gateway.store.call;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.bounded.BoundedStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;

/// Failures before there was an answer.
public final class Network {
    private Network() {}

    /// Empty where it was not a network failure.
    public static Optional<GatewayException> translate(Call call, Throwable failure) {
        if (has(failure, CertificateException.class) || has(failure, SSLHandshakeException.class)) {
            return Optional.of(call.refused(Kind.UNAUTHORIZED, """
                TLS failed: the store's certificate is not from a trusted CA, or not for its \
                name; put its CA into the file ca.crt beside the credentials\
                """ + behind(call)));
        }
        if (has(failure, UnknownHostException.class) || has(failure, UnresolvedAddressException.class)) {
            return Optional.of(call.refused(
                    Kind.UNREACHABLE,
                    "the store's host name" + host(failure) + " is not known; check the endpoint, the region and"
                            + " DNS"
                            + behind(call)));
        }
        if (has(failure, BoundedStream.TooMuch.class)) {
            return Optional.of(call.refused(
                    Kind.REJECTED, "the answer has more than " + S3Answers.LARGEST + " bytes; check the endpoint"));
        }
        if (has(failure, SocketTimeoutException.class) || has(failure, HttpTimeoutException.class)) {
            return Optional.of(call.lost("the store did not answer in time; check the endpoint and the network"));
        }
        if (has(failure, ConnectException.class) || has(failure, NoRouteToHostException.class)) {
            return Optional.of(call.refused(Kind.UNREACHABLE, "connection refused; check the endpoint and its port"));
        }
        return has(failure, IOException.class) ? Optional.of(call.lost("the connection broke")) : Optional.empty();
    }

    private static String behind(Call call) {
        return call.hint().isEmpty() ? "" : "; " + call.hint();
    }

    /// The requested host: our own text, which the JDK returns.
    private static String host(Throwable failure) {
        return causes(failure)
                .filter(UnknownHostException.class::isInstance)
                .map(cause -> String.valueOf(cause.getMessage()).replaceFirst(":.*", ""))
                .filter(host -> host.matches("[A-Za-z0-9.-]{1,253}"))
                .findFirst()
                .map(host -> " " + host)
                .orElse("");
    }

    public static String words(IOException failure) {
        return has(failure, SocketTimeoutException.class) || has(failure, HttpTimeoutException.class)
                ? "the store stopped answering"
                : "the connection broke";
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> type) {
        return causes(failure).anyMatch(type::isInstance);
    }

    public static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(20);
    }
}
