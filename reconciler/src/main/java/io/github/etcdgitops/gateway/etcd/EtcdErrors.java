package io.github.etcdgitops.gateway.etcd;

import io.etcd.jetcd.support.Errors;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.GatewayException.RootUnusable;
import io.grpc.Status;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/// Interprets etcd's and gRPC's error texts, but for those by which a change of users is already so. It passes
/// on only our own words: an answer may come from any server.
///
/// Only proof shows that a change did not happen: the request provably never left, or etcd refused it
/// before or while applying it. In all other cases it may have.
final class EtcdErrors {
    private static final String LEARNER_BEHIND = "can only promote a learner member which is in sync with leader";
    private static final String WHO_ARE_YOU = "user name is empty";
    private static final String NOT_ALLOWED = "permission denied";
    private static final List<String> NO_USER = List.of("user name not found", "auth: user not found");
    private static final String NO_SUCH_USER =
            "the ring has authentication enabled, and the common name of our certificate is none of its users";
    private static final List<String> OLD_REVISION =
            List.of("revision of auth store is old", "revision in header is old");
    private static final List<String> GIVEN_UP =
            List.of("request cancelled", "context canceled", "context deadline exceeded");
    private static final String WRONG_PASSWORD = "authentication failed";
    private static final String NO_AUTHENTICATION = "authentication is not enabled";
    private static final String COMPACTED = "required revision has been compacted";
    private static final String NO_DOWNGRADE = "no inflight downgrade job";
    private static final String NOT_FOR_LEARNERS = "rpc not supported for learner";

    private static final String FOR_ROOT_ALONE =
            "the ring has authentication enabled, and etcd lets only its user root do this: ";

    private static final String WAY_OUT = "; docs/users-and-roles.md has what helps (Root is locked out)";

    /// `happened` says whether a change may have taken effect when etcd reports this.
    private record Phrase(String text, Kind kind, boolean happened, String advice) {}

    /// The first match counts: a phrase that is the start of a longer one comes after it.
    private static final List<Phrase> PHRASES = List.of(
            refusal("unhealthy cluster", Kind.REJECTED, """
                etcd refuses until all voters have been connected to each other for five seconds; wait, bring \
                the missing one back, or remove it\
                """),
            refusal("re-configuration failed due to not enough started members", Kind.REJECTED, """
                etcd refuses because too few voters would have started; start the members that were added, or \
                remove them again\
                """),
            refusal("not leader", Kind.REJECTED, "the member is not the leader; ask the leader itself"),
            refusal("Peer URLs already exists", Kind.CONFLICT, "a member with this peer URL already exists"),
            refusal("member ID already exist", Kind.CONFLICT, "a member with this id already exists"),
            refusal("member not found", Kind.NOT_FOUND, "the ring has no such member; read the member list again"),
            refusal(LEARNER_BEHIND, Kind.REJECTED, "the learner has not caught up with the leader yet"),
            refusal("can only promote a learner member", Kind.CONFLICT, "the member is already a voter"),
            refusal("too many learner members in cluster", Kind.REJECTED, """
                the ring already has as many learners as it allows; first promote or remove one\
                """),
            refusal("given member URLs are invalid", Kind.REJECTED, "etcd rejects the peer URL as malformed"),
            refusal("bad leader transferee", Kind.REJECTED, "only a voter of the ring can become its leader"),
            refusal(NOT_FOR_LEARNERS, Kind.REJECTED, "the member is a learner and does not serve this; use a voter"),
            refusal("not capable", Kind.REJECTED, "the lowest version in the ring does not support this yet"),
            refusal("database space exceeded", Kind.REJECTED, "the ring is out of space (NOSPACE alarm)"),
            refusal("corrupt cluster", Kind.REJECTED, "the ring reports corruption; look at its alarms"),
            refusal("too many requests", Kind.REJECTED, "the member is overloaded; try again later"),
            refusal(WHO_ARE_YOU, Kind.UNAUTHORIZED, """
                the ring has authentication enabled, and accepts no caller without an identity\
                """),
            refusal(NO_AUTHENTICATION, Kind.REJECTED, "the ring has no authentication enabled"),
            refusal(NO_USER.getFirst(), Kind.UNAUTHORIZED, NO_SUCH_USER),
            refusal(NO_USER.getLast(), Kind.UNAUTHORIZED, NO_SUCH_USER),
            refusal(WRONG_PASSWORD, Kind.UNAUTHORIZED, "the ring does not accept the user or its password"),
            refusal("root user does not exist", Kind.REJECTED, "etcd enables authentication only with a user root"),
            refusal("root user does not have root role", Kind.REJECTED, """
                etcd enables authentication only where the user root has the role root\
                """),
            refusal("invalid auth management", Kind.REJECTED, """
                while authentication is enabled etcd keeps the user and the role root, and it refuses a range whose end \
                is not above its beginning\
                """),
            refusal(NOT_ALLOWED, Kind.UNAUTHORIZED, """
                the user does not have the role root, which etcd requires for this; grant it (etcdctl user \
                grant-role USER root), or use another user\
                """),
            refusal(COMPACTED, Kind.REJECTED, """
                the revision is compacted; ask for a newer one\
                """),
            refusal("required revision is a future revision", Kind.REJECTED, """
                the member does not have this revision yet; wait until it has caught up, or ask for an earlier one\
                """),
            refusal("invalid downgrade target version", Kind.REJECTED, """
                etcd can only be downgraded to the minor version before the cluster version\
                """),
            refusal("downgrade job in progress", Kind.REJECTED, "a downgrade is already announced; cancel it first"),
            refusal("cluster version not found", Kind.REJECTED, "the members have not agreed on a version yet"),
            refusal(NO_DOWNGRADE, Kind.REJECTED, "no downgrade is announced"),
            lost("no leader", Kind.REJECTED, "the ring has no leader; bring a majority of its voters back"),
            lost("leader changed", Kind.TIMEOUT, "the ring changed its leader in the meantime; read its state again"),
            lost("request timed out", Kind.TIMEOUT, "a majority of the voters did not agree in time"),
            lost("server stopped", Kind.UNREACHABLE, "the member is shutting down"));

