package io.github.etcdgitops.gateway;

import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.auth.AuthStatus;
import io.github.etcdgitops.state.auth.RootPassword;
import io.github.etcdgitops.state.auth.UsersRevision;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.util.Optional;

/// The users and roles of a ring's own authentication, one endpoint per call. They belong to the ring, not
/// to the member: each of these calls needs a majority of the voters. Every call ends within its deadline
/// and throws [GatewayException]; no message contains a password.
///
/// From etcd 3.4 on.
public interface RingUsers {
    /// The largest number of users, and of roles, that is read.
    int MOST = 1_000;

    /// The longest name of a user or role that is read.
    int LONGEST_NAME = 256;

    /// Whether authentication is enabled, with every user and role. etcd puts each read into the ring's log:
    /// one entry for each user and role. UNAUTHORIZED where authentication is enabled, and we are not root
    /// there; REJECTED where the ring has more than [#MOST] users or roles, or longer names than that.
    AuthState read(MemberAccess.Route route, Duration deadline);

    /// Whether authentication is enabled, and the revision of users and roles: one entry of the log. Empty where
    /// the member does not tell it, as below 3.5. UNAUTHORIZED likewise; from 3.7 on any client may ask.
    Optional<AuthStatus> status(MemberAccess.Route route, Duration deadline);

    /// Whether authentication is enabled, which any client may ask and which writes nothing.
    boolean enabled(MemberAccess.Route route, Duration deadline);

    /// Makes one change; `password` is given where the change needs one, and only there. NOT_FOUND where it
    /// is about a user or a role that does not exist, unless it takes something away. REJECTED where etcd
    /// refuses it, as it refuses to enable authentication without the user `root`. IllegalArgumentException
    /// where a password is missing, empty, or too many.
    ///
    /// Some outcomes are not what they seem. A user without a password keeps none, whatever is given to it. A
    /// role that has other ranges from the same key on may keep its former access beside a new one: revoke
    /// the range first where less is to be left.
    ///
    /// After `mayHaveHappened` the same change can be made again.
    Outcome apply(MemberAccess.Route route, AuthChange change, Optional<String> password, Duration deadline);

    /// Signs in: false where etcd accepts no such user with this password, and for a user without one.
    /// REJECTED where authentication is not enabled: etcd checks no password then.
    boolean accepts(MemberAccess.Route route, String user, String password, Duration deadline);

    /// Signs in as `root` with the password in its Secret. Everything else shows its certificate first, so that
    /// a wrong password would stay unnoticed. REJECTED where authentication is not enabled.
    RootPassword rootPassword(MemberAccess.Route route, Duration deadline);

    /// Which Secret with the password of `root` there is, by its resourceVersion. Asks no member. Empty where
    /// there is none, or we may not read it.
    Optional<String> rootSecret(MemberAccess.Route route);

    /// The moment of a status, where `root` can still sign in as it was last proven to: empty where its Secret
    /// cannot be read.
    default Optional<UsersRevision> moment(MemberAccess.Route route, EtcdId cluster, AuthStatus status) {
        var secret = status.enabled() ? rootSecret(route) : Optional.<String>empty();
        return Optional.of(new UsersRevision(cluster, status.revision(), secret))
                .filter(_ -> secret.isPresent() || !status.enabled());
    }

    /// Users and roles, and the moment at which the ring has exactly these; `before` is the status that was read
    /// just before. The moment is unknown where the ring does not tell it, where others change users meanwhile,
    /// and where `root` cannot sign in with its password. Without TLS, whoever is answered has done so: then only
    /// the moment needs a proof.
    default Reading reading(MemberAccess.Route route, EtcdId cluster, Optional<AuthStatus> before, Duration deadline) {
        var moment = before.flatMap(status -> moment(route, cluster, status));
        var users = read(route, deadline);
        boolean secured = route.door() == MemberAccess.Door.CLIENT_TLS;
        var root = users.enabled() && (secured || moment.isPresent()) ? root(route, deadline) : RootPassword.UNASKED;
        boolean certain = !users.enabled() || root == RootPassword.ACCEPTED;
        return new Reading(
                users,
                secured ? root : RootPassword.UNASKED,
                moment.filter(_ -> certain && before.equals(status(route, deadline))));
    }

    /// Without an answer, the users are known all the same.
    private RootPassword root(MemberAccess.Route route, Duration deadline) {
        try {
            return rootPassword(route, deadline);
        } catch (GatewayException _) {
            return RootPassword.UNASKED;
        }
    }

    record Reading(AuthState users, RootPassword root, Optional<UsersRevision> moment) {}

    enum Outcome {
        /// etcd has made it, or says nothing of its having been so already.
        DONE,
        /// It was so already. A user that exists may have another password, or none.
        ALREADY_SO
    }
}
