package io.github.etcdgitops.sandbox.cli;

import io.github.etcdgitops.sandbox.api.ApiServer;
import io.github.etcdgitops.sandbox.controller.Controllers;
import io.github.etcdgitops.sandbox.etcd.EtcdReleases;
import io.github.etcdgitops.sandbox.fault.Fault;
import io.github.etcdgitops.sandbox.fault.Fault.PodName;
import io.github.etcdgitops.sandbox.image.Images;
import io.github.etcdgitops.sandbox.image.OwnImage;
import io.github.etcdgitops.sandbox.node.MachineSettings;
import io.github.etcdgitops.sandbox.node.Machines;
import io.github.etcdgitops.sandbox.objects.MemoryObjects;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// One Kubernetes: its objects, the controllers, the machines, and the API in front of them.
final class Sandbox implements AutoCloseable {
    /// A real one waits five minutes before it gives up the pods of a machine that is gone.
    private static final Duration EVICT_AFTER = Duration.ofSeconds(20);

    private final Controllers controllers;
    private final Machines machines;
    private final ApiServer api;
    private final CountDownLatch ended = new CountDownLatch(1);

    private Sandbox(Controllers controllers, Machines machines, ApiServer api) {
        this.controllers = controllers;
        this.machines = machines;
        this.api = api;
    }

    static Sandbox start(Path folder, ServeOptions options, Consumer<String> progress)
            throws IOException, InterruptedException {
        var clock = InstantSource.system();
        var objects = new MemoryObjects(clock);
        var images = new Images(
                EtcdReleases.of(System.getenv()), OwnImage.ofCheckout(options.image, folder.resolve("agent")));
        var machines = Machines.start(objects, images, MachineSettings.of(folder, options.nodes), clock, progress);
        var controllers =
                Controllers.start(objects, new Controllers.Settings(folder.resolve("volumes"), EVICT_AFTER, clock));
        return new Sandbox(controllers, machines, ApiServer.start(objects, machines, options.port));
    }

    int exec(List<String> words, OutputStream output) throws IOException, InterruptedException {
        if (words.size() < 2) {
            throw new IllegalArgumentException("expected NAMESPACE/POD and a command");
        }
        var pod = PodName.parse(words.getFirst());
        return machines.exec(pod.namespace(), pod.name(), words.subList(1, words.size()), output);
    }

    /// Anybody on this machine may use it, as it stands on loopback and has nothing of value in it.
    String kubeconfig() {
        return """
                apiVersion: v1
                kind: Config
                current-context: sandbox
                contexts:
                  - name: sandbox
                    context: {cluster: sandbox, user: sandbox}
                clusters:
                  - name: sandbox
                    cluster: {server: "%s"}
                users:
                  - name: sandbox
                    user: {}
                """.formatted(api.url());
    }

    /// Throws IllegalArgumentException where there is no such pod or machine.
    void apply(Fault fault) {
        try {
            switch (fault) {
                case Fault.KillPod(PodName pod) -> machines.killPod(pod.namespace(), pod.name());
                case Fault.WipeVolume(PodName pod) -> machines.wipeVolume(pod.namespace(), pod.name());
                case Fault.LoseVolume(PodName pod) -> machines.loseVolume(pod.namespace(), pod.name());
                case Fault.Isolate(PodName pod) -> machines.isolate(pod.namespace(), pod.name());
                case Fault.Heal(PodName pod) -> machines.heal(pod.namespace(), pod.name());
                case Fault.NodeGone(String node) -> machines.nodeGone(node);
                case Fault.NodeFrozen(String node) -> machines.nodeFrozen(node);
                case Fault.NodeBack(String node) -> machines.nodeBack(node);
                case Fault.ApiUp _ -> api.outage(false);
                case Fault.ApiDown(var length) -> {
                    api.outage(true);
                    length.ifPresent(this::backAfter);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalArgumentException("the sandbox is ending", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("the machine refused: " + e.getMessage(), e);
        }
    }

    /// The sandbox's own end cuts the wait short.
    private void backAfter(Duration length) {
        Thread.ofVirtual().name("api-back").start(() -> {
            try {
                if (!ended.await(length.toMillis(), TimeUnit.MILLISECONDS)) {
                    api.outage(false);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /// Clients first, so that nobody sees a Kubernetes that falls apart.
    @Override
    public void close() throws IOException {
        ended.countDown();
        api.close();
        controllers.close();
        machines.close();
    }
}
