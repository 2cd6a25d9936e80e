package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What a ResourceQuota of the namespace leaves no room for is in the plan, before anything is done.
class NamespaceQuotaPlaysTest {
    private static final EtcdClusterSpec THREE = Given.spec(Play.REF, 3, "3.5.16");

    @Test
    void reportsCreationThatExceedsPodQuota() {
        var play = new Play(new FakeWorld(), THREE);
        play.world.quotas().quota("team", Map.of("pods", "10", "services", "1"), Map.of("pods", "8"));

        assertThat(warnings(play))
                .containsExactly("the ResourceQuota team of the namespace " + Play.REF.namespace()
                        + " leaves 2 of 10 pods, and the ring needs 3 more. Kubernetes refuses what goes beyond the"
                        + " quota. Have the quota raised, or lower what the ring needs");
        assertThat(play.plan().operations()).isNotEmpty();
        assertThat(play.world.acts()).isEmpty();
    }

    @Test
    void reportsNothingIfQuotaHasRoom() {
        var play = new Play(new FakeWorld(), THREE);
        play.world.quotas().quota("team", Map.of("pods", "3", "persistentvolumeclaims", "3"), Map.of());

        assertThat(warnings(play)).isEmpty();
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
    }

    @Test
    void countsStorageForNamespaceAndClass() {
        var play = new Play(new FakeWorld(), Specs.withStorage(Specs.inClass(THREE, "standard"), "8Gi"));
        play.world
                .quotas()
                .quota(
                        "disks",
                        Map.of(
                                "requests.storage", "100Gi",
                                "standard.storageclass.storage.k8s.io/requests.storage", "20Gi",
                                "standard.storageclass.storage.k8s.io/persistentvolumeclaims", "2",
                                "fast.storageclass.storage.k8s.io/requests.storage", "0",
                                "count/persistentvolumeclaims", "2"),
                        Map.of("requests.storage", "80Gi"));

        assertThat(warnings(play)).hasSize(4);
        assertThat(warnings(play))
                .anyMatch(w -> w.contains("leaves 20Gi of 100Gi requests.storage, and the ring" + " needs 24Gi more"));
        assertThat(warnings(play)).noneMatch(w -> w.contains("fast.storageclass"));
    }

    @Test
    void joiningMemberNeedsOnlyItsOwnShare() {
        var play = new Play(Worlds.ring().members(3).leader(0).build(), Given.spec(Play.REF, 5, "3.5.16"));
        play.world.quotas().quota("team", Map.of("pods", "4"), Map.of("pods", "3"));

        assertThat(warnings(play))
                .singleElement()
                .satisfies(w -> assertThat(w).contains("leaves 1 of 4 pods, and the ring needs 2 more"));
    }

    @Test
    void growthNeedsOnlyTheDifference() {
        var world = Worlds.ring().members(3).leader(0).build();
        var play = new Play(world, Specs.withStorage(THREE, "20Gi"));
        world.quotas()
                .quota(
                        "disks",
                        Map.of("requests.storage", "60Gi", "pods", "3"),
                        Map.of("requests.storage", "55Gi", "pods", "3"));

        assertThat(warnings(play))
                .singleElement()
                .satisfies(w -> assertThat(w).contains("leaves 5Gi of 60Gi requests.storage"));
    }

    @Test
    void countsCpuAndMemoryOfAllPods() {
        var play = new Play(
                new FakeWorld(),
                Specs.resources(
                        THREE,
                        Map.of(
                                "requests", Map.of("cpu", "500m"),
                                "limits", Map.of("cpu", "1", "memory", "2Gi"))));
        play.world
                .quotas()
                .quota(
                        "compute",
                        Map.of("requests.cpu", "1", "memory", "4Gi", "limits.cpu", "3", "limits.memory", "5Gi"),
                        Map.of());

        assertThat(warnings(play))
                .satisfiesExactlyInAnyOrder(
                        w -> assertThat(w).contains("leaves 1 of 1 requests.cpu, and the ring needs 1.5 more"),
                        w -> assertThat(w).contains("leaves 4Gi of 4Gi memory, and the ring needs 6Gi more"),
                        w -> assertThat(w).contains("leaves 5Gi of 5Gi limits.memory, and the ring needs 6Gi more"));
    }

    @Test
    void cpuQuotaRequiresRequestsOfPods() {
        var play = new Play(new FakeWorld(), THREE);
        play.world.quotas().quota("compute", Map.of("limits.cpu", "30"), Map.of());

        assertThat(play.plan().findings())
                .filteredOn(f -> f.code().equals("namespace-quota"))
                .singleElement()
                .satisfies(f -> assertThat(f.level()).isEqualTo(Finding.Level.NOTE))
                .satisfies(f -> assertThat(f.message()).contains("limits limits.cpu", "LimitRange"));
    }

    @Test
    void ignoresScopedAndUnreadableQuotas() {
        var play = new Play(new FakeWorld(), THREE);
        play.world.quotas().scoped("low", Map.of("pods", "0"));
        assertThat(warnings(play)).isEmpty();

        play.world.quotas().quota("team", Map.of("pods", "0"), Map.of());
        play.world.quotas().forbid();
        assertThat(warnings(play)).isEmpty();
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
    }

    @Test
    void readsQuotasOncePerRunAndNeverForIdleRing() {
        var play = new Play(new FakeWorld(), THREE);
        play.world.quotas().quota("team", Map.of("pods", "9"), Map.of());

        play.once(FaultHook.NONE);
        assertThat(play.world.quotas().reads()).isOne();

        play.untilQuiet(3);
        int before = play.world.quotas().reads();
        play.once(FaultHook.NONE);
        assertThat(play.world.quotas().reads()).isEqualTo(before);
    }

    private static List<String> warnings(Play play) {
        return play.plan().findings().stream()
                .filter(f -> f.code().equals("namespace-quota") && f.level() == Finding.Level.WARNING)
                .map(Finding::message)
                .toList();
    }
}
