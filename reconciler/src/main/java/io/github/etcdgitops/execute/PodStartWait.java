package io.github.etcdgitops.execute;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.state.health.StartTrouble;
import io.github.etcdgitops.state.health.StartTrouble.Lasting;
import io.github.etcdgitops.state.health.StartTrouble.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

/// Waits for members to start, and stops waiting when they cannot. While it waits, other rings make
/// progress.
public final class PodStartWait {
    /// Even in a normal start, pods are unscheduled and claims unbound for moments.
    private static final Duration LENDS_AFTER = Duration.ofSeconds(10);

    private static final Duration ASKS_EVERY = Duration.ofSeconds(5);

    private final StepContext context;
    private final Collection<Integer> ordinals;
    private final RolloutSlot turn = RolloutSlot.mine();
    private Optional<Lasting> trouble = Optional.empty();
    private Instant since;
    private Optional<Subject> subject = Optional.empty();
    private Optional<String> warning = Optional.empty();
    private Instant asked = Instant.EPOCH;
    private Instant stirred;

    public PodStartWait(StepContext context, Collection<Integer> ordinals) {
        this.context = context;
        this.ordinals = ordinals;
        this.since = context.now();
        this.stirred = context.now();
    }

    /// What is still missing; empty once nothing is, and the ring has its slot again.
    public Optional<String> await(Duration deadline, Supplier<Optional<String>> missing) {
        var still = context.await(deadline, () -> {
            var what = missing.get();
            if (what.isEmpty()) {
                trouble = Optional.empty();
                return turn.regain()
                        ? Optional.empty()
                        : Optional.of("the ring waits for its turn among the rings that change in parallel");
            }
            look();
            stir();
            return hopeless()
                    ? Optional.empty()
                    : what.map(w -> w + explained("").orElse(""));
        });
        return trouble.filter(_ -> hopeless())
                .map(t -> whole(t) + "; that has not changed for "
                        + t.patience().toMinutes() + " min, and it will not start by itself")
                .or(() -> still);
    }

    private String whole(Lasting found) {
        String all = StartTrouble.said(context.state());
        return (all.contains(found.said()) ? "they do not start" : found.said())
                + all
                + explained(found.hint()).orElse("");
    }

    private Optional<String> explained(String otherwise) {
        return warning.map(text -> "; Kubernetes says: " + text)
                .or(() -> Optional.of(otherwise).filter(hint -> !hint.isEmpty()).map(hint -> "; " + hint));
    }

    /// Events appear a moment after their cause, and expire after an hour.
    private void ask() {
        if (subject.isPresent() && context.now().isBefore(asked.plus(ASKS_EVERY))) {
            return;
        }
        asked = context.now();
        warning = subject.flatMap(about -> context.kube().warning(context.ref(), about));
    }

    /// From 3.6 on, a member that got a snapshot does not start before the ring agrees on another entry. It counts
    /// what it has applied by entries alone, takes itself to be far behind, and refuses its own first request with
    /// "too many requests" (seen on 3.6.14 and 3.7.1). Where no client writes, it would wait for ever.
    ///
    /// A member that has not started has no alarm to disarm. So such an entry changes nothing, and no quota stands
    /// against it.
    private void stir() {
        if (context.now().isBefore(stirred.plus(ASKS_EVERY))) {
            return;
        }
        stirred = context.now();
        ordinals.stream()
                .flatMap(ordinal -> context.member(ordinal).stream())
                .filter(member -> !member.started())
                .findFirst()
                .ifPresent(member -> {
                    try {
                        context.calls()
                                .throughLeader(
                                        (etcd, leader) -> etcd.disarmNoSpace(leader, member.id(), StepContext.CALL));
                    } catch (GatewayException _) {
                        // The ring agrees on nothing now. The next look tells why.
                    }
                });
    }

    private void look() {
        var found = StartTrouble.lasting(context.state(), ordinals);
        var about = found.map(Lasting::about).orElseGet(() -> StartTrouble.silent(context.state(), ordinals));
        if (!about.equals(subject)) {
            subject = about;
            asked = Instant.EPOCH;
        }
        ask();
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
