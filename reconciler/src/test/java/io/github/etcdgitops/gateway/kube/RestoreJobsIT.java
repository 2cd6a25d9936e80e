package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccessMode;
import io.github.etcdgitops.gateway.RestoreJobs.Lack;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.gateway.RestoreJobs.Snapshot;
import io.github.etcdgitops.gateway.RestoreJobs.Target;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Restores and drills with real snapshots on a real Kubernetes. `ETCD_GITOPS_TEST_IMAGE` names an image of this
/// checkout that its machines have.
class RestoreJobsIT {
    private Restores restores;

    @BeforeEach
    void open() {
        restores = Restores.open();
    }

    @AfterEach
    void close() {
        if (restores != null) {
            restores.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"3.4.23,pod-ip", "3.5.16,port-forward"})
    void ringStartsOnRestoredData(String version, String way) throws Exception {
        var saved = RealSnapshot.of(version);
        var ring = restores.ring(version);
        var job = restores.job(ring, restores.restore("a1"), saved.snapshot());
        restores.jobs().createClaim(ring, 0);
        assertConflict(() -> restores.jobs().createClaim(ring, 0));
        String claim = restores.claimUid();

        assertThat(restores.jobs().create(job)).isEmpty();

        assertConflict(() -> restores.jobs().create(job));
        restores.send(job, saved, MemberAccessMode.parse(way).orElseThrow());
        restores.await(job, phase -> phase.equals(new Phase.Succeeded()));
        restores.remove(job);
        KubeState state = startOn(ring, "a1");
        assertThat(restores.claimUid()).isEqualTo(claim);
        assertThat(restores.askMember(saved, state, "get", "", "--prefix", "--keys-only"))
                .contains("key-000\n", "key-199\n");
        assertThat(restores.askMember(saved, state, "get", "key-199", "--print-value-only"))
                .isEqualTo(RealSnapshot.value(199) + "\n");
    }

    private KubeState startOn(io.github.etcdgitops.gateway.RingObjects ring, String incarnation) {
        var gateway = restores.world().gateway();
        gateway.apply(ManagedObject.PEER_SERVICE, ring);
        gateway.writeMemberConfig(ring, 0, Optional.of(new MemberConfig.Sealed(incarnation)));
        gateway.createStatefulSet(ring, 1);
        return restores.world()
                .await(
                        ring.spec().ref(),
                        1,
                        live -> live.pods()
                                .optional()
                                .map(pods -> pods.get(0))
                                .map(KubeState.PodState::ready)
                                .orElse(false));
    }

