package io.github.etcdgitops.cli.console;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The request to end this process: SIGTERM or SIGINT. A run then ends after the current step and still
/// publishes its results; a step that takes longer than the grace period is left to the next run, as after
/// a crash.
public final class ShutdownSignal {
    private final CountDownLatch wished = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);

    private final Runnable onRequest;

    private ShutdownSignal(Runnable onRequest) {
        this.onRequest = onRequest;
    }

    /// From now on a signal calls `onRequest`, and waits this long for [#done].
    public static ShutdownSignal onSignal(Duration grace, Runnable onRequest) {
        var ending = new ShutdownSignal(onRequest);
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("ending").unstarted(() -> ending.signalled(grace)));
        return ending;
    }

    /// Also called at every ordinary end, when there is nothing left to report.
    private void signalled(Duration grace) {
        if (done.getCount() > 0) {
            onRequest.run();
        }
        wished.countDown();
        try {
            done.await(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Why nothing more may start, if so.
    public Optional<String> wish() {
        return wished.getCount() == 0
                ? Optional.of("this process was asked to stop; the next run continues")
                : Optional.empty();
    }

    public void awaitWish() throws InterruptedException {
        wished.await();
    }

    /// Everything that had to be finished is done.
    public void done() {
        done.countDown();
    }
}
