package io.github.etcdgitops.gateway.kube.api;

import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/// Builds an HTTP client and keeps it, so that its thread can be ended. The library only forgets its client. The thread
/// would then still wait for the network when the process ends, and a JVM waits 0.3 s for such threads.
final class ClosingClient implements HttpClient.Builder, AutoCloseable {
    private static final Duration LONGEST_END = Duration.ofMillis(200);

    private final HttpClient.Builder builder;

    @Nullable
    private HttpClient client;

    ClosingClient(HttpClient.Builder builder) {
        this.builder = builder;
    }

    @Override
    public HttpClient build() {
        client = builder.build();
        return client;
    }

    boolean isOpen() {
        return client != null && !client.isTerminated();
    }

    /// Requests under way fail.
    @Override
    public void close() {
        if (client == null) {
            return;
        }
        client.shutdownNow();
        try {
            client.awaitTermination(LONGEST_END);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public HttpClient.Builder cookieHandler(CookieHandler handler) {
        builder.cookieHandler(handler);
        return this;
    }

    @Override
    public HttpClient.Builder connectTimeout(Duration duration) {
        builder.connectTimeout(duration);
        return this;
    }

    @Override
    public HttpClient.Builder sslContext(SSLContext context) {
        builder.sslContext(context);
        return this;
    }

    @Override
    public HttpClient.Builder sslParameters(SSLParameters parameters) {
        builder.sslParameters(parameters);
        return this;
    }

    @Override
    public HttpClient.Builder executor(Executor executor) {
        builder.executor(executor);
        return this;
    }

    @Override
    public HttpClient.Builder followRedirects(HttpClient.Redirect policy) {
        builder.followRedirects(policy);
        return this;
    }

    @Override
    public HttpClient.Builder version(HttpClient.Version version) {
        builder.version(version);
        return this;
    }

    @Override
    public HttpClient.Builder priority(int priority) {
        builder.priority(priority);
        return this;
    }

    @Override
    public HttpClient.Builder proxy(ProxySelector selector) {
        builder.proxy(selector);
        return this;
    }

    @Override
    public HttpClient.Builder authenticator(Authenticator authenticator) {
        builder.authenticator(authenticator);
        return this;
    }

    @Override
    public HttpClient.Builder localAddress(InetAddress address) {
        builder.localAddress(address);
        return this;
    }
}
