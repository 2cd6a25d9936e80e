package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthDisableRequest;
import io.etcd.jetcd.api.AuthEnableRequest;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthRoleAddRequest;
import io.etcd.jetcd.api.AuthUserAddRequest;
import io.etcd.jetcd.api.AuthUserGrantRoleRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.github.etcdgitops.backup.SnapshotCheck;
import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.GatewayException.RootUnusable;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.gateway.RingPasswords.Password;
import io.github.etcdgitops.gateway.RingPasswords.Stored;
import io.github.etcdgitops.gateway.etcd.Escalation.Purpose;
import io.github.etcdgitops.gateway.etcd.Escalation.Visit;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.it.SigningKeys;
import io.github.etcdgitops.it.TlsFiles;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.RootPassword;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import io.grpc.Channel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rings whose authentication is enabled, with `root`, and with `reader-client`, who has no role. In plain text
/// we show nothing, and `root` signs in with its password. Over TLS we show the certificate of a name that is no
/// user, and `root` shows its own.
class JetcdGatewayAuthIT {
    private static final ClusterRef REF = new ClusterRef("shop", "orders");
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String PASSWORD = "open-sesame";
    private static final Observed<Stored> SIGN_IN = stored(PASSWORD, Optional.empty());
    private static final Observed<TlsMaterial> NO_CERTIFICATE = Observed.unknown("no certificate");
    private static final Observed<Stored> NO_SIGN_IN = Observed.unknown("the Secret orders-root-auth does not exist");

