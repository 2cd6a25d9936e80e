package io.github.etcdgitops.sandbox.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.etcd.Folders;
import io.github.etcdgitops.sandbox.network.Network;
import io.github.etcdgitops.sandbox.network.PodKey;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Deletion;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Refusal;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// One pod on a machine, from its binding to its end. A virtual thread of its own does whatever is due
/// whenever it is woken.
final class PodRun {
    private static final Duration AFTER_A_FAULT = Duration.ofSeconds(1);
    private static final Duration CHECK = Duration.ofMinutes(1);

    private final Kubelet kubelet;
    private final PodKey key;
    private final String uid;
    private final String address;
    private final Network.Endpoint endpoint;
    private final RestartPolicy policy;
    private final Stages containers;
    private final Instant since;
    private final Semaphore wake = new Semaphore(0);
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile ObjectNode pod;
    private volatile boolean forgotten;
    private volatile boolean frozen;
    private Duration granted = Duration.ofSeconds(Long.MAX_VALUE);
    private volatile long refreshAt = Long.MAX_VALUE;

    PodRun(Kubelet kubelet, ObjectNode pod) throws IOException {
        this.kubelet = kubelet;
        this.pod = pod;
        key = PodKey.of(pod);
        uid = Meta.uid(pod);
        since = kubelet.engine().clock().instant();
        address = kubelet.network().newAddress();
        JsonNode spec = pod.path("spec");
        Path root = kubelet.folderOf(uid).resolve("root");
        Path etc = Files.createDirectories(root.resolve("etc"));
        endpoint = new Network.Endpoint(
                key,
                spec.path("hostname").asText(key.name()),
                spec.path("subdomain").asText(""),
                address,
                etc.resolve("hosts"),
                aliases(spec));
        policy = RestartPolicy.of(spec);
        containers = new Stages(
                runs("initContainers", "initContainerStatuses", policy.ofFirst(), root),
                runs("containers", "containerStatuses", policy, root));
    }

    /// Lines of a hosts file. The loopback of the pod is its own address.
    private List<String> aliases(JsonNode spec) {
        var lines = new ArrayList<String>();
        for (JsonNode alias : spec.path("hostAliases")) {
            String ip = alias.path("ip").asText();
            for (JsonNode name : alias.path("hostnames")) {
                lines.add((ip.equals("127.0.0.1") ? address : ip) + " " + name.asText());
            }
        }
        return lines;
    }

    /// The process of a container that runs.
    Optional<RunningContainer> container() {
        return containers.running();
    }

    private List<ContainerRun> runs(String kind, String statuses, RestartPolicy policy, Path root) {
        var runs = new ArrayList<ContainerRun>();
        for (JsonNode container : pod.path("spec").path(kind)) {
            runs.add(run(ContainerSpec.of(container), pod.path("status").path(statuses), policy, root));
        }
        return runs;
    }

    private ContainerRun run(ContainerSpec container, JsonNode statuses, RestartPolicy policy, Path root) {
        int restarts = 0;
        for (JsonNode before : statuses) {
            if (before.path("name").asText().equals(container.name())) {
                restarts = before.path("restartCount").asInt()
                        + (before.path("state").has("running") ? 1 : 0);
            }
        }
        var order = new Engine.Order(container, pod, root, address);
        var surroundings = new ContainerRun.Surroundings(
                () -> volumes().materialise(),
                wake::release,
                kubelet.folderOf(uid).resolve("logs").resolve(container.name()),
                policy,
                pod.path("spec").has("initContainers") ? "PodInitializing" : "ContainerCreating",
                restarts);
        return new ContainerRun(kubelet.engine(), order, kubelet.settings(), surroundings);
    }

    PodKey key() {
        return key;
    }

    String node() {
        return pod.path("spec").path("nodeName").asText();
    }

    Volumes volumes() {
        return new Volumes(kubelet.objects(), pod, kubelet.folderOf(uid).resolve("volumes"), address);
    }

    void start() {
        Thread.ofVirtual().name("pod " + key).start(this::run);
    }

    void update(ObjectNode newest) {
        boolean marked = !newest.path("metadata")
                .path("annotations")
                .equals(pod.path("metadata").path("annotations"));
        pod = newest;
        if (marked) {
            refreshAt = System.nanoTime();
        }
        wake.release();
    }

