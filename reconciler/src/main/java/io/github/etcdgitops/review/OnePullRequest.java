package io.github.etcdgitops.review;

import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.Forge.Fate;
import io.github.etcdgitops.gateway.Forge.PullRequest;
import io.github.etcdgitops.gateway.Forge.Wish;
import io.github.etcdgitops.gateway.GatewayException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Opens one pull request for a branch. One that is open already stays as it is, and one that people have closed
/// without merging it is their answer.
public final class OnePullRequest {
    private static final int TRIES = 3;
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final Forge forge;
    private final Consumer<Duration> pause;

    public OnePullRequest(Forge forge, Consumer<Duration> pause) {
        this.forge = forge;
        this.pause = pause;
    }

    /// The one that is open, or else the one that was closed without being merged.
    public Optional<PullRequest> answered(String branch, String base) {
        var all = forge.pullRequests(branch, base);
        return with(Fate.OPEN, all).or(() -> with(Fate.CLOSED, all));
    }

    private static Optional<PullRequest> with(Fate fate, List<PullRequest> all) {
        return all.stream().filter(pull -> pull.fate() == fate).findFirst();
    }

    /// The open one, opened where there is none.
    public PullRequest open(Wish wish) {
        for (int tries = 1; true; tries++) {
            var there = with(Fate.OPEN, forge.pullRequests(wish.branch(), wish.base()));
            if (there.isPresent()) {
                return there.get();
            }
            try {
                return forge.open(wish);
            } catch (GatewayException e) {
                if (tries == TRIES || !e.mayHaveHappened()) {
                    throw e;
                }
                // It may exist although there was no answer: the next round looks first.
                pause.accept(PAUSE.multipliedBy(tries));
            }
        }
    }
}
