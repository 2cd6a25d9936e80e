package io.github.etcdgitops.gateway.store.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/// The client on the JDK's HTTP throws some broken connections as unchecked exceptions, and the layer above
/// retries only after checked ones.
final class S3Connection implements SdkHttpClient {
    private final SdkHttpClient client;

    private S3Connection(SdkHttpClient client) {
        this.client = client;
    }

    /// The S3 client creates and closes it.
    static final class Builder implements SdkHttpClient.Builder<Builder> {
        private final SdkHttpClient.Builder<?> builder;

        Builder(SdkHttpClient.Builder<?> builder) {
            this.builder = builder;
        }

        @Override
        public SdkHttpClient buildWithDefaults(AttributeMap defaults) {
            return new S3Connection(builder.buildWithDefaults(defaults));
        }
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        var prepared = client.prepareRequest(request);
        return new ExecutableHttpRequest() {
            @Override
            public HttpExecuteResponse call() throws IOException {
                try {
                    return prepared.call();
                } catch (UncheckedIOException e) {
                    throw Optional.ofNullable(e.getCause()).orElseGet(() -> new IOException(e));
                }
            }

            @Override
            public void abort() {
                prepared.abort();
            }
        };
    }

    @Override
    public String clientName() {
        return client.clientName();
    }

    @Override
    public void close() {
        client.close();
    }
}
