package io.github.etcdgitops.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.ObjectDrift;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What the product relies on when it creates and changes a ring's own objects.
public abstract class RingObjectsContract extends TemplateContract {
    @Test
    void createsAStatefulSetOnlyWhereThereIsNone() {
        gateway.createStatefulSet(ring(1, 1), 1);

        conflicts(() -> gateway.createStatefulSet(ring(1, 2), 3));

        KubeState.StatefulSetState set = statefulSet();
        assertThat(set.ours()).isTrue();
        assertThat(set.replicas()).isEqualTo(1);
        assertThat(set.rollout().partition()).isEqualTo(1);
        assertThat(set.templateDigest()).isEqualTo(gateway.templateDigest(ring(1, 1)));
        assertThat(set.suspended()).isEmpty();
    }

    @Test
    void setsReplicasAndPartitionTogetherAndLeavesTheTemplate() {
        gateway.createStatefulSet(ring(1, 1), 1);
        KubeState.StatefulSetState before = settled(1);

        written(1, set -> gateway.setReplicas(ref, set, 2, 1));

        KubeState.StatefulSetState after = settled(2);
        assertThat(after.replicas()).isEqualTo(2);
        assertThat(after.rollout().partition()).isEqualTo(2);
        assertThat(after.uid()).isEqualTo(before.uid());
        assertThat(after.templateDigest()).isEqualTo(before.templateDigest());
        assertThat(after.rollout().updateRevision()).isEqualTo(before.rollout().updateRevision());
    }

    @Test
    void refusesToResizeAStatefulSetThatChangedSinceItWasRead() {
        gateway.createStatefulSet(ring(1, 1), 1);
        KubeState.StatefulSetState stale = settled(1);
        written(1, set -> gateway.setReplicas(ref, set, 2, 1));

        conflicts(() -> gateway.setReplicas(ref, stale, 3, 1));

        assertThat(statefulSet().replicas()).isEqualTo(2);
    }

    @Test
    void refusesAWriterWhoseEpochIsOver() {
        gateway.createStatefulSet(ring(1, 5), 1);
        gateway.apply(ManagedObject.BUDGET, ring(1, 5));

        conflicts(() -> gateway.setReplicas(ref, settled(1), 2, 4));
        conflicts(() -> gateway.apply(ManagedObject.BUDGET, ring(0, 4)));

        KubeState state = gateway.read(ref, 0);
        assertThat(known(state.statefulSet()).orElseThrow().replicas()).isEqualTo(1);
        assertThat(known(state.budget()).orElseThrow().minAvailable()).isEqualTo(1);
    }

    @Test
    void keepsAJournalAndRefusesAStaleOne() {
        Journal first = ContractRing.journal(1);
        Journal second = first.withClusterId(new EtcdId(-2L))
                .withMember(0, new Journal.Member("i-1", Optional.of(new EtcdId(7)), Optional.of("claim")))
                .withIntent(Optional.of(new Intent(Intent.Kind.JOIN, 1, "op-1", 1)));

        String version = gateway.writeJournal(ref, first, Optional.empty());
        String next = gateway.writeJournal(ref, second, Optional.of(version));

        conflicts(() -> gateway.writeJournal(ref, first, Optional.empty()));
        conflicts(() -> gateway.writeJournal(ref, first, Optional.of(version)));
        assertThat(known(gateway.read(ref, 0).journal())).contains(new KubeState.JournalState(second, next));
    }

    @Test
    void neverMakesAJournalOutOfAnUpdate() {
        conflicts(() -> gateway.writeJournal(ref, ContractRing.journal(1), Optional.of("1")));

        assertThat(known(gateway.read(ref, 0).journal())).isEmpty();
    }

    @Test
    void writesOneMembersFileAndLeavesTheOthers() {
        var founding = new MemberConfig.Founding("i-1", "token", ContractRing.peers(ref, 2));
        var joining = new MemberConfig.Joining("i-2", ContractRing.peers(ref, 2));
        var sealed = new MemberConfig.Sealed("i-1");

        gateway.writeMemberConfig(ring(1, 1), 0, Optional.of(founding));
        gateway.writeMemberConfig(ring(1, 1), 1, Optional.of(joining));
        assertThat(known(gateway.read(ref, 0).configs())).isEqualTo(Map.of(0, founding, 1, joining));

        gateway.writeMemberConfig(ring(1, 1), 0, Optional.of(sealed));
        assertThat(known(gateway.read(ref, 0).configs())).isEqualTo(Map.of(0, sealed, 1, joining));

        gateway.writeMemberConfig(ring(1, 1), 1, Optional.empty());
        gateway.writeMemberConfig(ring(1, 1), 2, Optional.empty());
        assertThat(known(gateway.read(ref, 0).configs())).isEqualTo(Map.of(0, sealed));
    }

