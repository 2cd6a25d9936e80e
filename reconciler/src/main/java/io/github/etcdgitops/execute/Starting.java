package io.github.etcdgitops.execute;

import io.github.etcdgitops.state.StartTrouble;
import io.github.etcdgitops.state.StartTrouble.Lasting;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

/// Waits for members to start, and no longer than there is hope. Meanwhile other rings get on.
final class Starting {
    /// Of the usual way up as well, pods are not scheduled and claims not bound for moments.
    private static final Duration LENDS_AFTER = Duration.ofSeconds(10);

    private final StepContext context;
    private final Collection<Integer> ordinals;
    private final Turn turn = Turn.mine();
    private Optional<Lasting> trouble = Optional.empty();
    private Instant since;

    Starting(StepContext context, Collection<Integer> ordinals) {
        this.context = context;
        this.ordinals = ordinals;
        this.since = context.now();
    }

    /// What is missing still; empty once nothing is, and the ring has its turn.
    Optional<String> await(Duration deadline, Supplier<Optional<String>> missing) {
        var still = context.await(deadline, () -> {
            var what = missing.get();
            if (what.isEmpty()) {
                trouble = Optional.empty();
                return turn.regain()
                        ? Optional.empty()
                        : Optional.of("it waits for its turn among the rings that are changed at the same time");
            }
            look();
            return hopeless() ? Optional.empty() : what;
        });
        return trouble.filter(_ -> hopeless())
                .map(t -> whole(t) + "; that has not changed for "
                        + t.patience().toMinutes() + " min, and it will not start by itself")
                .or(() -> still);
    }

    private String whole(Lasting found) {
        String all = StartTrouble.said(context.state());
        return all.contains(found.said()) ? "they do not start" + all : found.said() + all;
    }

    private void look() {
        var found = StartTrouble.lasting(context.state(), ordinals);
        if (!found.map(Lasting::cause).equals(trouble.map(Lasting::cause))) {
            since = context.now();
        }
        trouble = found;
        if (trouble.isPresent() && lasted(LENDS_AFTER)) {
            turn.lend();
        }
    }

    private boolean hopeless() {
        return trouble.filter(t -> lasted(t.patience())).isPresent();
    }

    private boolean lasted(Duration time) {
        return !context.now().isBefore(since.plus(time));
    }
}
