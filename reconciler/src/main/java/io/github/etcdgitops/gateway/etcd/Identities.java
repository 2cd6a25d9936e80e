package io.github.etcdgitops.gateway.etcd;

import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.state.value.Observed;
import java.util.Optional;

/// Our identities at the members of rings. The ordinary one is shown first, and that of etcd's user `root`
/// only where etcd refuses the ordinary one: it may do everything.
@FunctionalInterface
public interface Identities {
    /// Plain text everywhere, and no `root`.
    Identities NONE = _ -> Optional.empty();

    /// The CA of the member's ring, and our certificate; empty for plain text.
    Optional<TlsMaterial> ordinary(MemberAccess.Route route);

    /// The certificate of `root`. It is preferred: it works without quorum, and nothing is written to the ring
    /// to sign in. Unknown says which Secret, or which right to it, is missing: with the cause
    /// ROOT_UNUSABLE or ROOT_PASSWORD_GONE where it is the Secret.
    default Observed<TlsMaterial> rootCertificate(MemberAccess.Route route) {
        return Observed.unknown("no certificate of root is known");
    }

    /// The password of `root` as it is now, for whoever was refused with what was read before.
    default Observed<RingPasswords.Stored> rootPasswordAgain(MemberAccess.Route route) {
        return rootPassword(route);
    }

    /// The password of `root`. Unknown says likewise.
    default Observed<RingPasswords.Stored> rootPassword(MemberAccess.Route route) {
        return Observed.unknown("no password of root is known");
    }
}
