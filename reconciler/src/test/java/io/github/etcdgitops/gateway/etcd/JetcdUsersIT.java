package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.WatchOption;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.RingUsers;
import io.github.etcdgitops.gateway.RingUsersContract;
import io.github.etcdgitops.gateway.UsersUnderTest;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.spec.auth.Grant.Access;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.value.Observed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The contract against real processes, with passwords over plain text and with certificates.
class JetcdUsersIT {
    private static final String HOST = "m0.test";
    private static final KeyRange ORDERS = KeyRange.prefix("orders/");
    private static final Map<String, TlsMaterial> CERTIFICATES = new HashMap<>();
    private static List<String> secured = List.of();

    @BeforeAll
    static void issue(@TempDir Path folder) throws IOException {
        var ca = Certificates.createCa(folder, "ca");
        for (var name : List.of(User.ROOT, "alice", "stranger")) {
            CERTIFICATES.put(name, ca.issueNameless(name));
        }
        secured = ca.serve(ca.issue(HOST, "dns:" + HOST));
    }

    @Nested
    class Etcd3423 extends WithPasswords {
        Etcd3423() {
            super("3.4.23");
        }
    }

    @Nested
    class Etcd3530 extends WithPasswords {
        Etcd3530() {
            super("3.5.30");
        }
    }

    @Nested
    class Etcd3533 extends WithPasswords {
        Etcd3533() {
            super("3.5.33");
        }
    }

    @Nested
    class Etcd3614 extends WithPasswords {
        Etcd3614() {
            super("3.6.14");
        }
    }

    @Nested
    class Etcd371 extends WithPasswords {
        Etcd371() {
            super("3.7.1");
        }
    }

    @Nested
    class Etcd3423OverTls extends WithCertificates {
        Etcd3423OverTls() {
            super("3.4.23");
        }
    }

    @Nested
    class Etcd3530OverTls extends WithCertificates {
        Etcd3530OverTls() {
            super("3.5.30");
        }
    }

    @Nested
    class Etcd3533OverTls extends WithCertificates {
        Etcd3533OverTls() {
            super("3.5.33");
        }
    }

    @Nested
    class Etcd3614OverTls extends WithCertificates {
        Etcd3614OverTls() {
            super("3.6.14");
        }
    }

    @Nested
    class Etcd371OverTls extends WithCertificates {
        Etcd371OverTls() {
            super("3.7.1");
        }
    }

    @Test
    void readsABoundedNumberOfRoles() {
        try (var ring = new RealUsers("3.5.33", false)) {
            for (int i = 0; i <= RingUsers.MOST; i++) {
                ring.make(new AuthChange.AddRole("role-" + i));
            }

            var refused = catchThrowableOfType(GatewayException.class, ring::read);

            assertThat(refused.kind()).isEqualTo(GatewayException.Kind.REJECTED);
            assertThat(refused).hasMessageContaining("1001 roles");
            ring.make(new AuthChange.DeleteRole("role-0"));
            assertThat(ring.read().roles()).hasSize(RingUsers.MOST);
        }
    }

    abstract static class WithPasswords extends RingUsersContract {
        private final String version;

        WithPasswords(String version) {
            this.version = version;
        }

        @Override
        protected UsersUnderTest found() {
            return new RealUsers(version, false);
        }

        @Test
        void revisionOutlastsARestart() {
            try (var ring = new RealUsers(version, false)) {
                Assumptions.assumeTrue(ring.version().atLeast(3, 5, 0), "etcd tells the revision from 3.5 on");
                ring.enable();
                var before = ring.status();

                ring.restart();

                assertThat(ring.status()).isEqualTo(before);
            }
        }

        /// A session ends with the password, also where the new one is the same.
        @Test
        void clientThatRepeatsSignsInAgain() {
            try (var ring = new RealUsers(version, false)) {
                ring.enable();
                ring.addUserOf("writer", "alice");
                ring.grant("writer", Access.READWRITE, ORDERS);
                var once = ring.unrepeating("alice");
                assertThat(ring.lets("alice", Access.READ, ORDERS)).isTrue();
                assertThat(RealUsers.allowed(read(once))).isTrue();

                ring.changePassword("alice", UsersUnderTest.PASSWORD);

                assertThat(RealUsers.allowed(read(once))).isFalse();
                assertThat(ring.lets("alice", Access.READ, ORDERS)).isTrue();
            }
        }

        private static CompletableFuture<?> read(Client client) {
            return client.getKVClient().get(ByteSequence.from(ORDERS.fromBytes()));
        }

        /// etcd looks at the access of a watch when it begins.
        @Test
        void openWatchOutlivesAccessAndUser() {
            try (var ring = new RealUsers(version, false)) {
                ring.enable();
                ring.addUserOf("reader", "alice");
                ring.grant("reader", Access.READ, ORDERS);
                var seen = new AtomicInteger();
                ring.watch("alice", ORDERS, seen);

                ring.putAsRoot("orders/1");
                await(seen, 1);
                ring.revoke("reader", ORDERS);
                ring.putAsRoot("orders/1");
                await(seen, 2);
                ring.make(new AuthChange.DeleteUser("alice"));
                ring.putAsRoot("orders/1");
                await(seen, 3);
            }
        }

        private static void await(AtomicInteger seen, int events) {
            EtcdProcess.await("event " + events, Duration.ofSeconds(30), () -> seen.get() >= events);
        }
    }

    abstract static class WithCertificates extends RingUsersContract {
        private final String version;