    private EtcdErrors() {}

    /// For a call that only reads.
    static GatewayException reading(String call, Throwable failure) {
        return translate(call, failure, false);
    }

    /// For a call that changes the ring.
    static GatewayException changing(String call, Throwable failure) {
        return translate(call, failure, true);
    }

    static boolean learnerBehind(Throwable failure) {
        return description(failure).contains(LEARNER_BEHIND);
    }

    static boolean compacted(Throwable failure) {
        return description(failure).contains(COMPACTED);
    }

    static boolean noDowngrade(Throwable failure) {
        return description(failure).contains(NO_DOWNGRADE);
    }

    /// A call without a token, or with one that the member no longer accepts, has done nothing.
    static boolean asksToSignIn(Throwable failure) {
        return sessionEnded(failure) || description(failure).contains(WHO_ARE_YOU);
    }

    /// The call has done nothing, and another identity may be allowed to do it.
    static boolean refusesIdentity(Throwable failure) {
        String text = description(failure);
        return !(failure instanceof RootRefused)
                && !outdated(failure)
                && (asksToSignIn(failure)
                        || text.contains(NOT_ALLOWED)
                        || NO_USER.stream().anyMatch(text::contains));
    }

    /// The users were changed while the call was on its way: it has done nothing, and may be made again.
    static boolean outdated(Throwable failure) {
        return OLD_REVISION.stream().anyMatch(description(failure)::contains);
    }

    static boolean refusesPassword(Throwable failure) {
        return description(failure).contains(WRONG_PASSWORD);
    }

    static boolean withoutAuthentication(Throwable failure) {
        return description(failure).contains(NO_AUTHENTICATION);
    }

    static boolean isNotForLearners(Throwable failure) {
        return description(failure).contains(NOT_FOR_LEARNERS);
    }

