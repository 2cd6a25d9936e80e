package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.value.Observed;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the last member of a ring with users still gives once the others are gone.
class QuorumLostWithUsersIT {
    private static final String HOST = "m0.test";
    private static final String PASSWORD = "open-sesame";
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /// The lowest that there is: nothing here depends on how long a password withstands guessing.
    private static final String CHEAP = "--bcrypt-cost=4";

    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.30", "3.6.14", "3.7.1"})
    void certificateOfRootReadsTheSnapshot(String version, @TempDir Path folder) throws IOException {
        var ca = Certificates.createCa(folder, "ca");
        var flags = new ArrayList<>(ca.serve(ca.issue(HOST, "dns:" + HOST)));
        flags.add(CHEAP);
        var known = known(Optional.of(ca.issueNameless("stranger")), Optional.of(ca.issueNameless(User.ROOT)));
        try (var ring = EtcdRing.start(EtcdBinaries.require(version), 3, flags);
                var gateway = new JetcdGateway(known)) {
            var survivor = new ToRing(ring.member(0).route(HOST), Door.CLIENT_TLS, ORDERS);
            enable(gateway, survivor);

            loseOthers(ring, gateway, survivor);

            assertThat(saved(gateway, survivor)).isPositive();
        }
    }

    /// A token comes from the ring's log. The way out is a ring of the one member, on a copy of its data.
    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.30", "3.6.14", "3.7.1"})
    void passwordOfRootReadsNothingUntilTheMemberIsAlone(String version) throws IOException {
        try (var ring = EtcdRing.start(EtcdBinaries.require(version), 3, List.of(CHEAP));
                var first = new JetcdGateway(known(Optional.empty(), Optional.empty()));
                var later = new JetcdGateway(known(Optional.empty(), Optional.empty()))) {
            var member = ring.member(0);
            var survivor = new ToRing(member.route(HOST), Door.CLIENT, ORDERS);
            enable(first, survivor);
            ring.member(1).kill();
            ring.member(2).kill();

            var refused = catchThrowableOfType(GatewayException.class, () -> saved(later, survivor));
            assertThat(refused)
                    .hasMessageContaining("a majority of the voters")
                    .hasMessageContaining("Users without TLS");

            member.kill();
            member.flags(List.of(CHEAP, "--force-new-cluster"));
            ring.restart(member);
            member.awaitReady();
            assertThat(saved(later, survivor)).isPositive();
        }
    }

    private static void enable(JetcdGateway gateway, MemberAccess.Route route) {
        var users = gateway.users();
        users.apply(route, new AuthChange.AddUser(User.ROOT), Optional.of(PASSWORD), LIMIT);
        users.apply(route, new AuthChange.GrantRole(User.ROOT, User.ROOT), Optional.empty(), LIMIT);
        users.apply(route, new AuthChange.Enable(), Optional.empty(), LIMIT);
    }

    private static void loseOthers(EtcdRing ring, JetcdGateway gateway, MemberAccess.Route survivor) {
        ring.member(1).kill();
        ring.member(2).kill();
        ring.await(
                "the survivor to know of no leader",
                Duration.ofSeconds(30),
                () -> gateway.probe(survivor, LIMIT).status().leader().isEmpty());
    }

    private static long saved(JetcdGateway gateway, MemberAccess.Route route) throws IOException {
        var bytes = new AtomicLong();
        gateway.snapshot(route, LIMIT, piece -> {
            bytes.addAndGet(piece.remaining());
            piece.position(piece.limit());
        });
        return bytes.get();
    }

    private static Identities known(Optional<TlsMaterial> ordinary, Optional<TlsMaterial> root) {
        return new Identities() {
            @Override
            public Optional<TlsMaterial> ordinary(MemberAccess.Route route) {
                return ordinary;
            }

            @Override
            public Observed<TlsMaterial> rootCertificate(MemberAccess.Route route) {
                return root.map(Observed::known).orElseGet(() -> Observed.unknown("none"));
            }

            @Override
            public Observed<RingPasswords.Stored> rootPassword(MemberAccess.Route route) {
                return Observed.known(
                        new RingPasswords.Stored(new RingPasswords.Password(PASSWORD), Optional.empty(), "1", true));
            }
        };
    }
}
