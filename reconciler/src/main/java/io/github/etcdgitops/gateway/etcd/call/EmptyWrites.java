package io.github.etcdgitops.gateway.etcd.call;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.grpc.Deadline;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// Makes many small writes through several writers at once, each with its own connections. A member syncs its
/// log once for all that arrive together, so that one after the other would take many times as long.
public final class EmptyWrites {
    private static final int WRITERS = 16;

    private EmptyWrites() {}

    /// Asks each writer again as long as some are left, and there is time. Returns when all writers have ended,
    /// and throws what one of them has thrown.
    public static void make(int count, Deadline deadline, Consumer<AtomicInteger> writer) {
        var left = new AtomicInteger(count);
        try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = IntStream.range(0, Math.min(WRITERS, count))
                    .mapToObj(_ -> writers.submit(() -> {
                        while (left.get() > 0 && !deadline.isExpired()) {
                            writer.accept(left);
                        }
                    }))
                    .toList();
            for (var one : all) {
                one.get();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new GatewayException(Kind.TIMEOUT, true, "writing nothing: it was interrupted");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
        }
    }
}
