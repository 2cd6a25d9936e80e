package io.github.etcdgitops.ring.restore;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QuorumFindingsTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private enum Fate {
        WELL,
        /// Its machine is gone.
        DOWN,
        /// Nobody reaches it; it runs.
        CUT_OFF,
        /// Only we do not reach it.
        HIDDEN,
        VOLUME_LOST;

        void strike(Faults faults, int ordinal) {
            switch (this) {
                case WELL -> {}
                case DOWN -> faults.stop(ordinal);
                case CUT_OFF -> faults.cutOff(ordinal);
                case HIDDEN -> faults.hideFromUs(ordinal);
                case VOLUME_LOST -> faults.loseVolume(ordinal);
            }
        }
    }

    private static Given ring(int members) {
        return Given.ring("demo", "orders").members(members);
    }

    private static FakeWorld after(int members, Consumer<Faults> deed) {
        var world = ring(members).build();
        deed.accept(world.faults(ORDERS));
        world.tick(20);
        return world;
    }

    private static ClusterPlan plan(int size, FakeWorld world) {
        return Planner.plan(spec(size), fresh(world, spec(size)), BackupNeeds.NONE, NOW);
    }

    private static List<String> said(ClusterPlan plan) {
        return plan.findings().stream()
                .filter(f -> f.is(FindingCode.QUORUM_LOST))
                .map(Finding::message)
                .toList();
    }

    @Test
    void namesSurvivorsAndCostOfEachWayOut() {
        var plan = plan(3, ring(3).down(1, 2).build());

        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(plan.operations()).isEmpty();
        assertThat(said(plan))
                .hasSize(4)
                .anySatisfy(m -> assertThat(m)
                        .startsWith("1 of 3 voters answers and 2 are needed")
                        .contains("Left: orders-0 (revision ", "Missing: orders-1 (its pod is Running on node-1"))
                .anySatisfy(m -> assertThat(m).startsWith("way out 1: bring back 1 of orders-1, orders-2"))
                .anySatisfy(m -> assertThat(m).startsWith("way out 2: create a new ring from the data of orders-0,"))
                .anySatisfy(m -> assertThat(m).startsWith("way out 3: restore a backup of this ring, if you have one"));
    }

    @Test
    void membersWhoseVolumesAreLostAreNoWayOut() {
        var plan = plan(3, after(3, faults -> {
            faults.loseVolume(0);
            faults.loseVolume(2);
        }));

        assertThat(plan.operations()).isEmpty();
        assertThat(said(plan))
                .hasSize(3)
                .noneMatch(m -> m.contains("bring back"))
                .anySatisfy(m -> assertThat(m).contains("the claim data-orders-2 is Lost"))
                .anySatisfy(m -> assertThat(m).startsWith("way out 1: create a new ring from the data of orders-1,"));
    }

    /// A member does not come back on an empty volume.
    @Test
    void membersWhoseClaimsWereExchangedAreNoWayOut() {
        var plan = plan(3, after(3, faults -> {
            for (int ordinal : List.of(0, 2)) {
                faults.deleteClaim(ordinal);
                faults.deletePod(ordinal);
            }
        }));

        assertThat(said(plan))
                .hasSize(3)
                .noneMatch(m -> m.contains("bring back"))
                .anySatisfy(
                        m -> assertThat(m).contains("the claim data-orders-2 is Bound, but not the one with its data"));
    }

    @Test
    void restartCountDoesNotChangePlan() {
        var world = after(3, faults -> {
            faults.loseDisk(0);
            faults.loseDisk(2);
        });
        var first = plan(3, world);
        world.tick(20);

        assertThat(said(first)).anyMatch(m -> m.contains("started again and again"));
        assertThat(plan(3, world)).isEqualTo(first);
    }

    @Test
    void listsMostAppliedSurvivorFirst() {
        var world = ring(5).down(0, 1, 2).lagging(3, 7).build();

        var loss = QuorumLoss.of(fresh(world, spec(5))).orElseThrow();

        assertThat(loss.survivors()).extracting(QuorumLoss.Survivor::ordinal).containsExactly(4, 3);
        assertThat(loss.missing()).containsOnlyKeys(0, 1, 2);
    }

    /// With two of four left every acknowledged write is on one of them, with one of three it may not be.
    @Test
    void saysWhetherAcknowledgedWritesMayBeOnTheMissingAlone() {
        assertThat(said(plan(4, ring(4).down(1, 2).build())))
                .anyMatch(m -> m.contains("The members that are left have every acknowledged write"));
        assertThat(said(plan(3, ring(3).down(1, 2).build())))
                .anyMatch(m -> m.contains("This loses the acknowledged writes that the missing members committed"));
    }

    @Test
    void reportsRingWithoutSurvivors() {
        var plan = plan(3, after(3, faults -> IntStream.range(0, 3).forEach(faults::loseVolume)));

        assertThat(plan.situation()).isEqualTo(Situation.UNKNOWN);
        assertThat(said(plan)).anySatisfy(m -> assertThat(m).startsWith("0 of 3 voters answer and 2 are needed"));
    }

    /// It was restarted, and serves nobody without a quorum.
    @Test
    void unresponsiveSurvivorHidesNothing() {
        var plan = plan(3, after(3, faults -> {
            faults.loseVolume(0);
            faults.loseVolume(2);
            faults.hideFromUs(1);
        }));

        assertThat(plan.situation()).isEqualTo(Situation.UNKNOWN);
        assertThat(said(plan))
                .anySatisfy(m -> assertThat(m)
                        .startsWith("0 of 3 voters answer and 2 are needed")
                        .contains("data-orders-1 is Bound"));
    }

    /// Every ring of up to four with every fate of each member.
    @Test
    void reportsLostQuorumExactlyWhenSurvivorShowsIt() {
        var wrong = new ArrayList<String>();
        for (int size = 1; size <= 4; size++) {
            for (var fates : fates(size)) {
                int members = size;
                var world = after(
                        members,
                        faults -> IntStream.range(0, members)
                                .forEach(o -> fates.get(o).strike(faults, o)));
                boolean lost = !world.look(ORDERS).hasQuorum();
                boolean told = fates.contains(Fate.WELL) && !fates.contains(Fate.HIDDEN);
                boolean said = !said(plan(members, world)).isEmpty();
                if (said && !lost || lost && told && !said) {
                    wrong.add(fates + (said ? ": said, and there is a quorum" : ": nothing said"));
                }
            }
        }

        assertThat(wrong).isEmpty();
    }

    private static List<List<Fate>> fates(int size) {
        if (size == 0) {
            return List.of(List.of());
        }
        var all = new ArrayList<List<Fate>>();
        for (var rest : fates(size - 1)) {
            for (var fate : Fate.values()) {
                var one = new ArrayList<>(rest);
                one.add(fate);
                all.add(one);
            }
        }
        return all;
    }

    @Test
    void faultOfOurNetworkIsNoQuorumLoss() {
        var plan = plan(3, ring(3).hidden(0).hidden(1).hidden(2).build());

        assertThat(plan.situation()).isEqualTo(Situation.UNKNOWN);
        assertThat(plan.findings()).extracting(Finding::code).containsExactly("ring-unknown");
    }

    @Test
    void electionIsNoQuorumLoss() {
        var world = ring(3).leader(0).build();
        world.faults(ORDERS).killPod(0);

        var state = fresh(world, spec(3));

        assertThat(state.ring().optional().orElseThrow().leader()).isEmpty();
        assertThat(QuorumLoss.of(state)).isEmpty();
    }

    @Test
    void ringScaledToZeroIsNoQuorumLoss() {
        assertThat(said(plan(3, after(3, faults -> faults.scaleByHand(0))))).isEmpty();
    }

    @Test
    void scalesBackRingScaledByHand() {
        var plan = plan(3, after(3, faults -> faults.scaleByHand(1)));

        assertThat(said(plan))
                .anySatisfy(m -> assertThat(m)
                        .startsWith("way out 1: the StatefulSet has only 1 replicas")
                        .contains("kubectl -n demo scale statefulset orders --replicas=3"));
    }

    @Test
    void onlyAMemberThatTheChangeUnderWayRestartsIsNotMissed() {
        var joining = new Intent(Intent.Kind.JOIN, 1, "0", 1);
        assertThat(QuorumLoss.of(changing(fresh(ring(2).down(1).build(), spec(2)), joining)))
                .isEmpty();
        assertThat(QuorumLoss.of(changing(fresh(ring(2).down(0).build(), spec(2)), joining)))
                .isPresent();
        var leaving = new Intent(Intent.Kind.LEAVE, 1, "0", 1);
        assertThat(QuorumLoss.of(changing(fresh(ring(2).down(1).build(), spec(2)), leaving)))
                .isPresent();
        assertThat(QuorumLoss.of(fresh(ring(2).down(1).build(), spec(2)))).isPresent();
        assertThat(QuorumLoss.of(changing(fresh(ring(3).down(1, 2).build(), spec(3)), joining)))
                .isPresent();
    }

    /// A former whose place is given away does not come back; the new one in its place does.
    @Test
    void replacedMemberIsExpectedToBeMissing() {
        var state = fresh(ring(2).down(1).build(), spec(2));
        var id = state.ring()
                .optional()
                .orElseThrow()
                .byOrdinal(state.ref())
                .get(1)
                .id();

        assertThat(QuorumLoss.of(changing(state, replacing(id)))).isPresent();
        assertThat(QuorumLoss.of(changing(state, replacing(new EtcdId(99))))).isEmpty();
    }

    private static Intent replacing(EtcdId former) {
        var formers = new TreeMap<>(Map.of(1, new Intent.Former(former, "uid", Intent.Why.MEMBER_ASKED)));
        return Intent.of(Intent.Kind.REPLACE, "0", 1, new Intent.Replacement(formers));
    }

    private static ClusterState changing(ClusterState state, Intent intent) {
        var kube = state.kube();
        var stored = kube.journal().optional().flatMap(j -> j).orElseThrow();
        var journal = stored.journal().withIntent(Optional.of(intent));
        return new ClusterState(
                state.ref(),
                new KubeState(
                        kube.statefulSet(),
                        Observed.known(Optional.of(new KubeState.JournalState(journal, stored.resourceVersion()))),
                        kube.pods(),
                        kube.claims(),
                        kube.budget(),
                        kube.configs(),
                        kube.objects()),
                state.ring(),
                state.drift(),
                state.templateWanted(),
                state.classes());
    }
}