    private static final Set<ManagedObject> MENDED =
            EnumSet.complementOf(EnumSet.of(ManagedObject.STATEFUL_SET_LABELS));

    @Test
    void createsMissingObjectsUntilNoDriftIsLeft() {
        RingObjects wanted = ring(1, 1);
        assertThat(gateway.drift(gateway.read(ref, 0), wanted))
                .hasSize(MENDED.size())
                .allMatch(ObjectDrift::missing);

        MENDED.forEach(object -> gateway.apply(object, wanted));

        KubeState mended = gateway.read(ref, 0);
        assertThat(mended.objects().confirmed()).isTrue();
        assertThat(gateway.drift(mended, wanted)).isEmpty();
        assertThat(known(mended.objects().live()).keySet()).isEqualTo(MENDED);
    }

    @Test
    void deletesWhatSurroundsARingAndNothingOfANewerRun() {
        MENDED.forEach(object -> gateway.apply(object, ring(1, 5)));

        conflicts(() -> gateway.delete(ManagedObject.BUDGET, ref, 4));
        MENDED.forEach(object -> gateway.delete(object, ref, 5));
        MENDED.forEach(object -> gateway.delete(object, ref, 5));

        assertThat(known(gateway.read(ref, 0).objects().live())).isEmpty();
    }

    @Test
    void deletesNoStatefulSetWithItsLabels() {
        gateway.createStatefulSet(ring(1, 1), 1);

        assertThatThrownBy(() -> gateway.delete(ManagedObject.STATEFUL_SET_LABELS, ref, 1))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REJECTED));

        assertThat(statefulSet().ours()).isTrue();
    }

    @Test
    void correctsOnlyDriftedFields() {
        MENDED.forEach(object -> gateway.apply(object, ring(1, 1)));
        RingObjects wanted = ring(0, 2);

        List<ObjectDrift> drift = gateway.drift(gateway.read(ref, 0), wanted);
        MENDED.forEach(object -> gateway.apply(object, wanted));

        assertThat(drift).containsExactly(new ObjectDrift(ManagedObject.BUDGET, List.of("/spec/minAvailable")));
        assertThat(gateway.drift(gateway.read(ref, 0), wanted)).isEmpty();
        assertThat(known(gateway.read(ref, 0).budget()).orElseThrow().minAvailable())
                .isZero();
    }

    @Test
    void labelsAStatefulSetAndNothingElseOfIt() {
        failsWith(Kind.NOT_FOUND, () -> gateway.apply(ManagedObject.STATEFUL_SET_LABELS, ring(1, 1)));
        gateway.createStatefulSet(ring(1, 1), 1);
        KubeState.StatefulSetState before = settled(1);

        gateway.apply(ManagedObject.STATEFUL_SET_LABELS, ring(1, 2));

        KubeState.StatefulSetState after = statefulSet();
        assertThat(after.uid()).isEqualTo(before.uid());
        assertThat(after.replicas()).isEqualTo(before.replicas());
        assertThat(after.templateDigest()).isEqualTo(before.templateDigest());
        assertThat(after.rollout().updateRevision()).isEqualTo(before.rollout().updateRevision());
    }

    @ParameterizedTest
    @EnumSource(ManagedObject.class)
    void refusesToChangeForeignObject(ManagedObject object) {
        world.takeName(object, ref);

        failsWith(Kind.REJECTED, () -> gateway.apply(object, ring(1, 1)));
    }

    @Test
    void takesNoStrangersObjectForAnAbsentOne() {
        world.takeName(ManagedObject.BUDGET, ref);
        world.takeName(ManagedObject.STATEFUL_SET_LABELS, ref);

        KubeState state = gateway.read(ref, 0);

        assertThat(state.budget().unknownReason()).isPresent();
        KubeState.StatefulSetState set = known(state.statefulSet()).orElseThrow();
        assertThat(set.ours()).isFalse();
        failsWith(Kind.REJECTED, () -> gateway.setReplicas(ref, set, 3, 1));
        conflicts(() -> gateway.createStatefulSet(ring(1, 1), 1));
    }
}
