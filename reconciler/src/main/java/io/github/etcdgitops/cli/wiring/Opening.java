package io.github.etcdgitops.cli.wiring;

import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.ShutdownSignal;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/// A connection to a cluster that opens while the caller reads the repository. Each takes a good part of the time of a
/// run over one ring.
public final class Opening implements AutoCloseable {
    private final CompletableFuture<Wiring> opened = new CompletableFuture<>();

    private Opening() {}

    public static Opening of(Options.Cluster options, Map<String, String> environment) {
        return begin(() -> Wiring.open(options, environment));
    }

    public static Opening of(Options.Cluster options, Map<String, String> environment, ShutdownSignal ending) {
        return begin(() -> Wiring.open(options, environment, ending));
    }

    private static Opening begin(Supplier<Wiring> open) {
        var opening = new Opening();
        Thread.ofPlatform().name("opening").daemon().start(() -> opening.run(open));
        return opening;
    }

    private void run(Supplier<Wiring> open) {
        Wiring wiring;
        try {
            wiring = open.get();
        } catch (RuntimeException | Error e) {
            opened.completeExceptionally(e);
            return;
        }
        opened.complete(wiring);
        try {
            wiring.identify();
        } catch (RuntimeException _) {
            // The caller gets the same failure when it asks, and reports it; or it has closed the connection.
        }
    }

    /// Waits for the connection. Throws what its opening threw.
    public Wiring wiring() {
        try {
            return opened.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }

    /// Also a connection that opens only later.
    @Override
    public void close() {
        var unused = opened.thenAccept(Wiring::close);
    }
}
