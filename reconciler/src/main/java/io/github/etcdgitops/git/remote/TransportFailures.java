package io.github.etcdgitops.git.remote;

import io.github.etcdgitops.gateway.bounded.BoundedStream.TooMuch;
import io.github.etcdgitops.git.remote.Connections.ForeignRedirect;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.errors.NoRemoteRepositoryException;
import org.eclipse.jgit.errors.PackInvalidException;
import org.eclipse.jgit.errors.PackMismatchException;
import org.eclipse.jgit.errors.PackProtocolException;
import org.eclipse.jgit.internal.JGitText;

/// Interprets JGit's exceptions. Their text is read, where the class is not enough, and never passed on.
final class TransportFailures {
    /// Part of JGit's text for a service that a server forbids.
    private static final String NOT_PERMITTED = "not permitted on";

    private final RepositoryAddress address;
    private final GitAccess access;

    TransportFailures(RepositoryAddress address, GitAccess access) {
        this.address = address;
        this.access = access;
    }

    GitException explain(Throwable failure, Optional<String> hostKeyRefused, boolean tooLong) {
        List<Throwable> causes = Stream.iterate(failure, t -> t != null, Throwable::getCause)
                .limit(20)
                .toList();
        Kind kind = hostKeyRefused.isPresent() ? Kind.UNTRUSTED : kind(causes);
        String message = switch (kind) {
            case UNTRUSTED -> untrusted(causes, hostKeyRefused);
            case NO_SUCH_REPOSITORY ->
                "there is no repository at " + address + ", or none that these credentials may see";
            case UNAUTHORIZED -> unauthorized(causes);
            case TOO_LARGE -> tooLarge(causes);
            case CORRUPT -> "objects that came from " + address + " are damaged";
            case UNREACHABLE,
                    INVALID_ADDRESS,
                    NO_SUCH_REF,
                    EMPTY,
                    PROTECTED,
                    CONTENDED,
                    CACHE,
                    REFUSED,
                    UNVERIFIED,
                    SIGNERS ->
                tooLong
                        ? address + " took too long to transfer the objects"
                        : address + " could not be reached" + through() + ", or the connection broke (" + named(causes)
                                + ")";
        };
        return leaks(failure) ? new GitException(kind, message) : new GitException(kind, message, failure);
    }

    private String untrusted(List<Throwable> causes, Optional<String> hostKeyRefused) {
        if (hostKeyRefused.isPresent()) {
            return "the host key of " + address + " is not trusted: " + hostKeyRefused.get();
        }
        return causes.stream().anyMatch(ForeignRedirect.class::isInstance)
                ? address + " redirects to another server: use that address, if it is the right one"
                : "the TLS certificate of " + address + " is not trusted, or TLS failed for another reason; trusted"
                        + " CAs are those "
                        + access.ca().map(file -> "in " + file).orElse("of Java, because no other file was given");
    }

    private String tooLarge(List<Throwable> causes) {
        long most = causes.stream()
                .filter(TooMuch.class::isInstance)
                .mapToLong(cause -> ((TooMuch) cause).most())
                .sum();
        return address + " sends more than " + most
                + " bytes for one commit, and none of it was kept. Let the server leave large files out (git config"
                + " uploadpack.allowFilter true), remove them from the repository, or raise --max-fetch";
    }

    private String through() {
        return access.proxy().map(proxy -> " through the proxy " + proxy).orElse("");
    }

    /// The remedies differ: our identity is not accepted, or it is accepted and lacks the right.
    private String unauthorized(List<Throwable> causes) {
        boolean known =
                causes.stream().anyMatch(c -> String.valueOf(c.getMessage()).contains(NOT_PERMITTED));
        return switch (address.scheme()) {
            case SSH -> address + " refuses the SSH key: it is unknown, or no longer accepted";
            case FILE -> address + " refuses access";
            case HTTP, HTTPS ->
                access.token().isEmpty()
                        ? address + " refuses access without a token"
                        : known
                                ? address + " accepts the token, but it has no right to do this (HTTP 403)"
                                : address + " refuses the token: it is wrong, expired or revoked (HTTP 401)";
        };
    }

    private static Kind kind(List<Throwable> causes) {
        for (Throwable cause : causes) {
            if (cause instanceof TooMuch) {
                return Kind.TOO_LARGE;
            }
            if (cause instanceof NoRemoteRepositoryException) {
                return Kind.NO_SUCH_REPOSITORY;
            }
            if (cause instanceof SSLException
                    || cause instanceof CertificateException
                    || cause instanceof ForeignRedirect) {
                return Kind.UNTRUSTED;
            }
            if (cause instanceof CorruptObjectException
                    || cause instanceof MissingObjectException
                    || cause instanceof PackInvalidException
                    || cause instanceof PackProtocolException
                    || cause instanceof PackMismatchException) {
                return Kind.CORRUPT;
            }
            if (saysUnauthorized(String.valueOf(cause.getMessage()))) {
                return Kind.UNAUTHORIZED;
            }
        }
        return Kind.UNREACHABLE;
    }

    private static boolean saysUnauthorized(String text) {
        JGitText known = JGitText.get();
        return text.contains(known.notAuthorized)
                || text.contains(known.authenticationNotSupported)
                || text.contains(known.noCredentialsProvider)
                || text.contains(NOT_PERMITTED)
                || text.contains("Cannot log in")
                || text.contains("No more authentication methods available");
    }

    /// Class names are ours and Java's; the texts beside them may come from a server.
    private static String named(List<Throwable> causes) {
        return causes.getLast().getClass().getSimpleName();
    }

    private boolean leaks(Throwable failure) {
        var text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        return access.occursIn(text.toString());
    }
}
