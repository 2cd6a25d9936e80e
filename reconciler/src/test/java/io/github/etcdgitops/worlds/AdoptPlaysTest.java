package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeForeign;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Part;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.state.journal.Journal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rings that somebody else has made, taken over from the plan to the end.
class AdoptPlaysTest {
    static FakeWorld foreign(int size) {
        return Worlds.ring()
                .members(size)
                .leader(size - 1)
                .byHand(Faults::foreignize)
                .build();
    }

    static EtcdClusterSpec wanted(int size) {
        var world = foreign(size);
        return FakeForeign.adopting(
                Given.spec(Play.REF, size, "3.5.16"),
                world.look(Play.REF).clusterId().orElseThrow().toString());
    }

    static FakeWorld takenOver(int size) {
        var world = foreign(size);
        done(new Play(world, wanted(size)));
        return world;
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    private static void done(Play play) {
        var result = play.once(FaultHook.NONE);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        play.world.tick(20);
        assertThat(play.notAtRest(play.untilQuiet(2))).as(play.toString()).isEmpty();
        assertThat(play.breaches()).as(play.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void adoptsForeignRingInOneRun(int size) {
        var play = new Play(foreign(size), wanted(size));
        assertThat(kinds(play.plan())).containsExactly("AdoptCluster", "RollMembers", "SettleAdoption");

        done(play);

        assertThat(play.ring.peerUrls())
                .hasSize(size)
                .allMatch(url -> url.matches("http://orders-\\d[.]orders-peer[.]demo[.]svc:2380"));
        assertThat(play.ring.journal().orElseThrow().past().adopted().orElseThrow())
                .extracting(Journal.Adopted::claims, Journal.Adopted::settled)
                .containsExactly("datadir", true);
    }

    @Test
    void plansNothingIfJournalIsUnreadable() {
        var world = foreign(3);
        world.faults(Play.REF).unreadable(Part.JOURNAL);

        var plan = new Play(world, wanted(3)).plan();

        assertThat(plan.situation()).isEqualTo(Situation.UNKNOWN);
        assertThat(kinds(plan)).isEmpty();
    }

    /// What is kept is what was let go, and nothing older.
    @Test
    void storesManifestAgainIfChangedAfterKilledRun() {
        var world = foreign(3);
        var play = new Play(world, wanted(3));
        stopAt(play, "AdoptCluster/OrphanPods/before");
        world.faults(Play.REF).changeForeign("foreign-2");
        world.tick(60);

        done(play);

        assertThat(world.acts()).filteredOn("keep the foreign manifest"::equals).hasSize(2);
    }

    @Test
    void adoptionRestartsNoMember() {
        var play = new Play(foreign(3), wanted(3));
        var pods = play.ring.podUids();

        stopAt(play, "RollMembers/RestartMember/before");

        assertThat(play.ring.podUids()).isEqualTo(pods);
        assertThat(play.ring.journal().orElseThrow().unsettled()).isTrue();
    }

    @Test
    void adoptedRingIsLikeAnyOther() {
        var world = foreign(3);
        done(new Play(world, wanted(3)));

        done(new Play(world, Given.spec(Play.REF, 5, "3.5.16")));
        done(new Play(world, Given.spec(Play.REF, 5, "3.5.30")));
        done(new Play(world, Given.spec(Play.REF, 3, "3.5.30")));
    }

    /// The claims keep their former names, and so does the template of those to come.
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void growsVolumesOfAdoptedRingUnderFormerNames(int size) {
        var world = foreign(size);
        done(new Play(world, wanted(size)));
        var play = new Play(world, Specs.withStorage(Given.spec(Play.REF, size, "3.5.16"), "2Gi"));
        var pods = play.ring.podUids();
        assertThat(kinds(play.plan())).containsExactly("GrowStorage");
        assertThat(play.plan().operations().getFirst().operation().summary()).contains("datadir-orders-0");

        done(play);

        assertThat(play.ring.podUids()).isEqualTo(pods);
        assertThat(play.ring.capacities()).hasSize(size).allMatch("2Gi"::equals);
        assertThat(play.ring.storageOfNewClaims()).isEqualTo("2Gi");
        assertThat(world.look(Play.REF).journal().orElseThrow().intent()).isEmpty();
        done(new Play(world, Specs.withStorage(Given.spec(Play.REF, size + 2, "3.5.16"), "2Gi")));
        assertThat(play.ring.capacities()).hasSize(size + 2).allMatch("2Gi"::equals);
    }

    /// What a run leaves without a StatefulSet is carried on by what the journal says: the exchange of a
    /// taking over, or one for larger volumes.
    @Test
    void continuesKilledGrowthOfAdoptedRing() {
        var world = foreign(3);
        done(new Play(world, wanted(3)));
        var play = new Play(world, Specs.withStorage(Given.spec(Play.REF, 3, "3.5.16"), "2Gi"));
        var pods = play.ring.podUids();
        stopAt(play, "GrowStorage/RecreateStatefulSet/before");
        assertThat(play.ring.hasStatefulSet()).isFalse();
        assertThat(kinds(play.plan())).containsExactly("GrowStorage");

        done(play);

        assertThat(play.ring.podUids()).isEqualTo(pods);
    }

    /// Somebody's StatefulSet in between is not taken over, whatever the document says.
    @Test
    void holdsIfStatefulSetIsRecreatedByHandDuringGrowth() {
        var world = foreign(3);
        done(new Play(world, wanted(3)));
        var play = new Play(world, Specs.withStorage(wanted(3), "2Gi"));
        stopAt(play, "GrowStorage/RecreateStatefulSet/before");
        world.faults(Play.REF).foreignSetAgain();
        world.tick(5);

        var plan = play.plan();

        assertThat(plan.operations()).isEmpty();
        assertThat(plan.findings()).extracting(Finding::code).containsExactly("foreign-statefulset");
        assertThat(plan.findings().getFirst().message()).contains("--cascade=orphan");
    }

    /// A larger volume, a gate of etcd's own and one for TLS come when nothing of before is in the way.
    @Test
    void volumesAndGatesWaitUntilAdoptionIsSettled() {
        var world = foreign(3);
        var gated = Specs.withFeatures(wanted(3), FeatureGate.COMPACT_HASH_CHECK, FeatureGate.PEER_TLS);
        var play = new Play(world, gated);
        assertThat(kinds(play.plan())).containsExactly("AdoptCluster", "RollMembers", "SettleAdoption");
        assertThat(play.plan().findings())
                .filteredOn(f -> f.code().equals("one-at-a-time"))
                .hasSize(2);
        assertThat(play.plan().operations())
                .allMatch(o -> o.operation().features().isEmpty());

        stopAt(play, "SettleAdoption/AdvertisePeers/before");
        var later =
                new Play(world, Specs.withStorage(Specs.withOption(gated, "quotaBackendBytes", 1_200_000_000L), "2Gi"));
        assertThat(kinds(later.plan())).containsExactly("SettleAdoption");
        assertThat(play.ring.journal().orElseThrow().applied().features()).isEmpty();

        assertThat(later.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        world.tick(20);
        assertThat(kinds(later.plan())).startsWith("GrowStorage").contains("RollMembers", "MigrateTls");
        done(later);
        assertThat(later.ring.journal().orElseThrow().applied().features())
                .containsExactly(FeatureGate.COMPACT_HASH_CHECK);
    }

    @Test
    void otherChangesWaitForAdoption() {
        var play = new Play(foreign(3), wanted(3));
        stopAt(play, "SettleAdoption/AdvertisePeers/before");

        var later = new Play(play.world, Given.spec(Play.REF, 5, "3.5.30"));

        assertThat(kinds(later.plan())).containsExactly("SettleAdoption");
        assertThat(later.plan().findings()).extracting(Finding::code).contains("one-at-a-time");
    }

    /// Between the two StatefulSets nobody makes a lost pod anew: the next run does.
    @Test
    void recreatesPodThatDiesWithoutController() {
        var play = new Play(foreign(3), wanted(3));
        stopAt(play, "AdoptCluster/TakePods/before");
        play.world.faults(Play.REF).deletePod(1);
        play.world.tick(20);
        assertThat(play.ring.podUids()).hasSize(2);

        done(play);
    }

    @Test
    void continuesWithoutDocumentOnceStatefulSetIsGone() {
        var play = new Play(foreign(3), wanted(3));
        stopAt(play, "AdoptCluster/TakePods/before");

        done(new Play(play.world, Given.spec(Play.REF, 3, "3.5.16")));
    }

    @Test
    void takesBackMemberThatDoesNotStartFromOurTemplate() {
        var play = new Play(foreign(3), Specs.withImage(wanted(3)));
        play.world.faults(Play.REF).unpullable("3.5.16", true);

        var result = play.once(FaultHook.NONE);
        play.world.tick(20);
        play.world.faults(Play.REF).unpullable("3.5.16", false);
        play.once(FaultHook.NONE);
        play.world.tick(40);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(play.breaches()).isEmpty();
        var plan = play.plan();
        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(plan.findings()).extracting(Finding::code).contains("taken-back");
        assertThat(play.ring.peerUrls()).anyMatch(url -> url.contains("orders-headless"));
    }

    @Test
    void holdsIfStatefulSetIsRecreatedByHand() {
        var play = new Play(foreign(3), wanted(3));
        stopAt(play, "AdoptCluster/TakePods/before");
        play.world.faults(Play.REF).foreignSetAgain();
        play.world.tick(5);

        var plan = play.plan();

        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(plan.findings()).extracting(Finding::code).containsExactly("adopt-overtaken");
    }

    private static void stopAt(Play play, String boundary) {
        var seen = new ArrayList<String>();
        try {
            play.once(reached -> {
                if (reached.equals(boundary)) {
                    seen.add(reached);
                    throw new Crash(boundary);
                }
            });
        } catch (Crash _) {
            play.world.tick(20);
        }
        assertThat(seen).as(play.toString()).hasSize(1);
    }
}
