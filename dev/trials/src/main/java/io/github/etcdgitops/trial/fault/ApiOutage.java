package io.github.etcdgitops.trial.fault;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.Relay;
import io.github.etcdgitops.it.Relay.Direction;
import io.github.etcdgitops.trial.bench.Bench;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// Takes the API server away for a while. A sandbox's is away for everybody; elsewhere it is for our runs
/// alone, which come to it through a relay.
public final class ApiOutage implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Bench bench;
    private final Optional<Relay> relay;
    private Future<?> end = CompletableFuture.completedFuture(null);

    public ApiOutage(Bench bench) throws IOException {
        this.bench = bench;
        var server = URI.create(bench.kube().getMasterUrl().toString());
        this.relay = bench.options().sandbox().isPresent() ? Optional.empty() : Optional.of(new Relay(server));
        if (relay.isPresent()) {
            var config = bench.relayedKubeconfig(relay.get());
            bench.tool().environment("KUBECONFIG", config.toString());
        }
    }

    /// Connections that are there are ended, and new ones come to nothing, for so many seconds from now.
    public void begin(int seconds) throws IOException {
        if (relay.isEmpty()) {
            bench.sandbox().make("api-down", String.valueOf(seconds));
            return;
        }
        relay.get().cutAfter(Direction.TO_SERVER, 0, true);
        var later = CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS);
        end = CompletableFuture.runAsync(relay.get()::revive, later);
    }

    public void awaitEnd() {
        EtcdProcess.await("the API's return", PATIENCE, () -> end.isDone() && answers());
    }

    private boolean answers() {
        try {
            return bench.kube().namespaces().withName("kube-system").get() != null;
        } catch (RuntimeException _) {
            return false;
        }
    }

    @Override
    public void close() {
        relay.ifPresent(Relay::close);
    }
}
