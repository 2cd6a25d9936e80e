package io.github.etcdgitops.state.auth;

import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.KeyRange;
import java.util.Optional;

/// One change of a ring's users and roles. etcd answers an error where it is already so.
public sealed interface AuthChange {
    record AddRole(String role) implements AuthChange {}

    /// Takes the role from every user that has it.
    record DeleteRole(String role) implements AuthChange {}

    /// May leave a former access on the same range in place.
    record GrantKeys(String role, Grant grant) implements AuthChange {}

    record RevokeKeys(String role, KeyRange keys) implements AuthChange {}

    /// With a password, which is given beside the change.
    record AddUser(String user) implements AuthChange {}

    /// A user that signs in with a certificate only. Since etcd 3.4.
    record AddUserWithoutPassword(String user) implements AuthChange {}

    record DeleteUser(String user) implements AuthChange {}

    /// To the password that is given beside the change. Tokens of the user stay valid no longer.
    record ChangePassword(String user) implements AuthChange {}

    record GrantRole(String user, String role) implements AuthChange {}

    record RevokeRole(String user, String role) implements AuthChange {}

    /// etcd requires the user `root` with the role `root`.
    record Enable() implements AuthChange {}

    record Disable() implements AuthChange {}

    /// The user whose password is given beside the change, where one is.
    default Optional<String> withPassword() {
        return switch (this) {
            case AddUser(String user) -> Optional.of(user);
            case ChangePassword(String user) -> Optional.of(user);
            case AddRole _,
                    DeleteRole _,
                    GrantKeys _,
                    RevokeKeys _,
                    AddUserWithoutPassword _,
                    DeleteUser _,
                    GrantRole _,
                    RevokeRole _,
                    Enable _,
                    Disable _ -> Optional.empty();
        };
    }

    /// For people: an imperative sentence without a full stop.
    default String text() {
        return switch (this) {
            case AddRole(String role) -> "add the role " + role;
            case DeleteRole(String role) -> "delete the role " + role;
            case GrantKeys(String role, Grant grant) -> "grant the role " + role + " " + grant.describe();
            case RevokeKeys(String role, KeyRange keys) -> "take " + keys.describe() + " from the role " + role;
            case AddUser(String user) -> "add the user " + user;
            case AddUserWithoutPassword(String user) -> "add the user " + user + ", who signs in with a certificate";
            case DeleteUser(String user) -> "delete the user " + user;
            case ChangePassword(String user) -> "change the password of the user " + user;
            case GrantRole(String user, String role) -> "give the role " + role + " to the user " + user;
            case RevokeRole(String user, String role) -> "take the role " + role + " from the user " + user;
            case Enable _ -> "enable authentication";
            case Disable _ -> "disable authentication";
        };
    }
}
