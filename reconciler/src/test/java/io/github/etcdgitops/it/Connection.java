package io.github.etcdgitops.it;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.options.GetOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/// A client of one endpoint at a time, which moves on to the next one when a call fails. Whether it comes
/// over TLS is asked before each call, and another answer is another connection. For one thread.
final class Connection implements AutoCloseable {
    private final Endpoints endpoints;
    private final Supplier<ClientAccess> access;
    private int index;
    private boolean secured;
    private Optional<Client> client = Optional.empty();

    Connection(Endpoints endpoints, Supplier<ClientAccess> access, int index) {
        this.endpoints = endpoints;
        this.access = access;
        this.index = index;
    }

    /// Whether etcd acknowledged the write. False says nothing about whether it was made.
    boolean put(ByteSequence key, ByteSequence value, Duration time) {
        return call(c -> c.getKVClient().put(key, value), time).isPresent();
    }

    Optional<GetResponse> get(ByteSequence key, GetOption option, Duration time) {
        return call(c -> c.getKVClient().get(key, option), time);
    }

    @Override
    public void close() {
        client.ifPresent(Client::close);
        client = Optional.empty();
    }

    private <T> Optional<T> call(Function<Client, CompletableFuture<T>> request, Duration time) {
        try {
            return Optional.of(request.apply(connected()).get(time.toNanos(), TimeUnit.NANOSECONDS));
        } catch (ExecutionException | TimeoutException | IllegalStateException _) {
            moveOn();
            return Optional.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            moveOn();
            return Optional.empty();
        }
    }

    private Client connected() {
        var wanted = access.get();
        if (secured != wanted.isSecured()) {
            close();
            secured = wanted.isSecured();
        }
        var current = client.orElseGet(() -> connect(wanted));
        client = Optional.of(current);
        return current;
    }

    private Client connect(ClientAccess wanted) {
        return wanted.client(endpoints.at(index))
                .waitForReady(false)
                .retryMaxAttempts(0)
                .connectTimeout(Duration.ofSeconds(1))
                .build();
    }

    private void moveOn() {
        close();
        index++;
    }
}
