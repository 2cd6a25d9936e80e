package io.github.etcdgitops.gateway;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
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
        Duration longest = request.timeout().orElseThrow().multipliedBy(PATIENCE);
        var answer = client.sendAsync(request, handler);
        try {
            return answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            throw new HttpTimeoutException("the answer does not end");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
        } finally {
            answer.cancel(true);
        }
    }
}
