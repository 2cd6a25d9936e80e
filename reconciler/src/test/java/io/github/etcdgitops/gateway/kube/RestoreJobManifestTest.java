package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.etcdgitops.gateway.RestoreJobs.RestoreJob;
import io.github.etcdgitops.gateway.RestoreJobs.Snapshot;
import io.github.etcdgitops.gateway.RestoreJobs.Target;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.manifest.RestoreJobManifest;
import io.github.etcdgitops.gateway.kube.manifest.RingManifests;
import io.github.etcdgitops.golden.Golden;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestoreJobManifestTest {
    private static final Golden GOLDEN = new Golden("manifests/restore");
    private static final Snapshot SNAPSHOT = new Snapshot(new SnapshotDigest(20480, "0f".repeat(32)), false);

    @AfterAll
    static void everyGoldenFileWasRead() {
        GOLDEN.assertAllUsed();
    }

    static Target restore() {
        return new Target.Volume("a1", "token-1", "http://orders-0.orders-peer.shop.svc:2380");
    }

    static Target drill(Optional<String> storageClassName) {
        return new Target.Scratch("drills", "d1", storageClassName);
    }

    static RestoreJob job(RingObjects ring, Target target, Optional<Long> bumpRevision) {
        return new RestoreJob(
                ring,
                target,
                SNAPSHOT,
                bumpRevision,
                "registry.example/etcd-gitops:1",
                Duration.ofHours(1),
                "0123abcd");
    }

    private static Job rendered(RingObjects ring, Target target) {
        return rendered(job(ring, target, Optional.empty()), true);
    }

    private static Job rendered(RestoreJob job, boolean ephemeral) {
        return Rendered.as(Job.class, RestoreJobManifest.of(job, ephemeral));
    }

    private static String yaml(RingObjects ring, Target target) {
        return Rendered.yaml(RestoreJobManifest.of(job(ring, target, Optional.empty()), true));
    }

    private static Stream<Container> containers(Job job) {
        var pod = job.getSpec().getTemplate().getSpec();
        return Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream());
    }

    private static Container container(Job job, String name) {
        return containers(job).filter(c -> c.getName().equals(name)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"3.3.25", "3.4.23", "3.5.16"})
    void rendersARestoreOfEachVersion(String version) {
        GOLDEN.assertMatches("restore-" + version + ".yaml", yaml(Samples.defaults(version), restore()));
    }

    @Test
    void rendersARestoreOfAFullSpec() {
        GOLDEN.assertMatches("restore-full.yaml", yaml(Samples.full(), restore()));
    }

    @Test
    void rendersADrill() {
        GOLDEN.assertMatches("drill.yaml", yaml(Samples.defaults("3.5.16"), drill(Optional.empty())));
        GOLDEN.assertMatches("drill-full.yaml", yaml(Samples.full(), drill(Optional.of("scratch"))));
    }

    @Test
    void usesTheMachinesDiskWhereTheServerHasNoVolumesThatGoWithAPod() {
        var job = rendered(job(Samples.full(), drill(Optional.of("scratch")), Optional.empty()), false);

        assertThat(job.getSpec().getTemplate().getSpec().getVolumes())
                .singleElement()
                .satisfies(v -> assertThat(v.getEmptyDir()).isNotNull());
    }

    @Test
    void raisesTheRevisionOnlyTogetherWithMarkingWhatWasBefore() {
        var job = rendered(job(Samples.defaults("3.5.16"), restore(), Optional.of(1_000_000L)), true);

        assertThat(container(job, "restore").getArgs()).contains("--bump-revision=1000000", "--mark-compacted=true");
        assertThat(container(rendered(Samples.defaults("3.5.16"), restore()), "restore")
                        .getArgs())
                .noneMatch(a -> a.startsWith("--bump-revision") || a.startsWith("--mark-compacted"));
    }

    @Test
    void checksTheHashUnlessTheFileHasNone() {
        var bare = new RestoreJob(
                Samples.defaults("3.5.16"),
                restore(),
                new Snapshot(SNAPSHOT.digest(), true),
                Optional.empty(),
                "etcd-gitops:1",
                Duration.ofHours(1),
                "0123abcd");

        assertThat(container(rendered(bare, true), "restore").getArgs()).contains("--skip-hash-check=true");
        assertThat(container(rendered(Samples.defaults("3.5.16"), restore()), "restore")
                        .getArgs())
                .noneMatch(a -> a.startsWith("--skip-hash-check"));
    }

    @Test
    void isSelectedByNothingThatSelectsMembers() {
        var labels = rendered(Samples.full(), restore())
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getLabels();

        assertThat(Labels.selector(Samples.ORDERS).entrySet()).noneMatch(labels.entrySet()::contains);
        assertThat(labels)
                .doesNotContainKeys(Labels.INSTANCE, Labels.CLIENTS)
                .containsEntry("team", "shop")
                .containsEntry(Labels.MANAGED_BY, Labels.MANAGER)
                .containsEntry(Labels.CLUSTER, "orders");
    }

    @Test
    void runsWhereAMemberMayRunAndAsTheSameUser() {
        var ring = Samples.full();
        var member = Rendered.as(StatefulSet.class, RingManifests.statefulSet(ring, 5))
                .getSpec()
                .getTemplate()
                .getSpec();

        var pod = rendered(ring, restore()).getSpec().getTemplate().getSpec();

        assertThat(pod.getAffinity()).isEqualTo(member.getAffinity());
        assertThat(pod.getTolerations()).isEqualTo(member.getTolerations());
        assertThat(pod.getNodeSelector()).isEqualTo(member.getNodeSelector());
        assertThat(pod.getTopologySpreadConstraints()).isEqualTo(member.getTopologySpreadConstraints());
        assertThat(pod.getPriorityClassName()).isEqualTo(member.getPriorityClassName());
        assertThat(pod.getSchedulerName()).isEqualTo(member.getSchedulerName());
        assertThat(pod.getImagePullSecrets()).isEqualTo(member.getImagePullSecrets());
        assertThat(pod.getSecurityContext()).isEqualTo(member.getSecurityContext());
    }

    @Test
    void hasNoTokenAndNoSecret() {
        for (Target target : new Target[] {restore(), drill(Optional.empty())}) {
            var job = rendered(Samples.full(), target);

            var pod = job.getSpec().getTemplate().getSpec();
            assertThat(pod.getAutomountServiceAccountToken()).isFalse();
            assertThat(pod.getVolumes()).hasSize(1).allMatch(v -> v.getSecret() == null && v.getProjected() == null);
            assertThat(containers(job)).allSatisfy(c -> {
                assertThat(c.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
                assertThat(c.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
            });
        }
    }

    @Test
    void givesOurContainersEnoughMemoryHoweverSmallTheMembersAre() {
        var ring = Samples.with(
                Samples.defaults("3.5.16"),
                Samples.podTemplate(
                        Map.of(
                                "requests", Map.of("memory", "64Mi", "cpu", "10m"),
                                "limits", Map.of("memory", "128Mi")),
                        Map.of()));

        var job = rendered(ring, restore());

        assertThat(container(job, "receive").getResources().getLimits()).containsEntry("memory", new Quantity("256Mi"));
        assertThat(container(job, "settle").getResources().getRequests())
                .containsEntry("memory", new Quantity("256Mi"))
                .containsEntry("cpu", new Quantity("10m"));
        assertThat(container(job, "restore").getResources().getLimits()).containsEntry("memory", new Quantity("128Mi"));
    }
}
