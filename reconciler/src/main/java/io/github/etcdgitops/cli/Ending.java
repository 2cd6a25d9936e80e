package io.github.etcdgitops.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The end of this process as its surroundings wish it: SIGTERM or SIGINT. A run then ends after the step in hand and
/// still publishes what it did; a step that takes longer than the grace is left to the next run, as after a crash.
final class Ending {
    private final CountDownLatch wished = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);

    /// From now on a signal waits this long for [#done].
    static Ending onSignal(Duration grace) {
        var ending = new Ending();
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("ending").unstarted(() -> ending.signalled(grace)));
        return ending;
    }

    private void signalled(Duration grace) {
        wished.countDown();
        try {
            done.await(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Why nothing more may be begun, if that is so.
    Optional<String> wish() {
        return wished.getCount() == 0
                ? Optional.of("this process was asked to end; the next run carries on")
                : Optional.empty();
    }

    void awaitWish() throws InterruptedException {
        wished.await();
    }

    /// Whatever had to be finished is.
    void done() {
        done.countDown();
    }
}