    /// For a call that takes a majority of the voters. A member may end it shortly before its deadline; 3.4 then
    /// answers with status UNKNOWN.
    static boolean lacksMajority(Throwable failure) {
        var code = status(failure).getCode();
        return code == Status.Code.DEADLINE_EXCEEDED
                || code == Status.Code.CANCELLED
                || GIVEN_UP.stream().anyMatch(description(failure)::contains)
                || phrase(failure)
                        .filter(p -> p.happened() && p.kind() != Kind.UNREACHABLE)
                        .isPresent();
    }

    static boolean failedTls(Throwable failure) {
        return causes(failure).anyMatch(SSLException.class::isInstance);
    }

    /// Maintenance calls report it with their own texts, and with status UNKNOWN.
    private static boolean sessionEnded(Throwable failure) {
        return Errors.isInvalidTokenError(status(failure))
                || description(failure).contains("invalid auth token")
                || outdated(failure);
    }

    private static GatewayException translate(String call, Throwable failure, boolean changes) {
        if (failure instanceof RootRefused refused) {
            return refused.unusable()
                    ? new RootUnusable(call + ": " + FOR_ROOT_ALONE + refused.why() + WAY_OUT)
                    : of(call, Kind.UNAUTHORIZED, false, FOR_ROOT_ALONE + refused.why());
        }
        var status = status(failure);
        if (neverConnected(failure)) {
            return of(call, Kind.UNREACHABLE, false, "connection refused");
        }
        if (failedTls(failure)) {
            return of(call, Kind.UNAUTHORIZED, false, """
                TLS failed: the member's certificate is not from the ring's CA or not for its name, or the member \
                does not accept ours\
                """);
        }
        if (sessionEnded(failure)) {
            return of(call, Kind.UNAUTHORIZED, false, "the ring no longer accepts the session; try again");
        }
        return phrase(failure)
                .map(p -> of(call, p.kind(), changes && p.happened(), p.advice()))
                .orElseGet(() -> byCode(call, status, changes));
    }

    private static GatewayException byCode(String call, Status status, boolean changes) {
        var code = status.getCode();
        return switch (code) {
            case DEADLINE_EXCEEDED -> of(call, Kind.TIMEOUT, changes, "no answer within the deadline");
            case CANCELLED -> of(call, Kind.TIMEOUT, changes, "cancelled before there was an answer");
            case UNAVAILABLE -> of(call, Kind.UNREACHABLE, changes, "the connection was lost");
            case UNAUTHENTICATED, PERMISSION_DENIED ->
                of(call, Kind.UNAUTHORIZED, false, "the member does not accept this client's identity");
            case NOT_FOUND -> of(call, Kind.NOT_FOUND, false, "the ring has no such member");
            case UNIMPLEMENTED -> of(call, Kind.REJECTED, false, "this version of etcd does not know the call");
            case OK,
                    UNKNOWN,
                    INVALID_ARGUMENT,
                    ALREADY_EXISTS,
                    RESOURCE_EXHAUSTED,
                    FAILED_PRECONDITION,
                    ABORTED,
                    OUT_OF_RANGE,
                    INTERNAL,
                    DATA_LOSS ->
                of(call, Kind.REJECTED, changes, "the member answered with gRPC status " + code + "; see its log");
        };
    }

    private static boolean neverConnected(Throwable failure) {
        return causes(failure)
                .anyMatch(cause -> cause instanceof ConnectException
                        || cause instanceof NoRouteToHostException
                        || cause instanceof UnresolvedAddressException);
    }

    private static Optional<Phrase> phrase(Throwable failure) {
        String text = description(failure);
        return PHRASES.stream().filter(p -> text.contains(p.text())).findFirst();
    }

    private static String description(Throwable failure) {
        return Optional.ofNullable(status(failure).getDescription()).orElse("");
    }

    private static Status status(Throwable failure) {
        return Status.fromThrowable(failure);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .limit(20);
    }

    private static GatewayException of(String call, Kind kind, boolean mayHaveHappened, String words) {
        return new GatewayException(kind, mayHaveHappened, call + ": " + words);
    }

    private static Phrase refusal(String text, Kind kind, String advice) {
        return new Phrase(text, kind, false, advice);
    }

    private static Phrase lost(String text, Kind kind, String advice) {
        return new Phrase(text, kind, true, advice);
    }
}
