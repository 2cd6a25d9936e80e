package io.github.etcdgitops.sandbox.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.etcd.Folders;
import io.github.etcdgitops.sandbox.image.Images;
import io.github.etcdgitops.sandbox.network.Loopback;
import io.github.etcdgitops.sandbox.network.Network;
import io.github.etcdgitops.sandbox.network.PodKey;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.PodLogs;
import io.github.etcdgitops.sandbox.objects.Resource;
import io.github.etcdgitops.sandbox.objects.Watch;
import io.github.etcdgitops.sandbox.process.Containment;
import io.github.etcdgitops.sandbox.process.Ledger;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The machines of the sandbox: kubelets that run each container as a real process on a loopback address
/// of its pod's own. And the faults that machines, disks and networks have.
///
/// Names of pods in the faults' arguments are those of running pods; others are refused with an
/// [IllegalArgumentException].
public final class Machines implements PodLogs, AutoCloseable {
    private static final Duration GRACE_AT_CLOSE = Duration.ofSeconds(3);

    /// How long a machine that is heard of again goes on with what it ran, until it looks what is left of that.
    private static final Duration UNAWARE = Duration.ofSeconds(5);

    private final Kubelet kubelet;
    private final MachineNodes nodes;
    private final Set<String> gone = ConcurrentHashMap.newKeySet();
    private final Map<String, PodRun> runs = new ConcurrentHashMap<>();
    private final List<Follower> followers = new ArrayList<>();
    private final Disk disk;
    private final CountDownLatch closed = new CountDownLatch(1);

    private Machines(Kubelet kubelet) {
        this.kubelet = kubelet;
        disk = new Disk(kubelet.objects(), kubelet.settings().folder().resolve("lost"));
        nodes = new MachineNodes(
                kubelet.objects(), kubelet.engine().clock(), kubelet.settings().nodes());
    }

    /// Registers the nodes and runs what is bound to them. The folder is one sandbox's alone: what another
    /// one left in it is ended first. Throws when this machine cannot run containers at all, and says what to
    /// change. `progress` gets lines for people.
    public static Machines start(
            KubeObjects objects,
            Images images,
            MachineSettings settings,
            InstantSource clock,
            Consumer<String> progress)
            throws IOException, InterruptedException {
        Path folder = Files.createDirectories(settings.folder());
        endLeftovers(folder);
        Folders.delete(folder.resolve("pods"));
        Containment containment = Containment.detect(folder);
        var engine = new Engine(images, containment, new Ledger(folder), clock, progress);
        var machines = new Machines(new Kubelet(objects, engine, new Network(Loopback.claim()), settings));
        machines.nodes.register(Set.of());
        machines.follow(Resource.POD, machines::podListed, machines::podChanged);
        for (Resource config : List.of(Resource.CONFIG_MAP, Resource.SECRET)) {
            machines.follow(config, listing -> {}, change -> machines.configChanged(config, change.object()));
        }
        return machines;
    }

    /// Ends the processes that a sandbox with this folder left when it was killed. Returns how many there
    /// were.
    public static int endLeftovers(Path folder) throws IOException {
        return Ledger.endLeftovers(folder);
    }

    public List<String> nodes() {
        return nodes.names();
    }

    /// Its process is killed, and started again after a pause.
    public void killPod(String namespace, String pod) throws InterruptedException {
        run(namespace, pod).killed(() -> {});
    }

    /// Its process is killed and its volumes are emptied.
    public void wipeVolume(String namespace, String pod) throws InterruptedException {
        PodRun run = run(namespace, pod);
        run.killed(() -> run.volumes().persistent().values().forEach(Disk::empty));
    }

    /// Its process is killed, the folders of its volumes are moved to `lost/`, and their PersistentVolumes
    /// are deleted for good: what is left when a disk is.
    public void loseVolume(String namespace, String pod) throws InterruptedException {
        PodRun run = run(namespace, pod);
        run.killed(() -> run.volumes().persistent().forEach(disk::lose));
    }

    /// Nothing goes from it to other pods or from them to it, until it is healed.
    public void isolate(String namespace, String pod) {
        kubelet.network().isolate(run(namespace, pod).key());
    }

    /// Runs a command in the pod's container, as `kubectl exec` does; returns its exit code.
    public int exec(String namespace, String pod, List<String> command, OutputStream output)
            throws IOException, InterruptedException {
        RunningContainer container = run(namespace, pod)
                .container()
                .orElseThrow(() -> new IllegalArgumentException(namespace + "/" + pod + " is not running now"));
        return kubelet.engine().exec(container, command, output);
    }

    public void heal(String namespace, String pod) {
        kubelet.network().heal(new PodKey(namespace, pod));
    }

    /// The node falls silent: its processes are killed, and nothing is reported or confirmed any more.
    public void nodeGone(String node) throws InterruptedException {
        end(silenced(node, true), Duration.ZERO);
        nodes.silent(node);
    }

