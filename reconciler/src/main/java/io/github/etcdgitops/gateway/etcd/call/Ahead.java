package io.github.etcdgitops.gateway.etcd.call;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Future;

/// A call that goes out together with the next one on the same channel, and is waited for later, if at all.
public final class Ahead<A> {
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final Future<A> answer;

    private <Q> Ahead(Channel channel, MethodDescriptor<Q, A> method, Q request, Deadline deadline) {
        var options = CallOptions.DEFAULT.withDeadline(deadline).withExecutor(waiting::add);
        this.answer = ClientCalls.futureUnaryCall(channel.newCall(method, options), request);
    }

    public static <Q, A> Ahead<A> of(Channel channel, MethodDescriptor<Q, A> method, Q request, Deadline deadline) {
        return new Ahead<>(channel, method, request, deadline);
    }

    /// Throws StatusRuntimeException where there is no answer.
    public A await() {
        waiting.forEach(Runnable::run);
        return switch (answer.state()) {
            case SUCCESS -> answer.resultNow();
            case FAILED -> throw failure(answer.exceptionNow());
            case CANCELLED, RUNNING -> throw Status.CANCELLED.asRuntimeException();
        };
    }

    private static StatusRuntimeException failure(Throwable cause) {
        return Status.fromThrowable(cause).asRuntimeException();
    }
}
