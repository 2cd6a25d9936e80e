package io.github.etcdgitops.worlds;

import static io.github.etcdgitops.spec.value.FeatureGate.COMPACT_HASH_CHECK;
import static io.github.etcdgitops.worlds.FeaturePlaysTest.ring;
import static io.github.etcdgitops.worlds.TlsPlaysTest.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import org.junit.jupiter.api.Test;

/// Members that start with a file and ignore a part of it.
class UnusedSettingPlaysTest {
    private static final long QUOTA = 4L << 30;

    @Test
    void rolloutStopsAtTheFirstMemberThatIgnoresItsSettings() {
        for (String version : new String[] {"3.4.23", "3.5.16", "3.6.14", "3.7.1"}) {
            var world = ring(version, 3);
            world.faults(Play.REF).ignoresSettings();
            var before = world.look(Play.REF).podUids();
            var play = new Play(world, quota(version, 3));

            for (int run = 0; run < 2; run++) {
                var result = play.once(FaultHook.NONE);

                assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
                assertThat(result.detail())
                        .contains("orders-2 has restarted and ignores its new settings")
                        .contains("quotaBackendBytes is 2147483648 instead of 4294967296");
            }
            assertThat(world.look(Play.REF).podUids().subList(0, 2)).isEqualTo(before.subList(0, 2));

            var back = new Play(world, Given.spec(Play.REF, 3, version));
            assertThat(back.plan().operations())
                    .extracting(o -> o.operation().kind())
                    .containsExactly("BackOutRoll");
            done(back);
        }
    }

    /// The next minor version has dropped the key.
    @Test
    void upgradeStopsAndIsTakenBack() {
        var world = ring("3.6.14", 3);
        done(new Play(world, quota("3.6.14", 3)));
        world.faults(Play.REF).ignoresSettings();

        var result = new Play(world, quota("3.7.1", 3)).once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail()).contains("orders-2 has restarted and ignores its new settings");
        assertThat(world.look(Play.REF).versions()).containsExactlyInAnyOrder("3.6.14", "3.6.14", "3.7.1");
        var back = new Play(world, quota("3.6.14", 3));
        assertThat(back.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        assertThat(world.look(Play.REF).versions()).containsOnly("3.6.14");
    }

    @Test
    void rolloutStopsWhereAGateStaysOff() {
        var world = ring("3.7.1", 3);
        world.faults(Play.REF).ignoresSettings();

        var result = new Play(world, Specs.withFeatures(Given.spec(Play.REF, 3, "3.7.1"), COMPACT_HASH_CHECK))
                .once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail()).contains("CompactHashCheck is off instead of on");
    }

    /// Nothing could be taken back, so the rollout ends, and a finding stays.
    @Test
    void ringOfOneIsTold() {
        var world = ring("3.7.1", 1);
        world.faults(Play.REF).ignoresSettings();
        var play = new Play(world, quota("3.7.1", 1));

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);

        var plan = play.plan();
        assertThat(plan.situation()).isEqualTo(Situation.IN_SYNC);
        assertThat(plan.findings())
                .filteredOn(f -> f.code().equals("setting-not-in-use"))
                .singleElement()
                .satisfies(f -> {
                    assertThat(f.level()).isEqualTo(Level.WARNING);
                    assertThat(f.message())
                            .contains("orders-0, quotaBackendBytes is 2147483648 instead of 4294967296")
                            .contains("ConfigMap orders-members", "etcd 3.7.1 ignores it");
                });
    }

    /// Before 3.6 a status has no quota, and no run asks for more.
    @Test
    void memberThatDoesNotTellIsNotSuspected() {
        var world = ring("3.5.16", 1);
        world.faults(Play.REF).ignoresSettings();

        done(new Play(world, quota("3.5.16", 1)));

        assertThat(new Play(world, quota("3.5.16", 1)).plan().findings()).isEmpty();
    }

    @Test
    void settingsInUseAreNoFinding() {
        for (String version : new String[] {"3.6.14", "3.7.1"}) {
            var play = new Play(ring(version, 3), quota(version, 3));

            done(play);

            assertThat(play.plan().findings()).isEmpty();
        }
    }

    private static EtcdClusterSpec quota(String version, int size) {
        return Specs.withOption(Given.spec(Play.REF, size, version), "quotaBackendBytes", QUOTA);
    }
}
