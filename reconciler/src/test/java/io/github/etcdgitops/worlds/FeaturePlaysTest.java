package io.github.etcdgitops.worlds;

import static io.github.etcdgitops.spec.value.FeatureGate.COMPACT_HASH_CHECK;
import static io.github.etcdgitops.spec.value.FeatureGate.PEER_TLS;
import static io.github.etcdgitops.spec.value.FeatureGate.STOP_GRPC_SERVICE_ON_DEFRAG;
import static io.github.etcdgitops.worlds.TlsPlaysTest.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.FeatureGate;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A ring whose feature gates change, from the plan to the end.
class FeaturePlaysTest {
    @Test
    void switchesGateOnAndOffByOneRolloutEach() {
        for (int size : List.of(1, 2, 3, 5)) {
            var world = ring("3.5.16", size);
            var on = new Play(world, spec("3.5.16", size, COMPACT_HASH_CHECK, STOP_GRPC_SERVICE_ON_DEFRAG));
            assertThat(kinds(on.plan())).containsExactly("RollMembers");
            assertThat(reason(on.plan()))
                    .isEqualTo("the members run with another configuration than the spec asks for: feature gate"
                            + " CompactHashCheck is true, from etcd-gitops.yaml:12 (fleet);"
                            + " StopGRPCServiceOnDefrag is true, from etcd-gitops.yaml:12 (fleet)");
            done(on);

            var off = new Play(world, spec("3.5.16", size, STOP_GRPC_SERVICE_ON_DEFRAG));
            assertThat(reason(off.plan())).endsWith(": feature gate CompactHashCheck is false, by default");
            done(off);
        }
    }

    @Test
    void createsRingWithGateWithoutRestart() {
        var world = Given.absent(Play.REF.namespace(), Play.REF.name()).build();
        var play = new Play(world, spec("3.5.16", 3, COMPACT_HASH_CHECK, PEER_TLS));

        assertThat(kinds(play.plan())).containsExactly("BootstrapCluster");
        done(play);
    }

    @Test
    void joiningMemberHasGate() {
        var world = ring("3.5.16", 3);
        done(new Play(world, spec("3.5.16", 3, COMPACT_HASH_CHECK)));
        done(new Play(world, spec("3.5.16", 5, COMPACT_HASH_CHECK)));
    }

    @Test
    void reportsRingTooOldForGate() {
        var world = ring("3.4.23", 3);
        var pods = world.look(Play.REF).podUids();
        var play = new Play(world, spec("3.4.23", 3, COMPACT_HASH_CHECK));

        var plan = play.plan();

        assertThat(plan.situation()).isEqualTo(Situation.IN_SYNC);
        assertThat(plan.findings()).singleElement().satisfies(f -> {
            assertThat(f.code()).isEqualTo("feature-needs-newer-etcd");
            assertThat(f.message())
                    .contains("CompactHashCheck is true, from etcd-gitops.yaml:12 (fleet)", "it needs etcd 3.5.5");
        });
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.NOTHING);
        assertThat(world.look(Play.REF).podUids()).isEqualTo(pods);
    }

    /// Members of both versions never run with it side by side.
    @Test
    void switchesGateOnAfterRequiredUpgrade() {
        var world = ring("3.4.23", 3);
        var play = new Play(world, spec("3.5.16", 3, COMPACT_HASH_CHECK));
        assertThat(kinds(play.plan())).containsExactly("UpgradeVersion");
        assertThat(codes(play.plan())).containsExactly("feature-after-upgrade");

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        assertThat(applied(world)).isEmpty();

        assertThat(kinds(play.plan())).containsExactly("RollMembers");
        done(play);
    }

    @Test
    void releaseWithoutGateRunsWithoutIt() {
        var world = ring("3.5.30", 3);
        done(new Play(world, spec("3.5.30", 3, COMPACT_HASH_CHECK, STOP_GRPC_SERVICE_ON_DEFRAG)));
        done(new Play(world, spec("3.5.13", 3, COMPACT_HASH_CHECK, STOP_GRPC_SERVICE_ON_DEFRAG)));

        assertThat(applied(world)).containsExactly(COMPACT_HASH_CHECK);
    }

    @Test
    void takesBackGateThatNoMemberStartsWith() {
        var world = ring("3.5.16", 3);
        var play = new Play(world, spec("3.5.16", 3, COMPACT_HASH_CHECK));
        world.faults(Play.REF).unpullable("3.5.16", true);
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.FAILED);
        world.faults(Play.REF).unpullable("3.5.16", false);
        assertThat(kinds(play.plan())).containsExactly("BackOutRoll");
        play.once(FaultHook.NONE);

        var held = play.plan();

        assertThat(held.situation()).isEqualTo(Situation.HELD);
        assertThat(codes(held)).containsExactly("feature-taken-back");
        assertThat(applied(world)).isEmpty();
        assertThat(new Play(world, spec("3.5.16", 3)).plan().situation()).isEqualTo(Situation.IN_SYNC);
    }

    @Test
    void movesPeersToTlsForGood() {
        var world = ring("3.5.16", 3);
        var on = new Play(world, spec("3.5.16", 3, PEER_TLS));
        assertThat(kinds(on.plan())).containsExactly("MigrateTls", "MigrateTls");
        assertThat(reason(on.plan()))
                .isEqualTo("the ring has other TLS settings than the spec asks for: feature gate PeerTls is true, from"
                        + " etcd-gitops.yaml:12 (fleet)");
        done(on);

        var off = new Play(world, spec("3.5.16", 3)).plan();

        assertThat(off.situation()).isEqualTo(Situation.HELD);
        assertThat(off.operations()).isEmpty();
        assertThat(off.findings())
                .filteredOn(f -> f.code().equals("tls-off"))
                .singleElement()
                .satisfies(f -> assertThat(f.message())
                        .contains("Feature gate PeerTls is false, by default, and cannot be turned off again")
                        .contains("spec.tls.peer to mutual"));
    }

    /// A ring that never had it may say no.
    @Test
    void acceptsFalseForGateThatNeverWasOn() {
        assertThat(new Play(ring("3.5.16", 3), spec("3.5.16", 3)).plan().situation())
                .isEqualTo(Situation.IN_SYNC);
    }

    static FakeWorld ring(String version, int size) {
        return Worlds.ring().version(version).members(size).build();
    }

    private static EtcdClusterSpec spec(String version, int size, FeatureGate... gates) {
        return Specs.withFeatures(Given.spec(Play.REF, size, version), gates);
    }

    private static Set<FeatureGate> applied(FakeWorld world) {
        return world.look(Play.REF).journal().orElseThrow().applied().features();
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }

    private static String reason(ClusterPlan plan) {
        return plan.operations().getFirst().operation().reason();
    }
}
