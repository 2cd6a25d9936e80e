package io.github.etcdgitops.gateway.etcd;

import io.etcd.jetcd.Client;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/// One call over a jetcd client of its own.
final class JetcdCall {
    private JetcdCall() {}

    static <T> T make(Endpoint endpoint, Function<Client, CompletableFuture<T>> request) throws Failed {
        try (var client = endpoint.client()) {
            long left = endpoint.deadline().timeRemaining(TimeUnit.NANOSECONDS);
            return request.apply(client).get(left, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new Failed(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw new Failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failed(new TimeoutException("interrupted"));
        }
    }

    /// Carries a failure to the code that knows its meaning.
    static final class Failed extends Exception {
        private final Throwable failure;

        Failed(Throwable failure) {
            super(failure);
            this.failure = failure;
        }

        Throwable failure() {
            return failure;
        }
    }
}
