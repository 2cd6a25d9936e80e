package io.github.etcdgitops.gateway.etcd.users;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.etcd.jetcd.api.AuthDisableRequest;
import io.etcd.jetcd.api.AuthEnableRequest;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthRoleAddRequest;
import io.etcd.jetcd.api.AuthRoleDeleteRequest;
import io.etcd.jetcd.api.AuthRoleGrantPermissionRequest;
import io.etcd.jetcd.api.AuthRoleRevokePermissionRequest;
import io.etcd.jetcd.api.AuthUserAddRequest;
import io.etcd.jetcd.api.AuthUserChangePasswordRequest;
import io.etcd.jetcd.api.AuthUserDeleteRequest;
import io.etcd.jetcd.api.AuthUserGrantRoleRequest;
import io.etcd.jetcd.api.AuthUserRevokeRoleRequest;
import io.etcd.jetcd.api.Permission;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.RingUsers.Outcome;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.AuthChange.AddRole;
import io.github.etcdgitops.state.auth.AuthChange.AddUser;
import io.github.etcdgitops.state.auth.AuthChange.AddUserWithoutPassword;
import io.github.etcdgitops.state.auth.AuthChange.ChangePassword;
import io.github.etcdgitops.state.auth.AuthChange.DeleteRole;
import io.github.etcdgitops.state.auth.AuthChange.DeleteUser;
import io.github.etcdgitops.state.auth.AuthChange.Disable;
import io.github.etcdgitops.state.auth.AuthChange.Enable;
import io.github.etcdgitops.state.auth.AuthChange.GrantKeys;
import io.github.etcdgitops.state.auth.AuthChange.GrantRole;
import io.github.etcdgitops.state.auth.AuthChange.RevokeKeys;
import io.github.etcdgitops.state.auth.AuthChange.RevokeRole;
import io.grpc.Channel;
import io.grpc.Deadline;
import io.grpc.StatusRuntimeException;
import java.util.EnumSet;
import java.util.Set;

/// Makes one change of users and roles. Throws StatusRuntimeException where the member refuses, or does not
/// answer, and GatewayException where the change is about what does not exist.
public record ChangeCalls(Channel channel, Deadline deadline) {
    /// Fields of a request to add a user that jetcd does not know.
    private static final int OPTIONS = 3;

    private static final int NO_PASSWORD = 1;

    /// `password` is empty where the change needs none; `title` starts messages.
    public Outcome make(String title, AuthChange change, String password) {
        try {
            send(change, password);
            return Outcome.DONE;
        } catch (StatusRuntimeException e) {
            var refusal = Refusal.of(e).orElseThrow(() -> e);
            if (refusal == Refusal.NO_USER) {
                new UserCalls(channel, deadline).confirmAdmitted();
            }
            if (alreadySo(change).contains(refusal)) {
                return Outcome.ALREADY_SO;
            }
            throw switch (refusal) {
                case NO_USER -> missing(title, "the ring has no such user; read its users again");
                case NO_ROLE -> missing(title, "the ring has no such role; read its roles again");
                case USER_EXISTS, ROLE_EXISTS, ROLE_NOT_GIVEN, KEYS_NOT_GRANTED, NOT_ENABLED, NOT_SIGNED_IN -> e;
            };
        }
    }

    private static GatewayException missing(String title, String what) {
        return new GatewayException(Kind.NOT_FOUND, false, title + ": " + what);
    }

    /// The refusals by which the change has nothing left to do.
    private static Set<Refusal> alreadySo(AuthChange change) {
        return switch (change) {
            case AddRole _ -> EnumSet.of(Refusal.ROLE_EXISTS);
            case DeleteRole _ -> EnumSet.of(Refusal.NO_ROLE);
            case RevokeKeys _ -> EnumSet.of(Refusal.KEYS_NOT_GRANTED, Refusal.NO_ROLE);
            case AddUser _, AddUserWithoutPassword _ -> EnumSet.of(Refusal.USER_EXISTS);
            case DeleteUser _ -> EnumSet.of(Refusal.NO_USER);
            case RevokeRole _ -> EnumSet.of(Refusal.ROLE_NOT_GIVEN, Refusal.NO_USER);
            case GrantKeys _, ChangePassword _, GrantRole _, Enable _, Disable _ -> EnumSet.noneOf(Refusal.class);
        };
    }

    private void send(AuthChange change, String password) {
        var stub = AuthGrpc.newBlockingStub(channel).withDeadline(deadline);
        var _ = switch (change) {
            case AddRole(String role) ->
                stub.roleAdd(AuthRoleAddRequest.newBuilder().setName(role).build());
            case DeleteRole(String role) ->
                stub.roleDelete(AuthRoleDeleteRequest.newBuilder().setRole(role).build());
            case GrantKeys(String role, Grant grant) -> stub.roleGrantPermission(grant(role, grant));
            case RevokeKeys(String role, KeyRange keys) -> stub.roleRevokePermission(revoke(role, keys));
            case AddUser(String user) ->
                stub.userAdd(add(user).setPassword(password).build());
            case AddUserWithoutPassword(String user) ->
                stub.userAdd(add(user).setUnknownFields(withoutPassword()).build());
            case DeleteUser(String user) ->
                stub.userDelete(AuthUserDeleteRequest.newBuilder().setName(user).build());
            case ChangePassword(String user) ->
                stub.userChangePassword(AuthUserChangePasswordRequest.newBuilder()
                        .setName(user)
                        .setPassword(password)
                        .build());
            case GrantRole(String user, String role) ->
                stub.userGrantRole(AuthUserGrantRoleRequest.newBuilder()
                        .setUser(user)
                        .setRole(role)
                        .build());
            case RevokeRole(String user, String role) ->
                stub.userRevokeRole(AuthUserRevokeRoleRequest.newBuilder()
                        .setName(user)
                        .setRole(role)
                        .build());
            case Enable _ -> stub.authEnable(AuthEnableRequest.getDefaultInstance());
            case Disable _ -> stub.authDisable(AuthDisableRequest.getDefaultInstance());
        };
    }

    private static AuthUserAddRequest.Builder add(String user) {
        return AuthUserAddRequest.newBuilder().setName(user);
    }

    private static UnknownFieldSet withoutPassword() {
        var options = UnknownFieldSet.newBuilder()
                .addField(
                        NO_PASSWORD,
                        UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                .build();
        return UnknownFieldSet.newBuilder()
                .addField(
                        OPTIONS,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(options.toByteString())
                                .build())
                .build();
    }

    private static AuthRoleGrantPermissionRequest grant(String role, Grant grant) {
        var access = switch (grant.access()) {
            case READ -> Permission.Type.READ;
            case WRITE -> Permission.Type.WRITE;
            case READWRITE -> Permission.Type.READWRITE;
        };
        return AuthRoleGrantPermissionRequest.newBuilder()
                .setName(role)
                .setPerm(Permission.newBuilder()
                        .setPermType(access)
                        .setKey(ByteString.copyFrom(grant.keys().fromBytes()))
                        .setRangeEnd(ByteString.copyFrom(grant.keys().endBytes())))
                .build();
    }

    private static AuthRoleRevokePermissionRequest revoke(String role, KeyRange keys) {
        return AuthRoleRevokePermissionRequest.newBuilder()
                .setRole(role)
                .setKey(ByteString.copyFrom(keys.fromBytes()))
                .setRangeEnd(ByteString.copyFrom(keys.endBytes()))
                .build();
    }
}