    /// A ConfigMap or Secret of its volumes has changed.
    void configChanged() {
        refreshAt = System.nanoTime() + kubelet.settings().configDelay().toNanos();
        wake.release();
    }

    /// Ends it without a word to anybody: its object is gone, or its machine.
    void forget(Duration grace) {
        forgotten = true;
        containers.stop(grace);
        wake.release();
    }

    /// Its processes stand still, and nothing is done or said about it, until it is thawed.
    void freeze(boolean still) throws IOException, InterruptedException {
        frozen = still;
        for (ContainerRun container : containers.all().toList()) {
            container.freeze(still);
        }
        wake.release();
    }

    void awaitEnd() throws InterruptedException {
        over.await();
    }

    /// While its processes are killed and cannot be started.
    void killed(Runnable meanwhile) throws InterruptedException {
        for (ContainerRun container : containers.all().toList()) {
            container.killed(meanwhile);
        }
    }

    Optional<InputStream> logs(String container, boolean follow) {
        return containers.named(container).flatMap(run -> run.logs(follow));
    }

    private void run() {
        boolean joined = false;
        boolean ended = false;
        try {
            while (!ended) {
                try {
                    if (!joined) {
                        kubelet.network().join(endpoint);
                        joined = true;
                    }
                    ended = step();
                } catch (IOException | RuntimeException e) {
                    kubelet.engine().progress().accept("pod " + key + ": " + e);
                    refreshAt = System.nanoTime() + AFTER_A_FAULT.toNanos();
                }
                if (!ended) {
                    // What is due meanwhile waits until it is thawed.
                    long due = frozen ? CHECK.toNanos() : refreshAt - System.nanoTime();
                    long nanos = Math.min(due, CHECK.toNanos());
                    wake.tryAcquire(nanos, TimeUnit.NANOSECONDS);
                    wake.drainPermits();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            leave();
            over.countDown();
        }
    }

    /// Does whatever is due; whether the pod has ended.
    private boolean step() throws IOException {
        if (frozen && !forgotten) {
            return false;
        }
        if (ending()) {
            stop(Duration.ofSeconds(
                    pod.path("metadata").path("deletionGracePeriodSeconds").asLong()));
        }
        if (!ending() && !forgotten) {
            containers.advance();
        }
        if ((ending() || forgotten) && containers.over()) {
            if (!forgotten) {
                report();
                delete();
            }
            return true;
        }
        if (System.nanoTime() >= refreshAt) {
            refreshAt = Long.MAX_VALUE;
            volumes().refresh();
            containers.all().forEach(ContainerRun::retry);
        }
        if (!forgotten) {
            report();
        }
        return false;
    }

    /// Only once, as a second signal says something else; unless somebody became less patient.
    private void stop(Duration grace) {
        if (grace.compareTo(granted) < 0) {
            granted = grace;
            containers.stop(grace);
        }
    }

    private boolean ending() {
        return Meta.deleting(pod);
    }

    private void report() {
        var status = new PodStatus(
                address, since, policy, Stages.views(containers.first()), Stages.views(containers.main()));
        Instant now = kubelet.engine().clock().instant();
        try {
            kubelet.objects()
                    .updateStatus(
                            Resource.POD,
                            key.namespace(),
                            key.name(),
                            before -> Meta.uid(before).equals(uid) ? status.writeTo(before, now) : before);
        } catch (Refusal gone) {
            // then there is nobody to tell; the watch will say so
        }
    }

    private void delete() {
        try {
            var confirmed = new Deletion(Optional.of(uid), Optional.empty(), Optional.of(0L));
            kubelet.objects().delete(Resource.POD, key.namespace(), key.name(), confirmed);
        } catch (Refusal gone) {
            // somebody was faster
        }
    }

    private void leave() {
        try {
            kubelet.network().leave(endpoint);
            Folders.delete(kubelet.folderOf(uid));
        } catch (IOException | RuntimeException e) {
            // Somebody waits for its end, whatever became of its folder.
            kubelet.engine().progress().accept("pod " + key + ": " + e);
        }
    }
}
