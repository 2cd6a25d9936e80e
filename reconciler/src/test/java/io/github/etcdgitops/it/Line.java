package io.github.etcdgitops.it;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/// A gRPC channel to one endpoint at a time, as [Connection] is a client of one: for calls that jetcd's client
/// does not make as they are wanted. For one thread.
final class Line implements AutoCloseable {
    private static final Duration AFTER_FAILURE = Duration.ofMillis(25);

    /// Servers before 3.4 send one answer in one piece, however much it is.
    private static final int LARGEST_ANSWER = 64 << 20;

    private final Endpoints endpoints;
    private final Supplier<ClientAccess> access;
    private int index;
    private boolean secured;
    private Optional<ManagedChannel> channel = Optional.empty();

    Line(Endpoints endpoints, Supplier<ClientAccess> access, int index) {
        this.endpoints = endpoints;
        this.access = access;
        this.index = index;
    }

    /// Throws IllegalStateException where no endpoint is known.
    Channel channel() {
        var wanted = access.get();
        if (secured != wanted.isSecured()) {
            close();
            secured = wanted.isSecured();
        }
        var current = channel.orElseGet(() -> connect(wanted));
        channel = Optional.of(current);
        return current;
    }

    /// The next call goes to the next endpoint.
    void moveOn() {
        close();
        index++;
        endpoints.refresh();
        LockSupport.parkNanos(AFTER_FAILURE.toNanos());
    }

    /// Empty when this endpoint does not answer; the next call goes to another one.
    <T> Optional<T> attempt(Function<Channel, T> question) {
        try {
            return Optional.of(question.apply(channel()));
        } catch (StatusRuntimeException | IllegalStateException _) {
            moveOn();
            return Optional.empty();
        }
    }

    /// Asks one endpoint after the other until one answers.
    <T> T ask(String what, Duration limit, Function<Channel, T> question) {
        long end = System.nanoTime() + limit.toNanos();
        while (System.nanoTime() - end < 0) {
            var answer = attempt(question);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        throw new IllegalStateException("the ring did not answer for " + limit + ": " + what);
    }

    @Override
    public void close() {
        channel.ifPresent(ManagedChannel::shutdownNow);
        channel = Optional.empty();
    }

    private ManagedChannel connect(ClientAccess wanted) {
        return wanted.channel(endpoints.at(index))
                .disableRetry()
                .maxInboundMessageSize(LARGEST_ANSWER)
                .build();
    }
}
