package io.github.etcdgitops.gateway.kube;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccessMode;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.gateway.RestoreJobs.PodState;
import io.github.etcdgitops.gateway.RestoreJobs.RestoreJob;
import io.github.etcdgitops.gateway.RestoreJobs.Snapshot;
import io.github.etcdgitops.gateway.RestoreJobs.State;
import io.github.etcdgitops.gateway.RestoreJobs.Target;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.gateway.SnapshotReceiver;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.tunnel.PodRoutes;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.receive.RemoteReceiver;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/// A ring's namespace and one for drills on a real Kubernetes, and what a reconciler does there for a
/// restore.
final class Restores implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration STALL = Duration.ofSeconds(60);

    private final RealKubernetes world;
    private final RealKubernetes scratch;
    private final Fabric8RestoreJobs jobs;
    private final ClusterRef ref;
    private final String image;

    private Restores(String image) {
        this.world = RealKubernetes.open();
        this.scratch = RealKubernetes.open();
        this.jobs = new Fabric8RestoreJobs(world.connection());
        this.ref = new ClusterRef(world.namespace(), "db");
        this.image = image;
    }

    static Restores open() {
        RealKubernetes.settings();
        String image = System.getenv("ETCD_GITOPS_TEST_IMAGE");
        assumeTrue(
                image != null && !image.isBlank(),
                "ETCD_GITOPS_TEST_IMAGE is not set: it names an image of etcd-gitops that the test's Kubernetes has");
        return new Restores(String.valueOf(image));
    }

    RealKubernetes world() {
        return world;
    }

    RestoreJobs jobs() {
        return jobs;
    }

    RingObjects ring(String version) {
        return Samples.defaults(ref, version);
    }

    Target restore(String incarnation) {
        return new Target.Volume(incarnation, "token-1", "http://" + ref.memberHost(0) + ":2380");
    }

    Target drill(String incarnation, Optional<String> storageClassName) {
        return new Target.Scratch(scratch.namespace(), incarnation, storageClassName);
    }

    RestoreJob job(RingObjects ring, Target target, Snapshot snapshot) {
        return new RestoreJob(ring, target, snapshot, Optional.empty(), image, Duration.ofMinutes(10), "0123abcd");
    }

    RestoreJob bumped(RestoreJob job, long by) {
        return new RestoreJob(
                job.ring(), job.target(), job.snapshot(), Optional.of(by), image, job.deadline(), job.operation());
    }

    RestoreJob within(Duration deadline, RestoreJob job) {
        return new RestoreJob(
                job.ring(), job.target(), job.snapshot(), Optional.empty(), image, deadline, job.operation());
    }

    RestoreJob withImage(String other, RestoreJob job) {
        return new RestoreJob(
                job.ring(), job.target(), job.snapshot(), Optional.empty(), other, job.deadline(), job.operation());
    }

    /// Sends until the receiver has it: it listens a moment after its container has started.
    void send(RestoreJob job, RealSnapshot saved, MemberAccessMode way) {
        PodState pod = awaitPod(job);
        EtcdProcess.await("the snapshot to be taken by " + pod.name(), PATIENCE, () -> {
            try {
                sendOnce(pod, saved.snapshot().digest(), new ByteArrayInputStream(saved.bytes()), way);
                return true;
            } catch (GatewayException e) {
                if (e.kind() != GatewayException.Kind.UNREACHABLE) {
                    throw e;
                }
                return !phase(job).equals(new Phase.Receiving());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    void sendOnce(PodState pod, SnapshotDigest digest, InputStream bytes, MemberAccessMode way) throws IOException {
        try (var access = new PodRoutes(world.connection(), way)) {
            String namespace = pod.name().startsWith("db-drill") ? scratch.namespace() : ref.namespace();
            new RemoteReceiver(access)
                    .send(new MemberAccess.Pod(ref, namespace, pod.name(), pod.ip()), digest, bytes, STALL, _ -> {});
        }
    }

    /// The first word of the receiver to somebody who says nothing sensible: by then it listens.
    String greeted(RestoreJob job, PodState pod, MemberAccessMode way) {
        var answer = new StringBuilder();
        EtcdProcess.await("the receiver to listen", PATIENCE, () -> {
            answer.setLength(0);
            try (var access = new PodRoutes(world.connection(), way);
                    var route = access.open(address(job, pod), SnapshotReceiver.PORT);
                    var socket = new Socket(route.host(), route.port())) {
                socket.setSoTimeout(Math.toIntExact(STALL.toMillis()));
                socket.getOutputStream().write("hello\n".getBytes(StandardCharsets.US_ASCII));
                answer.append(new String(socket.getInputStream().readNBytes(3), StandardCharsets.US_ASCII));
            } catch (IOException _) {
                return false;
            }
            return !answer.isEmpty();
        });
        return answer.toString();
    }

    private MemberAccess.Pod address(RestoreJob job, PodState pod) {
        return new MemberAccess.Pod(job.ring().spec().ref(), job.namespace(), pod.name(), pod.ip());
    }

    Phase phase(RestoreJob job) {
        return jobs.read(job.ring().spec().ref(), job.namespace(), job.name())
                .map(State::phase)
                .orElseThrow();
    }

    PodState awaitPod(RestoreJob job) {
        await(job, phase -> phase.equals(new Phase.Receiving()));
        return jobs.read(job.ring().spec().ref(), job.namespace(), job.name())
                .flatMap(State::pod)
                .orElseThrow();
    }

    void await(RestoreJob job, Predicate<Phase> until) {
        await(job, (_, phase) -> until.test(phase));
    }

    void await(RestoreJob job, BiPredicate<State, Phase> until) {
        var last = new StringBuilder();
        try {
            EtcdProcess.await("a phase", PATIENCE, () -> {
                State state = jobs.read(job.ring().spec().ref(), job.namespace(), job.name())
                        .orElseThrow();
                last.setLength(0);
                last.append(state);
                return until.test(state, state.phase());
            });
        } catch (AssertionError e) {
            throw new AssertionError("last seen: " + last, e);
        }
    }

    void kill(PodState pod) {
        var _ = TypedClient.of(scratch.connection())
                .pods()
                .inNamespace(scratch.namespace())
                .withName(pod.name())
                .withGracePeriod(0)
                .delete();
    }

    void remove(RestoreJob job) {
        jobs.delete(
                job.ring().spec().ref(),
                job.namespace(),
                job.name(),
                jobs.read(job.ring().spec().ref(), job.namespace(), job.name())
                        .orElseThrow()
                        .uid());
        EtcdProcess.await(
                "the Job and its pod to go",
                PATIENCE,
                () -> jobs.gone(job.ring().spec().ref(), job.namespace(), job.name()));
    }

    String ask(RealSnapshot saved, RestoreJob job, String... question) throws Exception {
        try (var access = new PodRoutes(world.connection(), MemberAccessMode.AUTO);
                var route = open(access, job)) {
            return answer(saved, route, question);
        }
    }

    String hash(RealSnapshot saved, RestoreJob job) throws Exception {
        String line = ask(saved, job, "endpoint", "hashkv");
        return line.strip().replaceFirst(".*, *", "");
    }

    private static MemberAccess.Route open(MemberAccess access, RestoreJob job, PodState pod) {
        return access.open(
                new MemberAccess.Pod(job.ring().spec().ref(), job.namespace(), pod.name(), pod.ip()),
                MemberAccess.Door.CLIENT.port());
    }

    private MemberAccess.Route open(MemberAccess access, RestoreJob job) {
        return open(
                access,
                job,
                jobs.read(job.ring().spec().ref(), job.namespace(), job.name())
                        .flatMap(State::pod)
                        .orElseThrow());
    }

    /// etcd answers a moment after its container has started.
    private static String answer(RealSnapshot saved, MemberAccess.Route route, String... question) {
        var answer = new StringBuilder();
        EtcdProcess.await("an answer of etcd", PATIENCE, () -> {
            try {
                answer.append(RealSnapshot.ctl(saved.binaries(), route.host() + ":" + route.port(), question));
                return true;
            } catch (IOException _) {
                return false;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        return answer.toString();
    }

    String askMember(RealSnapshot saved, KubeState state, String... question) throws Exception {
        String ip = state.pods().optional().orElseThrow().get(0).ip().orElseThrow();
        try (var access = new PodRoutes(world.connection(), MemberAccessMode.AUTO);
                var route = access.open(ref, 0, ip, MemberAccess.Door.CLIENT)) {
            return answer(saved, route, question);
        }
    }

    ObjectNode claim(int ordinal) {
        return world.connection()
                .own()
                .get(ObjectKind.CLAIM, ref.namespace(), ref.claimName(ordinal))
                .orElseThrow();
    }

    String claimUid() {
        return Tree.uid(claim(0));
    }

    void awaitClaims(int count) {
        EtcdProcess.await(
                "the claims",
                PATIENCE,
                () -> world.connection()
                        .own()
                        .get(ObjectKind.CLAIM, ref.namespace(), ref.claimName(count - 1))
                        .isPresent());
    }

    boolean olderThan123() {
        return !world.connection().own().traits().hasEphemeralVolumes();
    }

    @Override
    public void close() {
        world.close();
        scratch.close();
    }
}