    @Test
    void makesTheClaimThatTheControllerWouldMake() {
        var ring = restores.ring("3.5.16");
        restores.jobs().createClaim(ring, 0);

        restores.world().gateway().apply(ManagedObject.PEER_SERVICE, ring);
        restores.world().gateway().createStatefulSet(ring, 2);

        restores.awaitClaims(2);
        var first = restores.claim(0);
        var second = restores.claim(1);
        assertThat(Tree.labels(first)).isEqualTo(Tree.labels(second));
        assertThat(first.path("spec").path("resources"))
                .isEqualTo(second.path("spec").path("resources"));
        for (String field : List.of("accessModes", "storageClassName", "volumeMode")) {
            assertThat(first.path("spec").path(field))
                    .isEqualTo(second.path("spec").path(field));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.16"})
    void drillHasSameDataAsSnapshotSource(String version) throws Exception {
        var saved = RealSnapshot.of(version);
        var job = restores.job(restores.ring(version), restores.drill("d1", Optional.empty()), saved.snapshot());

        assertThat(restores.jobs().create(job)).isEmpty();
        restores.send(job, saved, MemberAccessMode.AUTO);
        restores.await(job, phase -> phase.equals(new Phase.Serving()));

        assertThat(restores.hash(saved, job)).isEqualTo(saved.hash());
        assertThat(restores.ask(saved, job, "get", "", "--prefix", "--keys-only", "--write-out=json"))
                .contains("\"count\":200", "\"revision\":" + saved.revision() + ",");
        assertThat(restores.world().gateway().list().keySet())
                .noneMatch(ref -> ref.namespace().equals(job.namespace()));
        restores.remove(job);
    }

    @Test
    void saysThatAnOldServerHasNoVolumesForDrills() {
        var saved = new Snapshot(new SnapshotDigest(20480, "ab".repeat(32)), false);
        var job = restores.job(restores.ring("3.5.16"), restores.drill("d1", Optional.of("standard")), saved);

        Optional<String> remark = restores.jobs().create(job);

        assertThat(remark.isPresent()).isEqualTo(restores.olderThan123());
        restores.await(job, phase -> phase.equals(new Phase.Receiving()));
        restores.remove(job);
    }

    @Test
    void killedPodHarmsNothing() throws Exception {
        var saved = RealSnapshot.of("3.5.16");
        var job = restores.job(restores.ring("3.5.16"), restores.drill("d1", Optional.empty()), saved.snapshot());
        restores.jobs().create(job);
        var pod = restores.awaitPod(job);
        restores.greeted(job, pod, MemberAccessMode.PORT_FORWARD);
        var killing = new FilterInputStream(new ByteArrayInputStream(saved.bytes())) {
            private int left = saved.bytes().length / 2;

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                if (left <= 0) {
                    restores.kill(pod);
                    left = Integer.MAX_VALUE;
                }
                int n = super.read(bytes, from, Math.min(length, 10_000));
                left -= n;
                return n;
            }
        };

        assertThatThrownBy(
                        () -> restores.sendOnce(pod, saved.snapshot().digest(), killing, MemberAccessMode.PORT_FORWARD))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isIn(Kind.UNREACHABLE, Kind.TIMEOUT));

        // Older controllers make another pod, newer ones call the Job failed. Both are well.
        restores.await(
                job,
                (state, phase) -> phase instanceof Phase.Failed
                        || (phase.equals(new Phase.Receiving())
                                && state.pod().stream().noneMatch(p -> p.uid().equals(pod.uid()))));
        restores.remove(job);
        restores.jobs().create(job);
        restores.send(job, saved, MemberAccessMode.AUTO);
        restores.await(job, phase -> phase.equals(new Phase.Serving()));
        assertThat(restores.hash(saved, job)).isEqualTo(saved.hash());
        restores.remove(job);
    }

    @Test
    void acceptsOnlySnapshotThatJobNames() throws Exception {
        var saved = RealSnapshot.of("3.5.16");
        var job = restores.job(restores.ring("3.5.16"), restores.drill("d1", Optional.empty()), saved.snapshot());
        restores.jobs().create(job);
        var pod = restores.awaitPod(job);
        restores.greeted(job, pod, MemberAccessMode.AUTO);
        byte[] other = saved.bytes();
        other[other.length / 2] ^= 1;

        assertThatThrownBy(() -> restores.sendOnce(
                        pod, saved.snapshot().digest(), new ByteArrayInputStream(other), MemberAccessMode.AUTO))
                .hasMessageContaining("their SHA-256 is");

        restores.await(job, phase -> phase.equals(new Phase.Receiving()));
        restores.send(job, saved, MemberAccessMode.AUTO);
        restores.await(job, phase -> phase.equals(new Phase.Serving()));
        restores.remove(job);
    }

