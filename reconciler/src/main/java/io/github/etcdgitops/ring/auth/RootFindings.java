package io.github.etcdgitops.ring.auth;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.auth.RootPassword;
import io.github.etcdgitops.state.value.Observed.Cause;
import java.util.Optional;

/// The findings about the password of `root`. Where the certificate of `root` works, a lost password is replaced.
record RootFindings(ClusterRef ref, RingState.Access access) {
    /// Nothing about users can be read or changed.
    boolean lockedOut() {
        return access.users().isUnknownBecause(Cause.ROOT_UNUSABLE);
    }

    boolean isToBeReplaced() {
        return access.root() == RootPassword.REFUSED || access.root() == RootPassword.MISSING;
    }

    Optional<Finding> finding() {
        if (lockedOut()) {
            return Optional.of(new Finding(
                    Level.ERROR,
                    FindingCode.ROOT_LOCKED_OUT,
                    "nobody can change users and roles, take a backup or change members: "
                            + access.users().unknownReason().orElse("")));
        }
        return password().map(what -> new Finding(Level.WARNING, FindingCode.ROOT_PASSWORD, what));
    }

    private Optional<String> password() {
        String secret = "the Secret " + ref.name() + "-root-auth";
        String works = ". Everything goes on with the certificate in " + ref.name() + "-root-tls. ";
        return switch (access.root()) {
            case UNASKED, ACCEPTED -> Optional.empty();
            case REFUSED ->
                Optional.of("etcd does not accept the password of root in " + secret + works
                        + "RotatePasswords gives root another one");
            case MISSING ->
                Optional.of(secret + " with the password of root does not exist" + works
                        + "RotatePasswords gives root another one");
            case FOREIGN ->
                Optional.of(secret + " has no password of root that etcd accepts, and we do not write over it" + works
                        + "Delete that Secret, and the next run gives root another one");
        };
    }
}
