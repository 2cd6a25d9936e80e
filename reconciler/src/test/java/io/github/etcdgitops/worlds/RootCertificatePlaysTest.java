package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.CertificateCheck;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.journal.Journal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The certificate of etcd's user `root`, which rings with users have and no others.
class RootCertificatePlaysTest {
    private static FakeWorld withUsers() {
        var world = TlsPlaysTest.ring("3.5.30", 3);
        var kube = world.kubernetes();
        var stored = kube.read(Play.REF, 1).storedJournal().orElseThrow();
        kube.writeJournal(
                Play.REF,
                stored.journal().withUsers(new Journal.Users(AuthState.NONE, new TreeMap<>(), Optional.empty())),
                Optional.of(stored.resourceVersion()));
        return world;
    }

    private static EtcdClusterSpec wanted(Transport transport) {
        return TlsPlaysTest.wanted(3, "3.5.30", transport);
    }

    private static EtcdClusterSpec wanted(Tls.Issuer issuer, Optional<Tls.IssuerRef> reference) {
        return Specs.secured(
                Given.spec(Play.REF, 3, "3.5.30"),
                new Tls(TlsPlaysTest.MUTUAL, issuer, reference, Tls.YEAR, Tls.Authority.FIRST));
    }

    private static Optional<RingSecrets.Content> content(FakeWorld world, RingSecrets.Kind kind) {
        return world.secrets().port().read(Play.REF, kind).map(RingSecrets.Stored::content);
    }

    private static List<String> problems(FakeWorld world) {
        var root = content(world, RingSecrets.Kind.ROOT).orElseThrow();
        byte[] ca = content(world, RingSecrets.Kind.SERVER).orElseThrow().ca();
        return CertificateCheck.problems(
                Leaf.ROOT, Play.REF, new Credential(root.certificate(), root.key()), ca, world.instant());
    }

    @Test
    void ringWithoutUsersHasNone() {
        var world = TlsPlaysTest.ring("3.5.30", 3);

        TlsPlaysTest.done(new Play(world, wanted(TlsPlaysTest.MUTUAL)));

        assertThat(content(world, RingSecrets.Kind.ROOT)).isEmpty();
    }

    @Test
    void ringWithUsersGetsOneWithTls() {
        var world = withUsers();

        TlsPlaysTest.done(new Play(world, wanted(TlsPlaysTest.MUTUAL)));

        assertThat(problems(world)).isEmpty();
    }

    /// Nobody could show it.
    @Test
    void ringWithPlainClientsHasNone() {
        var world = withUsers();

        TlsPlaysTest.done(new Play(world, wanted(TlsPlaysTest.PEERS)));

        assertThat(content(world, RingSecrets.Kind.ROOT)).isEmpty();
    }

    @Test
    void goesWithRingToTheNextCa() {
        var world = withUsers();
        TlsPlaysTest.done(new Play(world, wanted(TlsPlaysTest.MUTUAL)));
        var before = content(world, RingSecrets.Kind.ROOT).orElseThrow();

        TlsPlaysTest.done(
                new Play(world, Specs.withAuthority(Given.spec(Play.REF, 3, "3.5.30"), TlsPlaysTest.MUTUAL, 2)));

        assertThat(problems(world)).isEmpty();
        assertThat(content(world, RingSecrets.Kind.ROOT).orElseThrow().certificate())
                .isNotEqualTo(before.certificate());
    }

    @Test
    void isOrderedFromCertManager() {
        var world = withUsers();
        world.secrets().installIssuer(Play.REF, "ours");

        var play = new Play(
                world, wanted(Tls.Issuer.CERT_MANAGER, Optional.of(new Tls.IssuerRef("ClusterIssuer", "ours"))));
        TlsPlaysTest.done(play);

        assertThat(problems(world)).isEmpty();
    }

    @Test
    void othersNeedNotMakeOne() {
        var world = withUsers();
        byOthers(world, List.of(Leaf.PEER, Leaf.SERVER, Leaf.CLIENT));

        TlsPlaysTest.done(new Play(world, wanted(Tls.Issuer.SECRET, Optional.empty())));

        assertThat(content(world, RingSecrets.Kind.ROOT)).isEmpty();
    }

    @Test
    void oneThatOthersMadeForAnotherUserIsHeld() {
        var world = withUsers();
        var authority = byOthers(world, List.of(Leaf.PEER, Leaf.SERVER, Leaf.CLIENT));
        put(world, authority, Leaf.CLIENT, RingSecrets.Kind.ROOT);

        var result = new Play(world, wanted(Tls.Issuer.SECRET, Optional.empty())).once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("orders-root-tls: the certificate's common name is not root");
    }

    private static Authority byOthers(FakeWorld world, List<Leaf> leaves) {
        var authority = Authority.create(Play.REF, world.instant(), Duration.ofDays(3650));
        leaves.forEach(leaf -> put(world, authority, leaf, RingSecrets.Kind.valueOf(leaf.name())));
        return authority;
    }

    private static void put(FakeWorld world, Authority authority, Leaf leaf, RingSecrets.Kind kind) {
        var made = authority.issue(leaf, Play.REF, world.instant(), Tls.YEAR);
        world.secrets()
                .putByHand(
                        Play.REF,
                        kind,
                        new RingSecrets.Content(made.certificatePem(), made.keyPem(), authority.certificatePem()));
    }
}