        WithCertificates(String version) {
            this.version = version;
        }

        @Override
        protected UsersUnderTest found() {
            return new RealUsers(version, true);
        }
    }

    private static final class RealUsers implements UsersUnderTest {
        /// A refusal is etcd's own, and so is that of a token which it has forgotten.
        private static final List<String> REFUSALS =
                List.of("permission denied", "UNAUTHENTICATED", "invalid auth token", "authentication failed");

        private static final TlsContexts TLS = new TlsContexts();

        private final String version;
        private final boolean secured;
        private final EtcdRing ring;
        private final Map<String, Client> clients = new HashMap<>();

        RealUsers(String version, boolean secured) {
            this.version = version;
            this.secured = secured;
            var flags = new ArrayList<>(secured ? JetcdUsersIT.secured : List.<String>of());
            // The lowest that there is: nothing here depends on how long a password withstands guessing.
            flags.add("--bcrypt-cost=4");
            this.ring = EtcdRing.start(EtcdBinaries.require(version), 1, flags);
        }

        @Override
        public EtcdVersion version() {
            return EtcdVersion.parse(version).orElseThrow();
        }

        @Override
        public boolean secured() {
            return secured;
        }

        @Override
        public RingUsers users() {
            return new JetcdUsers(new Escalation(new Identities() {
                @Override
                public Optional<TlsMaterial> ordinary(MemberAccess.Route route) {
                    return stranger();
                }

                @Override
                public Observed<TlsMaterial> rootCertificate(MemberAccess.Route route) {
                    return Observed.known(CERTIFICATES.get(User.ROOT));
                }

                @Override
                public Observed<RingPasswords.Stored> rootPassword(MemberAccess.Route route) {
                    return Observed.known(new RingPasswords.Stored(
                            new RingPasswords.Password(PASSWORD), Optional.empty(), "1", true));
                }
            }));
        }

        @Override
        public RingUsers strangers() {
            return new JetcdUsers(new Escalation(_ -> stranger()));
        }

        private Optional<TlsMaterial> stranger() {
            return secured ? Optional.of(CERTIFICATES.get("stranger")) : Optional.empty();
        }

        @Override
        public MemberAccess.Route route() {
            return new ToRing(
                    ring.member(0).route(HOST),
                    secured ? Door.CLIENT_TLS : Door.CLIENT,
                    new ClusterRef("demo", "orders"));
        }

        @Override
        public boolean lets(String user, Access access, KeyRange keys) {
            var kv = clients.computeIfAbsent(user, this::open).getKVClient();
            var from = ByteSequence.from(keys.fromBytes());
            var end = Optional.of(ByteSequence.from(keys.endBytes())).filter(e -> !e.isEmpty());
            var read = GetOption.builder();
            var removal = DeleteOption.builder();
            end.ifPresent(e -> {
                read.withRange(e);
                removal.withRange(e);
            });
            return (!access.reads() || allowed(kv.get(from, read.build())))
                    && (!access.writes() || allowed(kv.delete(from, removal.build())));
        }

        void restart() {
            ring.member(0).kill();
            ring.restart(ring.member(0));
            ring.member(0).awaitReady();
        }

        Client client(String user) {
            return clients.computeIfAbsent(user, this::open);
        }

        /// A client that makes each call once.
        Client unrepeating(String user) {
            return clients.computeIfAbsent(
                    user + ", once", _ -> signedIn(user).retryMaxAttempts(0).build());
        }

        /// Returns when the watch has begun.
        void watch(String user, KeyRange keys, AtomicInteger seen) {
            var begun = new AtomicBoolean();
            var options = WatchOption.builder()
                    .withRange(ByteSequence.from(keys.endBytes()))
                    .withCreateNotify(true)
                    .build();
            var _ = client(user).getWatchClient().watch(ByteSequence.from(keys.fromBytes()), options, answer -> {
                seen.addAndGet(answer.getEvents().size());
                begun.set(true);
            });
            EtcdProcess.await("the watch to begin", Duration.ofSeconds(30), begun::get);
        }

        void putAsRoot(String key) {
            allowed(client(User.ROOT).getKVClient().put(bytes(key), bytes("value")));
        }

        private static ByteSequence bytes(String text) {
            return ByteSequence.from(text, StandardCharsets.UTF_8);
        }

        /// With etcd's own library, as other clients do.
        private Client open(String user) {
            var to = route();
            return secured
                    ? Client.builder()
                            .endpoints("https://" + to.host() + ":" + to.port())
                            .waitForReady(false)
                            .sslContext(TLS.of(to, CERTIFICATES.get(user)))
                            .authority(to.authority())
                            .build()
                    : signedIn(user).build();
        }

        private ClientBuilder signedIn(String user) {
            return Client.builder()
                    .endpoints("http://" + ring.endpoints().getFirst())
                    .waitForReady(false)
                    .user(bytes(user))
                    .password(bytes(PASSWORD));
        }

        static boolean allowed(CompletableFuture<?> answer) {
            try {
                answer.get(30, TimeUnit.SECONDS);
                return true;
            } catch (ExecutionException e) {
                String text = String.valueOf(e.getCause().getMessage());
                if (REFUSALS.stream().anyMatch(text::contains)) {
                    return false;
                }
                throw new AssertionError(text, e);
            } catch (InterruptedException | TimeoutException e) {
                throw new AssertionError("etcd did not answer", e);
            }
        }

        @Override
        public void close() {
            clients.values().forEach(Client::close);
            ring.close();
        }
    }
}
