package io.github.etcdgitops.gateway.store.s3;

import io.github.etcdgitops.gateway.store.call.S3Answers;
import io.github.etcdgitops.gateway.store.credential.AccessKey;
import io.github.etcdgitops.gateway.store.credential.HttpEndpoint;
import io.github.etcdgitops.gateway.store.credential.TrustedCa;
import io.github.etcdgitops.spec.value.Destination;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/// Creates the S3 client. Its own sources of settings (profile files, instance metadata) are disabled: it
/// uses only the document and the credential files.
public final class S3Clients {
    /// Three attempts of both end within about a minute.
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private static final Duration SILENCE = Duration.ofSeconds(20);
    private static final int TRIES = 3;

    private S3Clients() {}

    public static S3Client open(Destination.S3 destination, AccessKey key, String region, Optional<KeyStore> trusted) {
        var http = UrlConnectionHttpClient.builder().connectionTimeout(CONNECT).socketTimeout(SILENCE);
        trusted.ifPresent(store -> http.tlsTrustManagersProvider(() -> TrustedCa.managers(store)));
        var client = S3Client.builder()
                .region(Region.of(region))
                .credentialsProvider(StaticCredentialsProvider.create(credentials(key)))
                .httpClientBuilder(new S3Connection.Builder(http))
                .forcePathStyle(destination.pathStyle())
                // Disables AWS's own content framing, which the client would use on plain HTTP and Google
                // does not support.
                .serviceConfiguration(s -> s.chunkedEncodingEnabled(false))
                // By default every request has a checksum that only AWS supports. Content-MD5 protects the
                // content; all stores support it.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(o -> o.retryStrategy(AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                .maxAttempts(TRIES)
                                .build())
                        .addExecutionInterceptor(new S3Answers())
                        .defaultProfileFile(ProfileFile.aggregator().build()));
        destination
                .endpoint()
                .ifPresent(text -> client.endpointOverride(HttpEndpoint.parse(text, destination.title())));
        return client.build();
    }

    private static AwsCredentials credentials(AccessKey key) {
        return key.sessionToken().isPresent()
                ? AwsSessionCredentials.create(
                        key.id(), key.secret(), key.sessionToken().get())
                : AwsBasicCredentials.create(key.id(), key.secret());
    }
}
