package io.github.etcdgitops.sandbox.node;

import io.github.etcdgitops.sandbox.image.Image;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Keeps one container of a pod running: starts it, waits for its end, waits a little longer each time,
/// starts it again, unless its policy says that it was enough.
final class ContainerRun {
    private static final int LONGEST_MESSAGE = 4096;
    private static final Duration LIVENESS_GRACE = Duration.ofSeconds(30);

    private final Engine engine;
    private final Engine.Order order;
    private final MachineSettings settings;
    private final Supplier<Map<String, Path>> volumes;
    private final RestartPolicy policy;
    private final Runnable changed;
    private final ContainerLogs logs;

    /// Held while the process is started, ended or kept from being started.
    private final ReentrantLock gate = new ReentrantLock();

    private final Condition wake = gate.newCondition();
    private volatile boolean stopping;
    private volatile boolean frozen;
    private boolean retry;
    private boolean begun;
    private volatile @Nullable RunningContainer running;
    private volatile ContainerView view;

    ContainerRun(Engine engine, Engine.Order order, MachineSettings settings, Surroundings surroundings) {
        this.engine = engine;
        this.order = order;
        this.settings = settings;
        volumes = surroundings.volumes();
        changed = surroundings.changed();
        logs = new ContainerLogs(surroundings.logs());
        policy = surroundings.policy();
        view = ContainerView.fresh(surroundings.waitsFor(), surroundings.restarts());
    }

    /// `volumes` brings them all up to date and throws [StartFailure]; `changed` is told of every change of
    /// the view; `waitsFor` is why it does not run until it is started; `restarts` is what a pod counts before this
    /// machine runs it.
    record Surroundings(
            Supplier<Map<String, Path>> volumes,
            Runnable changed,
            Path logs,
            RestartPolicy policy,
            String waitsFor,
            int restarts) {}

    ContainerSpec container() {
        return order.container();
    }

    ContainerView view() {
        return view;
    }

    /// Once.
    void start() {
        gate.lock();
        try {
            if (begun) {
                return;
            }
            begun = true;
        } finally {
            gate.unlock();
        }
        Thread.ofVirtual().name("container " + order.address()).start(this::run);
    }

    /// Was told to end, and has ended.
    boolean over() {
        return stopping && running == null;
    }

    /// For good. Returns at once.
    void stop(Duration grace) {
        gate.lock();
        try {
            stopping = true;
            wake.signalAll();
            RunningContainer now = running;
            if (now != null) {
                now.end(grace);
            }
        } finally {
            gate.unlock();
        }
    }

    /// Does something while the process is killed and cannot be started.
    void killed(Runnable meanwhile) throws InterruptedException {
        gate.lock();
        try {
            RunningContainer now = running;
            if (now != null) {
                now.kill();
            }
            meanwhile.run();
        } finally {
            gate.unlock();
        }
    }

    /// Its process stands still as it is, and none is started, until it is thawed.
    void freeze(boolean still) throws IOException, InterruptedException {
        gate.lock();
        try {
            frozen = still;
            wake.signalAll();
            RunningContainer now = running;
            if (now != null) {
                now.freeze(still);
            }
        } finally {
            gate.unlock();
        }
    }

    /// What was missing may be there now.
    void retry() {
        gate.lock();
        try {
            retry = true;
            wake.signalAll();
        } finally {
            gate.unlock();
        }
    }

    Optional<InputStream> logs(boolean follow) {
        try {
            return logs.open(follow, () -> running == null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run() {
        BackOff crashes = BackOff.of(settings.backOff());
        BackOff failures = crashes;
        try {
            while (!stopping) {
                try {
                    RunningContainer now = launch(engine.pull(container()));
                    if (now == null) {
                        return;
                    }
                    failures = BackOff.of(settings.backOff());
                    new Prober(engine, now, settings.impatience(), listener(now))
                            .start(container().ending().probes());
                    now.process().waitFor();
                    crashes = crashes.after(
                            Duration.between(now.view().since(), engine.clock().instant()));
                    ended(now, crashes.pause());
                    if (!policy.again(now.process().exitValue())) {
                        return;
                    }
                    pause(crashes.pause(), false);
                } catch (StartFailure e) {
                    failures = failures.after(Duration.ZERO);
                    become(view.waiting(e.reason(), e.why()));
                    pause(failures.pause(), true);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    Optional<RunningContainer> running() {
        return Optional.ofNullable(running);
    }

    private @Nullable RunningContainer launch(Image image) throws InterruptedException {
        gate.lock();
        try {
            while (frozen && !stopping) {
                wake.await();
            }
            if (stopping) {
                return null;
            }
            RunningContainer now = engine.start(order, image, volumes.get(), logs.next());
            running = now;
            become(view.running(now.view()));
            return now;
        } catch (IOException | RuntimeException e) {
            throw e instanceof StartFailure known ? known : new StartFailure("CreateContainerError", e.toString());
        } finally {
            gate.unlock();
        }
    }

    private void ended(RunningContainer now, Duration pause) throws InterruptedException {
        try {
            engine.ended(now);
        } catch (RuntimeException e) {
            // Its books are elsewhere: the process has ended all the same, and somebody waits to hear of it.
            engine.progress().accept("container " + container().name() + ": " + e);
        }
        int exit = now.process().exitValue();
        var end = new ContainerView.Terminated(
                now.process().pid(), exit, now.view().since(), engine.clock().instant(), message(exit));
        var waiting = new ContainerView.Waiting(
                "CrashLoopBackOff",
                "back-off " + pause.toSeconds() + "s restarting failed container="
                        + container().name());
        gate.lock();
        try {
            view = stopping || !policy.again(exit) ? view.terminated(end) : view.again(end, waiting);
            running = null;
        } finally {
            gate.unlock();
        }
        changed.run();
    }

    /// What is in `/dev` is not the container's own here.
    private String message(int exit) {
        Path root = order.root().normalize();
        Path file = root.resolve("./" + container().ending().message()).normalize();
        try {
            if (file.startsWith(root) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                try (InputStream written = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
                    return new String(written.readNBytes(LONGEST_MESSAGE), StandardCharsets.UTF_8);
                } finally {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            engine.progress().accept("container " + container().name() + ": its last word: " + e);
        }
        return exit != 0 && container().ending().logsAsMessage() ? logs.tail() : "";
    }

    private void pause(Duration pause, boolean untilRetry) throws InterruptedException {
        gate.lock();
        try {
            retry = false;
            long left = pause.toNanos();
            while (left > 0 && !stopping && !(untilRetry && retry)) {
                left = wake.awaitNanos(left);
            }
        } finally {
            gate.unlock();
        }
    }

    private Prober.Listener listener(RunningContainer of) {
        return new Prober.Listener() {
            @Override
            public void answered(boolean started, boolean ready) {
                gate.lock();
                try {
                    become(view.answered(of.view(), started, ready));
                } finally {
                    gate.unlock();
                }
            }

            @Override
            public void failed(String probe) {
                engine.progress()
                        .accept(order.pod().path("metadata").path("name").asText() + ": container "
                                + container().name() + " failed " + probe + " probe, will be restarted");
                of.end(LIVENESS_GRACE);
            }

            @Override
            public boolean asleep() {
                return frozen;
            }
        };
    }

    private void become(ContainerView next) {
        view = next;
        changed.run();
    }
}
