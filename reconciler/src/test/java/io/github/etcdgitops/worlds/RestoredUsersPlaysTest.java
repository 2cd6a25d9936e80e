package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.auth.DesiredUsers;
import io.github.etcdgitops.ring.auth.Users;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.backup.StoredBackup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Users are part of a ring's data, and come with it.
class RestoredUsersPlaysTest {
    private static final List<String> VERSIONS = List.of("3.4.23", "3.5.30", "3.6.3", "3.7.1");

    private static EtcdClusterSpec plain(String version) {
        return Given.spec(Play.REF, 3, version).with(Optional.of(Users.APP));
    }

    private static EtcdClusterSpec secured(String version) {
        return Specs.secured(
                plain(version),
                new Tls(TlsPlaysTest.MUTUAL, Tls.Issuer.BUILT_IN, Optional.empty(), Tls.YEAR, Tls.Authority.FIRST));
    }

    /// A ring with users and one backup.
    private static Play source(EtcdClusterSpec spec) {
        var play = new Play(
                Worlds.ring()
                        .version(spec.server().version().toString())
                        .members(3)
                        .build(),
                spec);
        assertThat(play.untilQuiet(4).situation()).isEqualTo(Situation.IN_SYNC);
        play.world.tick(20);
        play.vault.keep(Duration.ofDays(1), 3);
        play.world.faults(Play.REF).put("a");
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        return play;
    }

    private static Play target(Play source, EtcdClusterSpec spec) {
        var play = new Play(new FakeWorld(), spec);
        play.vault.restoreFrom(source.vault);
        return play;
    }

    private static void assertRestored(Play play) {
        play.untilQuiet(4);
        assertThat(play.plan().situation()).as(play.toString()).isEqualTo(Situation.IN_SYNC);
        assertThat(play.world.look(Play.REF).users()).isEqualTo(DesiredUsers.state(Users.APP));
        assertThat(play.ring.keys()).contains("a");
    }

    /// Nobody here is a user of the data in the pod of a drill.
    @Test
    void drillComparesTheRevision() {
        for (String version : VERSIONS) {
            var play = source(plain(version));
            play.vault.drill(Duration.ofDays(7));

            play.untilQuiet(4);

            assertThat(play.vault.stored().backups())
                    .flatExtracting(StoredBackup::drills)
                    .singleElement()
                    .satisfies(drill -> assertThat(drill.passed()).isTrue());
        }
    }

    /// In a Kubernetes cluster that has never seen the ring. Its certificate makes us root there.
    @Test
    void ringWithTlsIsRestoredWithItsUsers() {
        for (String version : List.of("3.5.30", "3.6.3", "3.7.1")) {
            assertRestored(target(source(secured(version)), secured(version)));
        }
    }

    /// In plain text nobody is root without the password of the data.
    @Test
    void plainRingIsRestoredWithThePasswordOfItsRoot() {
        for (String version : VERSIONS) {
            var source = source(plain(version));
            String secret = RingPasswords.rootSecret(Play.REF);
            String password = source.world.passwords().entries(Play.REF, secret).get("password");
            var play = target(source, plain(version));

            play.once(FaultHook.NONE);
            assertThat(play.plan().situation()).as(version).isNotEqualTo(Situation.IN_SYNC);
            assertThat(play.world.passwords().entries(Play.REF, secret))
                    .as(version)
                    .isEmpty();

            play.world.passwords().putByHand(Play.REF, secret, "password", password);
            assertRestored(play);
        }
    }
}
