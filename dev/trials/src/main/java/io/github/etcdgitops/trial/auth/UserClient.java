package io.github.etcdgitops.trial.auth;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Consumer;

/// A client of a ring, as a user with a password, as whoever the ring's client
/// certificate names, or as nobody.
final class UserClient {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    private final Bench bench;
    private final String ring;
    private final Optional<String> user;
    private final String password;

    private UserClient(Bench bench, String ring, Optional<String> user, String password) {
        this.bench = bench;
        this.ring = ring;
        this.user = user;
        this.password = password;
    }

    /// Who signs in with the password that the user's Secret has now.
    static UserClient of(Bench bench, String ring, String user) {
        return new UserClient(bench, ring, Optional.of(user), password(bench, ring, user));
    }

    static UserClient withoutUser(Bench bench, String ring) {
        return new UserClient(bench, ring, Optional.empty(), "");
    }

    private static String password(Bench bench, String ring, String user) {
        var secret = bench.kube()
                .secrets()
                .inNamespace(bench.namespace())
                .withName(ring + "-user-" + user)
                .get();
        TrialFailure.unless(secret != null, "there is no Secret of the user " + user);
        return new String(Base64.getDecoder().decode(secret.getData().get("password")), StandardCharsets.UTF_8);
    }

    void demandReads(String key) {
        said(c -> read(c, key)).ifPresent(refusal -> fail("may not read " + key + ": " + refusal));
    }

    void demandWrites(String key) {
        said(c -> write(c, key)).ifPresent(refusal -> fail("may not write " + key + ": " + refusal));
    }

    void demandNoRead(String key) {
        refused("read " + key, c -> read(c, key));
    }

    void demandNoWrite(String key) {
        refused("write " + key, c -> write(c, key));
    }

    private static void read(Channel channel, String key) {
        var _ = KVGrpc.newBlockingStub(channel)
                .withDeadlineAfter(CALL)
                .range(RangeRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .build());
    }

    private static void write(Channel channel, String key) {
        var _ = KVGrpc.newBlockingStub(channel)
                .withDeadlineAfter(CALL)
                .put(PutRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .setValue(ByteString.copyFromUtf8("1"))
                        .build());
    }

    private void refused(String what, Consumer<Channel> call) {
        var refusal = said(call);
        TrialFailure.unless(
                refusal.filter(UserClient::isRefusal).isPresent(),
                who() + " may " + what + ": " + refusal.orElse("etcd did it"));
    }

    private static boolean isRefusal(String text) {
        return text.contains("permission denied")
                || text.contains("user name is empty")
                || text.contains("invalid user ID or password");
    }

    private void fail(String what) {
        throw new TrialFailure(who() + " " + what);
    }

    private String who() {
        return user.orElse("nobody");
    }

    /// What etcd refused with; empty where it did it. A refusal because users were changed at that moment is
    /// repeated, as clients do.
    private Optional<String> said(Consumer<Channel> call) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            var refusal = once(call);
            boolean again = refusal.filter(text -> !isRefusal(text)).isPresent();
            if (!again || System.nanoTime() > end) {
                return refusal;
            }
        }
    }

    private Optional<String> once(Consumer<Channel> call) {
        var channel = channel();
        try {
            call.accept(user.map(name -> signedIn(channel, name)).orElse(channel));
            return Optional.empty();
        } catch (StatusRuntimeException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } finally {
            channel.shutdownNow();
        }
    }

    private Channel signedIn(Channel channel, String name) {
        var headers = new Metadata();
        headers.put(
                TOKEN,
                AuthGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(CALL)
                        .authenticate(AuthenticateRequest.newBuilder()
                                .setName(name)
                                .setPassword(password)
                                .build())
                        .getToken());
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    private ManagedChannel channel() {
        var builder = NettyChannelBuilder.forAddress(address(), 2379);
        return bench.tls(ring)
                .client()
                .map(t -> builder.sslContext(t.tls().context())
                        .overrideAuthority(t.tls().authority()))
                .orElseGet(builder::usePlaintext)
                .build();
    }

    private String address() {
        return bench.kube()
                .pods()
                .inNamespace(bench.namespace())
                .withName(ring + "-0")
                .get()
                .getStatus()
                .getPodIP();
    }
}
