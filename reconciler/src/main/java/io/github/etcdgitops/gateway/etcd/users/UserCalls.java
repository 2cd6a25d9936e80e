package io.github.etcdgitops.gateway.etcd.users;

import com.google.protobuf.UnknownFieldSet;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthRoleGetRequest;
import io.etcd.jetcd.api.AuthRoleGetResponse;
import io.etcd.jetcd.api.AuthRoleListRequest;
import io.etcd.jetcd.api.AuthUserGetRequest;
import io.etcd.jetcd.api.AuthUserGetResponse;
import io.etcd.jetcd.api.AuthUserListRequest;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.Permission;
import io.github.etcdgitops.gateway.etcd.call.Ahead;
import io.github.etcdgitops.gateway.etcd.call.ByNumber;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.Grant.Access;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.state.auth.AuthStatus;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// Calls about users and roles that change nothing. Throws StatusRuntimeException where the member refuses,
/// or does not answer.
public record UserCalls(Channel channel, Deadline deadline) {
    /// How many users or roles are read on one connection: it bounds how much a server may send.
    public static final int ON_ONE_CONNECTION = 50;

    /// etcd adds no user without a name.
    private static final String NOBODY = "";

    private static final MethodDescriptor<UnknownFieldSet, UnknownFieldSet> STATUS =
            ByNumber.method("etcdserverpb.Auth/AuthStatus");

    private static final int ENABLED = 2;
    private static final int REVISION = 3;

    private static final Grant NOBODYS = new Grant(Access.READWRITE, new KeyRange("", "\0"));

    /// From the answer to a sign-in of nobody, which all releases give to everybody, and which adds no entry to
    /// the log, as [#status] does.
    public boolean enabled() {
        try {
            signIn(NOBODY, NOBODY);
            return true;
        } catch (StatusRuntimeException e) {
            return switch (Refusal.of(e).orElseThrow(() -> e)) {
                case NOT_SIGNED_IN -> true;
                case NOT_ENABLED -> false;
                case USER_EXISTS, NO_USER, ROLE_EXISTS, NO_ROLE, ROLE_NOT_GIVEN, KEYS_NOT_GRANTED -> throw e;
            };
        }
    }

    /// Empty where the member does not know the call, as below 3.5.
    public Optional<AuthStatus> status() {
        try {
            var answer = ClientCalls.blockingUnaryCall(
                    channel, STATUS, CallOptions.DEFAULT.withDeadline(deadline), UnknownFieldSet.getDefaultInstance());
            return Optional.of(new AuthStatus(number(answer, ENABLED) != 0, number(answer, REVISION)));
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /// An absent field is zero.
    private static long number(UnknownFieldSet answer, int field) {
        return answer.getField(field).getVarintList().stream().findFirst().orElse(0L);
    }

    /// False where etcd knows no such user with this password.
    public boolean accepts(String user, String password) {
        try {
            signIn(user, password);
            return true;
        } catch (StatusRuntimeException e) {
            if (Refusal.of(e).filter(Refusal.NOT_SIGNED_IN::equals).isPresent()) {
                return false;
            }
            throw e;
        }
    }

    private void signIn(String user, String password) {
        var request = AuthenticateRequest.newBuilder()
                .setName(user)
                .setPassword(password)
                .build();
        var _ = AuthGrpc.newBlockingStub(channel).withDeadline(deadline).authenticate(request);
    }

    /// Only root is answered while authentication is enabled.
    public List<String> users() {
        return AuthGrpc.newBlockingStub(channel)
                .withDeadline(deadline)
                .userList(AuthUserListRequest.getDefaultInstance())
                .getUsersList();
    }

    public List<String> roles() {
        return AuthGrpc.newBlockingStub(channel)
                .withDeadline(deadline)
                .roleList(AuthRoleListRequest.getDefaultInstance())
                .getRolesList();
    }

    /// Without users that are deleted meanwhile.
    public SortedMap<String, SortedSet<String>> rolesOf(List<String> users) {
        Function<String, Ahead<AuthUserGetResponse>> ask = user -> Ahead.of(
                channel,
                AuthGrpc.getUserGetMethod(),
                AuthUserGetRequest.newBuilder().setName(user).build(),
                deadline);
        return each(users, ask, answer -> new TreeSet<>(answer.getRolesList()));
    }

    /// Without roles that are deleted meanwhile, and without a grant of the role `root` that nobody has made: from
    /// 3.6 on etcd shows one.
    public SortedMap<String, SortedSet<Grant>> grantsOf(List<String> roles) {
        Function<String, Ahead<AuthRoleGetResponse>> ask = role -> Ahead.of(
                channel,
                AuthGrpc.getRoleGetMethod(),
                AuthRoleGetRequest.newBuilder().setRole(role).build(),
                deadline);
        var found = each(roles, ask, answer -> {
            var grants = new TreeSet<Grant>();
            answer.getPermList().forEach(permission -> grants.add(grant(permission)));
            return grants;
        });
        Optional.ofNullable(found.get(User.ROOT)).ifPresent(grants -> grants.removeIf(NOBODYS::equals));
        return found;
    }

    /// Asks for all of them at once.
    private <A, T> SortedMap<String, SortedSet<T>> each(
            List<String> names, Function<String, Ahead<A>> ask, Function<A, SortedSet<T>> read) {
        var asked = new LinkedHashMap<String, Ahead<A>>();
        names.forEach(name -> asked.put(name, ask.apply(name)));
        var found = new TreeMap<String, SortedSet<T>>();
        asked.forEach((name, answer) -> present(answer).ifPresent(a -> found.put(name, read.apply(a))));
        if (found.size() < names.size()) {
            confirmAdmitted();
        }
        return found;
    }

    private static <A> Optional<A> present(Ahead<A> answer) {
        try {
            return Optional.of(answer.await());
        } catch (StatusRuntimeException e) {
            return switch (Refusal.of(e).orElseThrow(() -> e)) {
                case NO_USER, NO_ROLE -> Optional.empty();
                case USER_EXISTS, ROLE_EXISTS, ROLE_NOT_GIVEN, KEYS_NOT_GRANTED, NOT_ENABLED, NOT_SIGNED_IN -> throw e;
            };
        }
    }

    /// etcd says of a caller that is no user what it says of a user that it is asked for. Such a caller is
    /// not answered here.
    void confirmAdmitted() {
        var _ = users();
    }

    private static Grant grant(Permission permission) {
        var access = switch (permission.getPermType()) {
            case READ -> Access.READ;
            case WRITE -> Access.WRITE;
            case READWRITE -> Access.READWRITE;
            case UNRECOGNIZED ->
                throw Status.DATA_LOSS
                        .withDescription("a permission of an unknown kind")
                        .asRuntimeException();
        };
        return new Grant(
                access,
                KeyRange.ofBytes(
                        permission.getKey().toByteArray(),
                        permission.getRangeEnd().toByteArray()));
    }
}
