package io.github.etcdgitops.gateway.etcd;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.common.exception.EtcdException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/// One call over a jetcd client of its own, with the identity of the endpoint. Throws StatusRuntimeException,
/// as a call by stubs does.
final class JetcdCall {
    private JetcdCall() {}

    static <T> T make(Endpoint endpoint, Function<Client, CompletableFuture<T>> request) {
        try (var client = endpoint.client()) {
            long left = endpoint.deadline().timeRemaining(TimeUnit.NANOSECONDS);
            return request.apply(client).get(left, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw status(e);
        } catch (TimeoutException e) {
            throw Status.DEADLINE_EXCEEDED.withCause(e).asRuntimeException();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Status.CANCELLED.withDescription("interrupted").withCause(e).asRuntimeException();
        }
    }

    /// etcd's own answer, which jetcd may have wrapped.
    private static StatusRuntimeException status(ExecutionException e) {
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof StatusRuntimeException answer) {
                return answer;
            }
        }
        var code = e.getCause() instanceof EtcdException answer
                ? Status.Code.valueOf(answer.getErrorCode().name())
                : Status.Code.UNKNOWN;
        return code.toStatus()
                .withDescription(String.valueOf(e.getMessage()))
                .withCause(e)
                .asRuntimeException();
    }
}