    private final Authority ca = Authority.create(REF, Instant.now(), DAY);
    private final List<EtcdRing> rings = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        rings.forEach(EtcdRing::close);
    }

    private EtcdRing start(String version, int size, Door door, String... more) {
        var flags = new ArrayList<>(List.of("--bcrypt-cost=4"));
        flags.addAll(List.of(more));
        if (door == Door.CLIENT_TLS) {
            flags.addAll(
                    new TlsFiles(folder).clients(ca.issue(Leaf.SERVER, REF, Instant.now(), DAY), ca.certificatePem()));
        }
        var ring = EtcdRing.start(EtcdBinaries.require(version), size, flags);
        rings.add(ring);
        made(identities(door), route(ring, 0, door), JetcdGatewayAuthIT::enable);
        return ring;
    }

    private static void enable(Channel channel) {
        var auth = AuthGrpc.newBlockingStub(channel);
        var _ = KVGrpc.newBlockingStub(channel)
                .put(PutRequest.newBuilder().setKey(text("a")).build());
        for (var user : List.of("root", "reader-client")) {
            var _ = auth.userAdd(AuthUserAddRequest.newBuilder()
                    .setName(user)
                    .setPassword(PASSWORD)
                    .build());
        }
        var _ = auth.roleAdd(AuthRoleAddRequest.newBuilder().setName("root").build());
        var _ = auth.userGrantRole(AuthUserGrantRoleRequest.newBuilder()
                .setUser("root")
                .setRole("root")
                .build());
        var _ = auth.authEnable(AuthEnableRequest.getDefaultInstance());
    }

    private static ByteString text(String text) {
        return ByteString.copyFromUtf8(text);
    }

    private static void made(Identities identities, MemberAccess.Route route, Consumer<Channel> deed) {
        new Escalation(identities).<@Nullable Void, RuntimeException>call(Visit.of(route, LIMIT, Purpose.UPKEEP), e -> {
            try (var channel = e.channel()) {
                deed.accept(e.signed(channel));
                return null;
            }
        });
    }

    private static MemberAccess.Route route(EtcdRing ring, int ordinal, Door door) {
        return new ToRing(ring.member(ordinal).route(REF.memberHost(ordinal)), door, REF);
    }

    private static Observed<Stored> stored(String password, Optional<String> next) {
        return Observed.known(new Stored(new Password(password), next.map(Password::new), "1", true));
    }

    private static TlsMaterial material(Authority authority, Leaf leaf) {
        return material(authority, authority.issue(leaf, REF, Instant.now(), DAY));
    }

    private static TlsMaterial material(Authority authority, Credential made) {
        return new TlsMaterial(authority.certificatePem(), made.certificatePem(), made.keyPem());
    }

    private Identities identities(Door door) {
        boolean secured = door == Door.CLIENT_TLS;
        return new Shown(
                secured ? Optional.of(material(ca, Leaf.CLIENT)) : Optional.empty(),
                secured ? Observed.known(material(ca, Leaf.ROOT)) : NO_CERTIFICATE,
                secured ? NO_SIGN_IN : SIGN_IN);
    }

    private record Shown(Optional<TlsMaterial> client, Observed<TlsMaterial> certificate, Observed<Stored> password)
            implements Identities {
        @Override
        public Optional<TlsMaterial> ordinary(MemberAccess.Route route) {
            return client;
        }

        @Override
        public Observed<TlsMaterial> rootCertificate(MemberAccess.Route route) {
            return certificate;
        }

        @Override
        public Observed<Stored> rootPassword(MemberAccess.Route route) {
            return password;
        }
    }

    private record Rotated(Shown before, Observed<Stored> now) implements Identities {
        @Override
        public Optional<TlsMaterial> ordinary(MemberAccess.Route route) {
            return before.ordinary(route);
        }

        @Override
        public Observed<TlsMaterial> rootCertificate(MemberAccess.Route route) {
            return before.rootCertificate(route);
        }

        @Override
        public Observed<Stored> rootPassword(MemberAccess.Route route) {
            return before.rootPassword(route);
        }

        @Override
        public Observed<Stored> rootPasswordAgain(MemberAccess.Route route) {
            return now;
        }
    }

    private static Shown plain(Observed<Stored> password) {
        return new Shown(Optional.empty(), NO_CERTIFICATE, password);
    }

    /// Another process has given root another password since we read the Secret, and forgotten the former one.
    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.30", "3.6.14"})
    void readsTheSecretAgainWhereItsPasswordIsRefused(String version) {
        var route = route(start(version, 1, Door.CLIENT), 0, Door.CLIENT);
        var former = plain(SIGN_IN);
        var next = Observed.known(new Stored(new Password("another"), Optional.empty(), "2", true));
        var users = new JetcdGateway(former).users();
        assertThat(users.read(route, LIMIT).users()).containsKey("root");
        users.apply(route, new AuthChange.ChangePassword("root"), Optional.of("another"), LIMIT);

        assertThat(new JetcdGateway(new Rotated(former, next))
                        .users()
                        .read(route, LIMIT)
                        .enabled())
                .isTrue();
        assertThatThrownBy(() -> new JetcdGateway(former).users().read(route, LIMIT))
                .isInstanceOf(RootUnusable.class)
                .hasMessageContaining(
                        "etcd does not accept the password of its user root in the Secret orders-root-auth")
                .hasMessageContaining("Root is locked out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.30", "3.6.14"})
    void tellsWhetherThePasswordIsOfUseBesideTheCertificate(String version) {
        var route = route(start(version, 1, Door.CLIENT_TLS), 0, Door.CLIENT_TLS);

        assertThat(asked(SIGN_IN, route)).isEqualTo(RootPassword.ACCEPTED);
        assertThat(asked(stored("former", Optional.of(PASSWORD)), route)).isEqualTo(RootPassword.ACCEPTED);
        assertThat(asked(stored("wrong", Optional.empty()), route)).isEqualTo(RootPassword.REFUSED);
        assertThat(asked(NO_SIGN_IN, route)).isEqualTo(RootPassword.UNASKED);
        assertThat(asked(Observed.unknown("it does not exist", Observed.Cause.ROOT_PASSWORD_GONE), route))
                .isEqualTo(RootPassword.MISSING);
        assertThat(asked(Observed.unknown("it has no password", Observed.Cause.ROOT_UNUSABLE), route))
                .isEqualTo(RootPassword.FOREIGN);
        assertThat(asked(Observed.known(new Stored(new Password("theirs"), Optional.empty(), "1", false)), route))
                .isEqualTo(RootPassword.FOREIGN);
    }

    private RootPassword asked(Observed<Stored> password, MemberAccess.Route route) {
        var shown =
                new Shown(Optional.of(material(ca, Leaf.CLIENT)), Observed.known(material(ca, Leaf.ROOT)), password);
        return new JetcdGateway(shown).users().rootPassword(route, LIMIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.30", "3.5.33", "3.6.14", "3.7.1"})
    void readsAndChangesInPlainText(String version) throws IOException {
        readsAndChanges(start(version, 3, Door.CLIENT), Door.CLIENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.30", "3.5.33", "3.6.14", "3.7.1"})
    void readsAndChangesOverTls(String version) throws IOException {
        readsAndChanges(start(version, 3, Door.CLIENT_TLS), Door.CLIENT_TLS);
    }

    private void readsAndChanges(EtcdRing ring, Door door) throws IOException {
        readsAndChanges(ring, new JetcdGateway(identities(door)), door);
    }

    private static void readsAndChanges(EtcdRing ring, JetcdGateway gateway, Door door) throws IOException {
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            reads(gateway, route(ring, ordinal, door));
        }
        keepsUp(gateway, route(ring, 0, door));
        movesLeader(gateway, ring, door);
        changesMembers(gateway, ring, door);
        // Tokens are in the members' memory alone.
        ring.member(1).kill();
        ring.restart(ring.member(1));
        ring.member(1).awaitReady();
        reads(gateway, route(ring, 1, door));
    }

    private String signing(String pem) throws IOException {
        Path key = Files.writeString(Files.createTempFile(folder, "key", ".pem"), pem);
        return "--auth-token=jwt,priv-key=" + key + ",sign-method=RS256,ttl=300s";
    }

    /// Such a token contains the revision of users and roles, which each change raises.
    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.30", "3.5.33", "3.6.14", "3.7.1"})
    void readsAndChangesWithSignedTokens(String version) throws IOException {
        var ring = start(version, 3, Door.CLIENT, signing(SigningKeys.RSA));
        var gateway = new JetcdGateway(identities(Door.CLIENT));
        reads(gateway, route(ring, 0, Door.CLIENT));

        made(identities(Door.CLIENT), route(ring, 0, Door.CLIENT), channel -> {
            var _ = AuthGrpc.newBlockingStub(channel)
                    .roleAdd(AuthRoleAddRequest.newBuilder().setName("more").build());
        });

        readsAndChanges(ring, gateway, Door.CLIENT);
    }

    /// As while members restart one after the other with another key.
    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.30", "3.5.33", "3.6.14", "3.7.1"})
    void signsInAtEachMemberWhereTheirKeysDiffer(String version) throws IOException {
        var ring = start(version, 3, Door.CLIENT, signing(SigningKeys.RSA));
        var gateway = new JetcdGateway(identities(Door.CLIENT));
        reads(gateway, route(ring, 2, Door.CLIENT));

        ring.member(2).kill();
        ring.restart(ring.member(2).flags(List.of("--bcrypt-cost=4", signing(SigningKeys.OTHER_RSA))));
        ring.member(2).awaitReady();

        for (int ordinal : List.of(2, 0, 2, 1)) {
            reads(gateway, route(ring, ordinal, Door.CLIENT));
        }
    }

    private static void reads(JetcdGateway gateway, MemberAccess.Route route) throws IOException {
        assertThat(gateway.probe(route, LIMIT).members()).hasSize(3);
        assertThat(gateway.revision(route, LIMIT)).isEqualTo(2);
        assertThat(gateway.ringRevision(route, LIMIT)).isEqualTo(2);
        assertThat(gateway.countKeys(route, 0, LIMIT)).isEqualTo(1);
        assertThat(gateway.hashKeys(route, 0, LIMIT).revision()).isEqualTo(2);
        whole(gateway, route);
    }

    private static void whole(JetcdGateway gateway, MemberAccess.Route route) throws IOException {
        var digest = new SnapshotCheck();
        gateway.snapshot(route, LIMIT, digest::update);
        assertThat(digest.finish().fault()).isEmpty();
    }

    private static void keepsUp(JetcdGateway gateway, MemberAccess.Route route) {
        var view = gateway.probe(route, LIMIT);
        gateway.proveWrite(route, LIMIT);
        gateway.writeNothing(route, 3, LIMIT);
        gateway.defragment(route, LIMIT);
        gateway.compact(route, 2, LIMIT);
        gateway.disarmNoSpace(route, view.self(), LIMIT);
        gateway.disarmCorrupt(route, view.self(), LIMIT);
        var self = view.members().stream()
                .filter(m -> m.id().equals(view.self()))
                .findFirst()
                .orElseThrow();
        gateway.updatePeerUrls(route, self.id(), self.peerUrls(), LIMIT);
        if (view.status().version().hasDowngrade()) {
            gateway.startDowngrade(route, before(view.status().version()), LIMIT);
            gateway.cancelDowngrade(route, LIMIT);
        }
    }

    private static EtcdVersion before(EtcdVersion version) {
        return EtcdVersion.parse(version.major() + "." + (version.minor() - 1) + ".0")
                .orElseThrow();
    }

    private static void movesLeader(JetcdGateway gateway, EtcdRing ring, Door door) {
        var leader = leader(gateway, ring, door);
        var target = ids(gateway, ring, door).stream()
                .filter(id -> !id.equals(leader))
                .findFirst()
                .orElseThrow();
        int at = ids(gateway, ring, door).indexOf(leader);

        gateway.moveLeader(route(ring, at, door), target, LIMIT);

        ring.await("the new leader", LIMIT, () -> leader(gateway, ring, door).equals(target));
    }

    private static EtcdId leader(JetcdGateway gateway, EtcdRing ring, Door door) {
        return gateway.probe(route(ring, 0, door), LIMIT).status().leader().orElse(new EtcdId(0));
    }

    private static List<EtcdId> ids(JetcdGateway gateway, EtcdRing ring, Door door) {
        return List.of(0, 1, 2).stream()
                .map(i -> gateway.probe(route(ring, i, door), LIMIT).self())
                .toList();
    }

    /// It lets nobody sign in.
    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.30", "3.5.33", "3.6.14", "3.7.1"})
    void learnerKnowsRootOnceAVoterDoes(String version) {
        var ring = start(version, 3, Door.CLIENT);
        var gateway = new JetcdGateway(identities(Door.CLIENT));
        var voter = route(ring, 0, Door.CLIENT);
        var joining = ring.prepare();
        ring.await(
                "etcd to let a member in",
                LIMIT,
                () -> answers(() -> gateway.addLearner(voter, joining.peerUrl(), LIMIT), Kind.REJECTED));
        ring.join(joining, ring.members());

        ring.await("the learner's status", LIMIT, () -> {
            gateway.probe(voter, LIMIT);
            return answers(() -> gateway.probe(route(ring, 3, Door.CLIENT), LIMIT));
        });
    }

    private static boolean answers(Runnable question) {
        try {
            question.run();
            return true;
        } catch (GatewayException _) {
            return false;
        }
    }

    /// The learner is never started, so it is never promoted.
    private static void changesMembers(JetcdGateway gateway, EtcdRing ring, Door door) {
        var route = route(ring, 0, door);
        var joining = ring.prepare();
        var learner = new AtomicReference<>(new EtcdId(0));
        ring.await(
                "etcd to let a member in",
                LIMIT,
                () -> answers(() -> learner.set(gateway.addLearner(route, joining.peerUrl(), LIMIT)), Kind.REJECTED));
        // A follower would pass it on to the leader without our identity.
        var leader = route(ring, ids(gateway, ring, door).indexOf(leader(gateway, ring, door)), door);
        assertThat(gateway.promote(leader, learner.get(), LIMIT)).isFalse();
        gateway.removeMember(route, learner.get(), LIMIT);
        assertThat(gateway.probe(route, LIMIT).members()).hasSize(3);
        assertThat(failure(() -> gateway.removeMember(route, learner.get(), LIMIT))
                        .kind())
                .isEqualTo(Kind.NOT_FOUND);
    }

    private static boolean answers(Runnable call, Kind otherwise) {
        try {
            call.run();
            return true;
        } catch (GatewayException e) {
            assertThat(e.kind()).as(e.getMessage()).isEqualTo(otherwise);
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.30", "3.5.33", "3.6.14", "3.7.1"})
    void certificateOfRootWorksWithoutQuorum(String version) throws IOException {
        var ring = start(version, 2, Door.CLIENT_TLS);
        var route = route(ring, 0, Door.CLIENT_TLS);
        ring.member(1).kill();

        var gateway = new JetcdGateway(identities(Door.CLIENT_TLS));

        assertThat(gateway.probe(route, LIMIT).members()).hasSize(2);
        whole(gateway, route);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.30", "3.5.33", "3.6.14", "3.7.1"})
    void passwordOfRootTakesQuorum(String version) {
        var ring = start(version, 2, Door.CLIENT);
        var route = route(ring, 0, Door.CLIENT);
        ring.member(1).kill();

        var refused = failure(
                () -> new JetcdGateway(identities(Door.CLIENT)).snapshot(route, Duration.ofSeconds(2), _ -> {}));

        assertThat(refused.kind()).as(refused.getMessage()).isEqualTo(Kind.UNAUTHORIZED);
        assertThat(refused.mayHaveHappened()).isFalse();
        assertThat(refused)
                .hasMessageContaining("authentication enabled")
                .hasMessageContaining("takes a majority of the voters");
    }

    /// Authentication is disabled and enabled again behind the back of a gateway that has acted as `root`.
    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.30", "3.5.33", "3.6.14", "3.7.1"})
    void followsAuthenticationOffAndOn(String version) throws IOException {
        for (var door : List.of(Door.CLIENT, Door.CLIENT_TLS)) {
            var route = route(start(version, 1, door), 0, door);
            var gateway = new JetcdGateway(identities(door));
            whole(gateway, route);

            made(identities(door), route, JetcdGatewayAuthIT::disable);
            whole(gateway, route);
            whole(new JetcdGateway(identities(door)), route);
            made(identities(door), route, JetcdGatewayAuthIT::enableAgain);
            whole(gateway, route);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.33", "3.6.14", "3.7.1"})
    void saysWhichPasswordIsNotAccepted(String version) throws IOException {
        var route = route(start(version, 1, Door.CLIENT), 0, Door.CLIENT);

        var wrong = refused(route, new Shown(Optional.empty(), NO_CERTIFICATE, stored("swordfish", Optional.empty())));
        var none = refused(route, new Shown(Optional.empty(), NO_CERTIFICATE, NO_SIGN_IN));

        assertThat(wrong)
                .hasMessageContaining("etcd does not accept the password of its user root in the Secret"
                        + " orders-root-auth in namespace shop")
                .hasMessageNotContaining("swordfish");
        assertThat(none).hasMessageContaining("the Secret orders-root-auth does not exist");
        whole(
                new JetcdGateway(
                        new Shown(Optional.empty(), NO_CERTIFICATE, stored("swordfish", Optional.of(PASSWORD)))),
                route);
    }

    /// Whoever has the certificate of another user is that user for etcd.
    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.33", "3.6.14", "3.7.1"})
    void saysWhichCertificateIsNotAccepted(String version) throws IOException {
        var route = route(start(version, 1, Door.CLIENT_TLS), 0, Door.CLIENT_TLS);
        var client = Optional.of(material(ca, Leaf.CLIENT));
        var reader = ca.issue(Leaf.CLIENT, new ClusterRef("shop", "reader"), Instant.now(), DAY);
        var ended = ca.issue(Leaf.ROOT, REF, Instant.now().minus(DAY.multipliedBy(2)), DAY);
        var strange = Authority.create(REF, Instant.now(), DAY).issue(Leaf.ROOT, REF, Instant.now(), DAY);

        for (var shown : List.of(reader, ended, strange)) {
            var root = Observed.known(material(ca, shown));
            assertThat(refused(route, new Shown(client, root, NO_SIGN_IN)))
                    .hasMessageContaining("etcd does not accept the certificate in the Secret orders-root-tls in"
                            + " namespace shop as that of its user root; the Secret orders-root-auth does not exist");
            whole(new JetcdGateway(new Shown(client, root, SIGN_IN)), route);
        }
        var asReader = Optional.of(material(ca, reader));
        assertThat(refused(route, new Shown(asReader, NO_CERTIFICATE, NO_SIGN_IN)))
                .hasMessageContaining("no certificate; the Secret orders-root-auth does not exist");
        whole(new JetcdGateway(new Shown(asReader, NO_CERTIFICATE, SIGN_IN)), route);
    }

    private static GatewayException refused(MemberAccess.Route route, Identities identities) {
        var refused = failure(() -> new JetcdGateway(identities).snapshot(route, LIMIT, _ -> {}));
        assertThat(refused.kind()).as(refused.getMessage()).isEqualTo(Kind.UNAUTHORIZED);
        assertThat(refused).hasMessageContaining("the ring has authentication enabled");
        return refused;
    }

    private static void disable(Channel channel) {
        var _ = AuthGrpc.newBlockingStub(channel).authDisable(AuthDisableRequest.getDefaultInstance());
    }

    private static void enableAgain(Channel channel) {
        var _ = AuthGrpc.newBlockingStub(channel).authEnable(AuthEnableRequest.getDefaultInstance());
    }

    private static GatewayException failure(ThrowingCallable call) {
        return catchThrowableOfType(GatewayException.class, call);
    }
}
