package io.github.etcdgitops.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What the product relies on when it gives pods another template.
public abstract class TemplateContract extends KubernetesContractCase {
    private RingObjects another(long epoch) {
        var ring = ring(1, epoch);
        var applied = new MemberSettings(
                ContractRing.applied().version(), new TreeMap<>(Map.<String, Object>of("snapshotCount", 5000L)));
        return new RingObjects(ring.spec(), applied, 1, 1, epoch);
    }

    private KubeState.StatefulSetState rolling() {
        gateway.createStatefulSet(ring(1, 1), 1);
        written(1, set -> gateway.writeTemplate(another(2), set));
        return settled(1);
    }

    @Test
    void writesATemplateThatNoPodGetsByItself() {
        gateway.createStatefulSet(ring(1, 1), 1);
        var before = settled(1);
        assertThat(gateway.templateDigest(another(2))).isNotEqualTo(gateway.templateDigest(ring(1, 2)));

        written(1, read -> gateway.writeTemplate(another(2), read));

        var set = settled(1);
        assertThat(set.templateDigest()).isEqualTo(gateway.templateDigest(another(2)));
        assertThat(set.replicas()).isEqualTo(1);
        assertThat(set.rollout().partition()).isEqualTo(1);
        if (world.controllers()) {
            assertThat(set.rollout().inProgress()).isTrue();
            assertThat(set.rollout().currentRevision())
                    .isEqualTo(before.rollout().currentRevision());
            assertThat(at(known(gateway.read(ref, 0).pods()), 0).revision())
                    .isEqualTo(before.rollout().currentRevision());
        }
    }

    @Test
    void changesOnlyTheStatefulSetThatWasRead() {
        gateway.createStatefulSet(ring(1, 1), 1);
        var before = settled(1);
        written(1, set -> gateway.setReplicas(ref, set, 2, 1));

        conflicts(() -> gateway.writeTemplate(another(2), before));
        conflicts(() -> gateway.setPartition(ref, before, 0, 2));
        conflicts(() -> gateway.reinstateTemplate(ref, before, "digest", 2));

        assertThat(statefulSet().templateDigest()).isEqualTo(gateway.templateDigest(ring(1, 1)));
    }

    @Test
    void writesNoTemplateInTheMidstOfARoll() {
        rolling();

        written(1, set -> gateway.setPartition(ref, set, 0, 3));

        assertThat(statefulSet().rollout().partition()).isZero();
        conflicts(() -> gateway.writeTemplate(ring(1, 4), statefulSet()));
        assertThat(statefulSet().templateDigest()).isEqualTo(gateway.templateDigest(another(2)));
    }

    @Test
    void lowerPartitionGivesPodNewTemplate() {
        assumeTrue(world.controllers(), "nothing here makes pods");
        var set = rolling();
        var old = at(known(gateway.read(ref, 0).pods()), 0);

        written(1, read -> gateway.setPartition(ref, read, 0, 3));

        var state = world.await(
                ref,
                0,
                s -> known(s.pods()).values().stream().anyMatch(p -> !p.uid().equals(old.uid())));
        assertThat(at(known(state.pods()), 0).revision())
                .isEqualTo(set.rollout().updateRevision())
                .isNotEqualTo(old.revision());
    }

    /// In one write: from then on whatever is made anew has the former template, and nobody is restarted.
    @Test
    void reinstatesFormerTemplateAsSameRevision() {
        assumeTrue(world.controllers(), "nothing here makes pods");
        var set = rolling();
        String former = set.rollout().currentRevision();
        written(1, read -> gateway.setPartition(ref, read, 0, 3));
        var rolled = at(
                known(world.await(
                                ref,
                                0,
                                s -> known(s.pods()).values().stream()
                                        .anyMatch(p -> p.revision()
                                                .equals(set.rollout().updateRevision())))
                        .pods()),
                0);

        written(1, read -> gateway.reinstateTemplate(ref, read, "former", 4));

        var back = settled(1);
        assertThat(back.rollout()).isEqualTo(new KubeState.Rollout(1, former, former, true));
        assertThat(back.templateDigest()).isEqualTo("former");
        assertThat(at(known(gateway.read(ref, 0).pods()), 0).uid()).isEqualTo(rolled.uid());

        gateway.deletePod(ref, 0, rolled.uid());

        var state = world.await(
                ref,
                0,
                s -> known(s.pods()).values().stream().anyMatch(p -> !p.uid().equals(rolled.uid())));
        assertThat(at(known(state.pods()), 0).revision()).isEqualTo(former);
    }
}
