package io.github.etcdgitops.ring.auth;

import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.auth.User.SignIn;
import java.util.List;
import java.util.SortedMap;

/// What operation ids say of the users that documents ask for.
final class UserText {
    private UserText() {}

    /// Everything that decides who may do what.
    static Resolved of(Auth auth) {
        var resolved = secrets(DesiredUsers.passwords(auth)).and("exclusive", auth.exclusive());
        for (var user : auth.users().entrySet()) {
            resolved = resolved.and(
                            "user." + user.getKey() + ".roles",
                            List.copyOf(user.getValue().roles()))
                    .and(
                            "user." + user.getKey() + ".signIn",
                            kind(user.getValue().signIn()));
        }
        for (var role : auth.roles().entrySet()) {
            resolved = resolved.and(
                    "role." + role.getKey(),
                    role.getValue().stream().map(UserText::whole).toList());
        }
        return resolved;
    }

    private static List<String> whole(Grant grant) {
        return List.of(grant.access().wire(), grant.keys().from(), grant.keys().end());
    }

    /// Where the passwords come from.
    static Resolved secrets(SortedMap<String, SignIn.Password> users) {
        var resolved = Resolved.NOTHING;
        for (var user : users.entrySet()) {
            var secret = user.getValue().secret();
            resolved = resolved.and("user." + user.getKey() + ".secret", secret.map(User.SecretRef::name))
                    .and("user." + user.getKey() + ".key", secret.map(User.SecretRef::key))
                    .and("user." + user.getKey() + ".number", user.getValue().number());
        }
        return resolved;
    }

    private static String kind(SignIn signIn) {
        return switch (signIn) {
            case SignIn.Password _ -> "password";
            case SignIn.Certificate _ -> "certificate";
        };
    }
}
