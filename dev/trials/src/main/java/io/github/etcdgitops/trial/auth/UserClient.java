package io.github.etcdgitops.trial.auth;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.it.ClientTls;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.RingTls;
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
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Consumer;

/// A client of a ring: a user with a password, whoever its certificate names, or nobody.
final class UserClient {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    private final Bench bench;
    private final String ring;
    private final Optional<String> user;
    private final String password;
    private final Optional<ClientTls> tls;

    private UserClient(Bench bench, String ring, Optional<String> user, String password, Optional<ClientTls> tls) {
        this.bench = bench;
        this.ring = ring;
        this.user = user;
        this.password = password;
        this.tls = tls;
    }

    /// Signs in with the password that the user's Secret has now.
    static UserClient of(Bench bench, String ring, String user) {
        return withPassword(bench, ring, user, entry(bench, ring + "-user-" + user, "password"));
    }

    /// The same for root.
    static UserClient root(Bench bench, String ring) {
        return withPassword(bench, ring, "root", entry(bench, ring + "-root-auth", "password"));
    }

    static UserClient withPassword(Bench bench, String ring, String user, String password) {
        return new UserClient(bench, ring, Optional.of(user), password, ours(bench, ring));
    }

    static UserClient withoutUser(Bench bench, String ring) {
        return new UserClient(bench, ring, Optional.empty(), "", ours(bench, ring));
    }

    /// With a certificate of the ring's CA whose common name is `NAME-client`.
    static UserClient withCertificate(Bench bench, String ring, String name) {
        var ca = new Credential(
                entry(bench, ring + "-ca", "tls.crt").getBytes(StandardCharsets.US_ASCII),
                entry(bench, ring + "-ca", "tls.key").getBytes(StandardCharsets.US_ASCII));
        var shown = Authority.of(ca)
                .issue(Leaf.CLIENT, new ClusterRef(bench.namespace(), name), Instant.now(), Duration.ofHours(1));
        String authority = ours(bench, ring).orElseThrow().authority();
        return new UserClient(
                bench, ring, Optional.empty(), "", Optional.of(ClientTls.of(ca.certificatePem(), shown, authority)));
    }

    private static Optional<ClientTls> ours(Bench bench, String ring) {
        return bench.tls(ring).client().map(RingTls.Client::tls);
    }

    private static String entry(Bench bench, String name, String key) {
        var secret = bench.kube()
                .secrets()
                .inNamespace(bench.namespace())
                .withName(name)
                .get();
        TrialFailure.unless(secret != null, "there is no Secret " + name);
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }

    void demandSignsIn() {
        said(_ -> {}).ifPresent(refusal -> fail("cannot sign in: " + refusal));
    }

    void demandNoSignIn() {
        String refusal = said(_ -> {}).orElse("etcd gave a token");
        TrialFailure.unless(refusal.contains("invalid user ID or password"), who() + " is told: " + refusal);
    }

    /// A change of users by hand.
    void changes(Consumer<AuthGrpc.AuthBlockingStub> change) {
        said(c -> change.accept(AuthGrpc.newBlockingStub(c).withDeadlineAfter(CALL)))
                .ifPresent(refusal -> fail("may not change users: " + refusal));
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
        return user.orElse("whoever does not sign in");
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
        return tls.map(t -> builder.sslContext(t.context()).overrideAuthority(t.authority()))
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
