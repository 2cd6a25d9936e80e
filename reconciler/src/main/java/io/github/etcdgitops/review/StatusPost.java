package io.github.etcdgitops.review;

import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.Forge.CommitStatus;
import io.github.etcdgitops.gateway.GatewayException;
import java.time.Duration;
import java.util.function.Consumer;

/// Sets the status of a commit, unless it is already set: forges limit the number of statuses per commit,
/// and a scheduled job would use them up.
public final class StatusPost {
    private static final int TRIES = 3;
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final Forge forge;
    private final Consumer<Duration> pause;

    public StatusPost(Forge forge, Consumer<Duration> pause) {
        this.forge = forge;
        this.pause = pause;
    }

    /// Whether it had to be set.
    public boolean set(String commit, CommitStatus wanted) {
        for (int tries = 1; true; tries++) {
            if (forge.status(commit, wanted.context())
                    .filter(present -> forge.same(present, wanted))
                    .isPresent()) {
                return tries > 1;
            }
            try {
                forge.post(commit, wanted);
                return true;
            } catch (GatewayException e) {
                if (tries == TRIES || !e.mayHaveHappened()) {
                    throw e;
                }
                pause.accept(PAUSE.multipliedBy(tries));
            }
        }
    }
}
