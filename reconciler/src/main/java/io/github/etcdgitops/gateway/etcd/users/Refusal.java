package io.github.etcdgitops.gateway.etcd.users;

import io.grpc.StatusRuntimeException;
import java.util.Arrays;
import java.util.Optional;

/// What etcd answers instead of making a change of users and roles. It has changed nothing then.
///
/// Source: `api/v3rpc/rpctypes/error.go` of etcd.
enum Refusal {
    USER_EXISTS("user name already exists"),
    /// The user that the call names, or the caller: a certificate whose common name is no user.
    NO_USER("user name not found"),
    ROLE_EXISTS("role name already exists"),
    NO_ROLE("role name not found"),
    ROLE_NOT_GIVEN("role is not granted to the user"),
    KEYS_NOT_GRANTED("permission is not granted to the role"),
    NOT_ENABLED("authentication is not enabled"),
    /// The user is unknown, has another password, or has none.
    NOT_SIGNED_IN("authentication failed");

    private final String text;

    Refusal(String text) {
        this.text = text;
    }

    static Optional<Refusal> of(StatusRuntimeException failure) {
        String said = Optional.ofNullable(failure.getStatus().getDescription()).orElse("");
        return Arrays.stream(values())
                .filter(known -> said.contains(known.text))
                .findFirst();
    }
}
