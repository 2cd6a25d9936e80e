package io.github.etcdgitops.gateway.bounded;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// An HTTP answer with its body. The timeout of a request covers only the head: a server that keeps sending
/// a byte now and then would block the caller without limit.
public final class WholeAnswer {
    private static final int PATIENCE = 2;

    private WholeAnswer() {}

    /// Waits twice as long as the request's own timeout.
    public static <T> HttpResponse<T> of(HttpClient client, HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        return within(request.timeout().orElseThrow().multipliedBy(PATIENCE), client, request, handler);
    }

    /// Ends the exchange if the whole answer has not come by then. It uses a thread of its own: the answers of
    /// `sendAsync` pass through the pool of all parallel streams, and wait as long as these keep it busy.
    public static <T> HttpResponse<T> within(
            Duration longest, HttpClient client, HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        var answer = new FutureTask<>(() -> client.send(request, handler));
        Thread.ofPlatform().daemon().name("http-answer").start(answer);
        try {
            return answer.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            throw new HttpTimeoutException("the answer does not end");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
        } finally {
            answer.cancel(true);
        }
    }
}
