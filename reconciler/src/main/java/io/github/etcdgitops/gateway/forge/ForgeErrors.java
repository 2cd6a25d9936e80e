package io.github.etcdgitops.gateway.forge;

import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import java.security.cert.CertPathBuilderException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/// What it means when a forge refuses, or does not answer. In our own words: the body of a forge's answer
/// is never repeated.
final class ForgeErrors {
    private static final Duration UNTOLD = Duration.ofSeconds(5);

    private final Forge.Kind forge;
    private final Optional<Path> ca;
    private final InstantSource clock;

    ForgeErrors(Forge.Kind forge, Optional<Path> ca, InstantSource clock) {
        this.forge = forge;
        this.ca = ca;
        this.clock = clock;
    }

    static boolean passing(int status) {
        return status == 408 || status >= 500;
    }

    /// How long to wait where the forge reports too many requests: this request was not processed. GitHub
    /// also reports it with 403.
    Optional<Duration> limited(HttpResponse<?> response) {
        var after = response.headers().firstValue("Retry-After").flatMap(this::after);
        boolean spent = response.headers()
                .firstValue("X-RateLimit-Remaining")
                .filter("0"::equals)
                .isPresent();
        boolean limited =
                response.statusCode() == 429 || (response.statusCode() == 403 && (after.isPresent() || spent));
        return limited ? Optional.of(after.or(() -> reset(response)).orElse(UNTOLD)) : Optional.empty();
    }

    private Optional<Duration> after(String text) {
        if (text.matches("[0-9]{1,9}")) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
        }
        try {
            return Optional.of(until(ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant()));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    private Optional<Duration> reset(HttpResponse<?> response) {
        return response.headers()
                .firstValue("X-RateLimit-Reset")
                .filter(text -> text.matches("[0-9]{1,12}"))
                .map(text -> until(Instant.ofEpochSecond(Long.parseLong(text))));
    }

    private Duration until(Instant time) {
        var left = Duration.between(clock.instant(), time);
        return left.isNegative() ? Duration.ZERO : left;
    }

    GatewayException tooMany(Duration wait, int status) {
        return said(
                Kind.UNREACHABLE,
                false,
                "takes no more requests now (status " + status + "); try again in " + Math.max(1, wait.toSeconds())
                        + " seconds");
    }

    GatewayException refusal(HttpResponse<?> response, boolean writes) {
        int status = response.statusCode();
        return switch (status) {
            case 401 -> said(Kind.UNAUTHORIZED, false, "does not accept the token; it may have expired");
            case 403 -> said(Kind.UNAUTHORIZED, false, """
                does not let this token do that; it needs the right to write comments or statuses, which the token \
                of a fork's job does not have\
                """);
            case 404 -> said(Kind.NOT_FOUND, false, """
                knows no such repository, pull request or commit, or does not show it to this token; check the \
                address of the API too\
                """);
            case 301, 302, 303, 307, 308 -> said(Kind.REJECTED, false, """
                sends the request to another address, which is not followed, to protect the token; \
                was the repository renamed? Check the address of the API too\
                """);
            case 409 -> said(Kind.CONFLICT, false, "refuses because of a concurrent change; try again");
            case 400, 422 -> said(Kind.REJECTED, false, "refuses what was sent as invalid (status " + status + ")");
            default ->
                passing(status)
                        ? said(Kind.UNREACHABLE, writes, "is overloaded or failing (status " + status + "); try again")
                        : said(Kind.REJECTED, false, "refuses with status " + status);
        };
    }

    GatewayException unanswered(IOException failure, boolean mayHaveHappened) {
        if (has(failure, SSLException.class)) {
            return said(Kind.UNAUTHORIZED, false, "could not prove its identity: " + distrust(failure));
        }
        if (has(failure, UnknownHostException.class) || has(failure, UnresolvedAddressException.class)) {
            return said(Kind.UNREACHABLE, false, "has a host name that is not known; check the address of the API");
        }
        if (has(failure, ConnectException.class) || has(failure, HttpConnectTimeoutException.class)) {
            return said(Kind.UNREACHABLE, false, "accepts no connections; check the address of the API, and try again");
        }
        return has(failure, HttpTimeoutException.class)
                ? said(Kind.TIMEOUT, mayHaveHappened, "did not answer in time; try again")
                : said(Kind.UNREACHABLE, mayHaveHappened, "closed the connection; try again");
    }

    /// The certificate may belong to another server, so its contents are not repeated.
    private String distrust(IOException failure) {
        if (!has(failure, CertPathBuilderException.class)) {
            return "its certificate is not for its name, or not valid now; check the address of the API";
        }
        return ca.map(file -> "its certificate is not from a CA in " + file + ", the only trusted file")
                .orElse("its certificate is not from a CA that Java trusts; --forge-ca names the CAs of a"
                        + " self-hosted forge");
    }

    GatewayException notJson() {
        return said(Kind.REJECTED, false, "answered with something other than JSON; check the address of the API");
    }

    GatewayException tooManyPages() {
        return said(
                Kind.REJECTED,
                false,
                "has more comments on this pull request than etcd-gitops reads; nothing was written");
    }

    private GatewayException said(Kind kind, boolean mayHaveHappened, String what) {
        return new GatewayException(kind, mayHaveHappened, forge.title() + " " + what);
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> type) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(20)
                .anyMatch(type::isInstance);
    }
}
