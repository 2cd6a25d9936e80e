package io.github.etcdgitops.gateway;

import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.auth.RootPassword;
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

    enum Outcome {
        /// etcd has made it, or says nothing of its having been so already.
        DONE,
        /// It was so already. A user that exists may have another password, or none.
        ALREADY_SO
    }
}
