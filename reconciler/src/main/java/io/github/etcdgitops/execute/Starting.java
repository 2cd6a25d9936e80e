package io.github.etcdgitops.execute;

import io.github.etcdgitops.state.StartTrouble;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/// Waits for members to start, and no longer than there is hope.
record Starting(StepContext context) {
    /// What cannot mend itself must have been so for as long: objects that a member needs may be written a moment
    /// later.
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /// What is missing still; empty once nothing is.
    Optional<String> await(Duration deadline, Collection<Integer> ordinals, Supplier<Optional<String>> missing) {
        var patience = context.now().plus(PATIENCE);
        var hopeless = new AtomicReference<Optional<String>>(Optional.empty());
        var still = context.await(deadline, () -> {
            var what = missing.get();
            if (what.isPresent() && !context.now().isBefore(patience)) {
                hopeless.set(StartTrouble.lasting(context.state(), ordinals));
            }
            return hopeless.get().isPresent() ? Optional.empty() : what;
        });
        return hopeless.get().map(why -> why + "; it will not start by itself").or(() -> still);
    }
}