    /// The node falls silent and stands still: its processes stop where they are, and go on from there when it
    /// is back.
    public void nodeFrozen(String node) throws IOException, InterruptedException {
        for (PodRun run : silenced(node, false)) {
            run.freeze(true);
        }
        nodes.silent(node);
    }

    private synchronized List<PodRun> silenced(String node, boolean forGood) {
        if (!nodes.names().contains(node)) {
            throw new IllegalArgumentException("no node " + node + "; there are " + nodes.names());
        }
        gone.add(node);
        var there = on(node);
        if (forGood) {
            runs.values().removeAll(there);
        }
        return there;
    }

    /// It is a Node again, also where somebody has deleted that. What stood still goes on, for a while also what
    /// nobody wants there any more.
    public void nodeBack(String node) throws IOException, InterruptedException {
        List<PodRun> stood;
        synchronized (this) {
            gone.remove(node);
            stood = on(node);
        }
        for (PodRun run : stood) {
            run.freeze(false);
        }
        nodes.register(gone);
        kubelet.objects().list(Resource.POD, "").items().forEach(this::bound);
        if (!stood.isEmpty()) {
            Thread.ofVirtual().name("back " + node).start(this::endUnwanted);
        }
    }

    private void endUnwanted() {
        try {
            if (!closed.await(UNAWARE.toMillis(), TimeUnit.MILLISECONDS)) {
                podListed(kubelet.objects().list(Resource.POD, ""));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<PodRun> on(String node) {
        return runs.values().stream().filter(run -> run.node().equals(node)).toList();
    }

    @Override
    public Optional<InputStream> open(String namespace, String pod, String container, boolean follow) {
        return find(namespace, pod).flatMap(run -> run.logs(container, follow));
    }

    /// Ends every process that was started.
    @Override
    public void close() throws IOException {
        closed.countDown();
        List<PodRun> left;
        synchronized (this) {
            gone.addAll(nodes.names());
            left = List.copyOf(runs.values());
            runs.clear();
        }
        try {
            for (Follower follower : followers) {
                follower.stop();
            }
            end(left, GRACE_AT_CLOSE);
        } catch (InterruptedException e) {
            left.forEach(run -> run.forget(Duration.ZERO));
            Thread.currentThread().interrupt();
        }
        kubelet.network().close();
    }

    private void follow(Resource resource, Consumer<KubeObjects.Listing> listed, Consumer<Watch.Change> changed) {
        var follower = new Follower(kubelet.objects(), resource, listed, changed);
        followers.add(follower);
        follower.start();
    }

    private void podListed(KubeObjects.Listing listing) {
        var uids = new HashSet<String>();
        for (ObjectNode pod : listing.items()) {
            uids.add(Meta.uid(pod));
            bound(pod);
        }
        runs.keySet().stream().filter(uid -> !uids.contains(uid)).toList().forEach(this::podDeleted);
    }

    private void podChanged(Watch.Change change) {
        switch (change.type()) {
            case ADDED, MODIFIED -> bound(change.object());
            case DELETED -> podDeleted(Meta.uid(change.object()));
        }
    }

    /// A machine that is not heard of hears of nothing either.
    private void podDeleted(String uid) {
        PodRun run = runs.get(uid);
        if (run != null && !gone.contains(run.node()) && runs.remove(uid, run)) {
            run.forget(Duration.ZERO);
        }
    }

    private synchronized void bound(ObjectNode pod) {
        String node = pod.path("spec").path("nodeName").asText("");
        if (!nodes.names().contains(node) || gone.contains(node)) {
            return;
        }
        PodRun before = runs.get(Meta.uid(pod));
        if (before != null) {
            before.update(pod);
            return;
        }
        String phase = pod.path("status").path("phase").asText();
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            return;
        }
        try {
            var run = new PodRun(kubelet, pod);
            runs.put(Meta.uid(pod), run);
            run.start();
        } catch (IOException e) {
            kubelet.engine().progress().accept("pod " + PodKey.of(pod) + " cannot be run: " + e.getMessage());
        }
    }

    private void configChanged(Resource resource, ObjectNode config) {
        for (PodRun run : runs.values()) {
            if (run.key().namespace().equals(Meta.namespace(config))
                    && run.volumes().uses(resource, Meta.name(config))) {
                run.configChanged();
            }
        }
    }

    private PodRun run(String namespace, String pod) {
        return find(namespace, pod)
                .orElseThrow(() -> new IllegalArgumentException("no machine runs a pod " + namespace + "/" + pod));
    }

    private Optional<PodRun> find(String namespace, String pod) {
        var key = new PodKey(namespace, pod);
        return runs.values().stream().filter(run -> run.key().equals(key)).findFirst();
    }

    private static void end(List<PodRun> runs, Duration grace) throws InterruptedException {
        runs.forEach(run -> run.forget(grace));
        for (PodRun run : runs) {
            run.awaitEnd();
        }
    }
}