    @Test
    void restoresABareDatabaseOnlyWhenTold() throws Exception {
        var whole = RealSnapshot.of("3.5.16");
        var bare = whole.with(Arrays.copyOf(whole.bytes(), whole.bytes().length - 32));
        var ring = restores.ring("3.5.16");
        var checked = restores.job(ring, restores.drill("d1", Optional.empty()), bare.snapshot());

        restores.jobs().create(checked);
        restores.send(checked, bare, MemberAccessMode.AUTO);
        restores.await(checked, phase -> phase instanceof Phase.Failed);
        assertThat(restores.phase(checked)).isInstanceOfSatisfying(Phase.Failed.class, failed -> {
            assertThat(failed.container()).isEqualTo("restore");
            assertThat(failed.exitCode()).isPositive();
            assertThat(failed.excerpt()).contains("hash");
        });
        restores.remove(checked);

        var told = restores.job(
                ring,
                restores.drill("d2", Optional.empty()),
                new Snapshot(bare.snapshot().digest(), true));
        restores.jobs().create(told);
        restores.send(told, bare, MemberAccessMode.AUTO);
        restores.await(told, phase -> phase.equals(new Phase.Serving()));
        assertThat(restores.hash(whole, told)).isEqualTo(whole.hash());
        restores.remove(told);
    }

    @Test
    void raisesTheRevisionAndMarksWhatWasBefore() throws Exception {
        var saved = RealSnapshot.of("3.5.16");
        var job = restores.bumped(
                restores.job(restores.ring("3.5.16"), restores.drill("d1", Optional.empty()), saved.snapshot()), 1_000);

        restores.jobs().create(job);
        restores.send(job, saved, MemberAccessMode.AUTO);
        restores.await(job, phase -> phase.equals(new Phase.Serving()));

        assertThat(restores.ask(saved, job, "get", "", "--prefix", "--keys-only", "--write-out=json"))
                .contains("\"count\":200", "\"revision\":" + (saved.revision() + 1_000) + ",");
        restores.remove(job);
    }

    @Test
    void endsAtItsDeadline() {
        var snapshot = new Snapshot(new SnapshotDigest(20480, "ab".repeat(32)), false);
        var job = restores.within(
                Duration.ofSeconds(5),
                restores.job(restores.ring("3.5.16"), restores.drill("d1", Optional.empty()), snapshot));

        restores.jobs().create(job);

        restores.await(
                job, phase -> phase.equals(new Phase.Failed("", -1, "it was not finished within 5 seconds", "")));
        restores.remove(job);
    }

    @Test
    void saysThatTheImageCannotBePulled() {
        var snapshot = new Snapshot(new SnapshotDigest(20480, "ab".repeat(32)), false);
        var job = restores.withImage(
                "etcd-gitops.invalid/none:1",
                restores.job(restores.ring("3.5.16"), restores.drill("d1", Optional.empty()), snapshot));

        restores.jobs().create(job);

        restores.await(
                job,
                phase -> phase.equals(
                        new Phase.Pending(Lack.CONTAINER, "the image etcd-gitops.invalid/none:1 cannot be pulled")));
        restores.remove(job);
    }

    @Test
    void deletesOnlyTheJobThatItMeans() {
        var snapshot = new Snapshot(new SnapshotDigest(20480, "ab".repeat(32)), false);
        Target drill = restores.drill("d1", Optional.empty());
        var job = restores.job(restores.ring("3.5.16"), drill, snapshot);
        restores.jobs().create(job);

        assertConflict(() -> restores.jobs().delete(job.ring().spec().ref(), job.namespace(), job.name(), "another"));

        assertThat(restores.jobs().gone(job.ring().spec().ref(), job.namespace(), job.name()))
                .isFalse();
        restores.remove(job);
        assertThat(restores.jobs().read(job.ring().spec().ref(), job.namespace(), job.name()))
                .isEmpty();
    }

    private static void assertConflict(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONFLICT));
    }

    @Test
    void reachesAPodWhoseFirstContainerStillRuns() {
        var snapshot = new Snapshot(new SnapshotDigest(20480, "ab".repeat(32)), false);
        var job = restores.job(restores.ring("3.5.16"), restores.drill("d1", Optional.empty()), snapshot);
        restores.jobs().create(job);
        var pod = restores.awaitPod(job);

        for (MemberAccessMode mode : List.of(MemberAccessMode.POD_IP, MemberAccessMode.PORT_FORWARD)) {
            assertThat(restores.greeted(job, pod, mode)).isEqualTo("no:");
        }
        restores.remove(job);
    }
}
