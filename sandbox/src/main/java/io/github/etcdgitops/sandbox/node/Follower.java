package io.github.etcdgitops.sandbox.node;

import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.Refusal;
import io.github.etcdgitops.sandbox.objects.Resource;
import io.github.etcdgitops.sandbox.objects.Watch;
import java.time.Duration;
import java.util.function.Consumer;

/// Lists all objects of a kind and then follows their changes, from the beginning again when it fell behind.
final class Follower {
    private static final Duration LOOK_UP = Duration.ofMinutes(1);

    private final KubeObjects objects;
    private final Resource resource;
    private final Consumer<KubeObjects.Listing> listed;
    private final Consumer<Watch.Change> changed;
    private final Thread thread;
    private volatile boolean closed;

    Follower(
            KubeObjects objects,
            Resource resource,
            Consumer<KubeObjects.Listing> listed,
            Consumer<Watch.Change> changed) {
        this.objects = objects;
        this.resource = resource;
        this.listed = listed;
        this.changed = changed;
        thread = Thread.ofVirtual().name("follow " + resource.plural()).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void stop() throws InterruptedException {
        closed = true;
        thread.interrupt();
        thread.join();
    }

    private void run() {
        while (!closed) {
            try {
                follow();
            } catch (Refusal tooFarBehind) {
                // begins with a new list
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void follow() throws InterruptedException {
        KubeObjects.Listing listing = objects.list(resource, "");
        listed.accept(listing);
        try (Watch watch = objects.watch(resource, "", listing.resourceVersion())) {
            while (!closed) {
                watch.next(LOOK_UP).ifPresent(changed);
            }
        }
    }
}
