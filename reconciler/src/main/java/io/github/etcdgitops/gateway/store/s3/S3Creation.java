package io.github.etcdgitops.gateway.store.s3;

import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.call.Call;
import io.github.etcdgitops.spec.value.Destination;
import java.io.ByteArrayInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// The requests that create one object, create-only.
///
/// The store itself ensures that, by a condition on the last request. Stores without the condition answer
/// 501, and some older ones ignore it. So there is always a check right before; with those stores, two
/// writers at the same moment both succeed. An answer may be lost and the client repeat the request, and
/// then our own object is in the way: a mark in its metadata identifies it.
final class S3Creation {
    private static final String MARK = "etcd-gitops-upload";

    /// A slower connection is not worth waiting for.
    private static final int LEAST_BYTES_A_SECOND = 1 << 16;

    private final S3Client client;
    private final String bucket;
    private final String name;
    private final Optional<Destination.ServerSideEncryption> encryption;
    private final CreateCondition condition;
    private final String mark = UUID.randomUUID().toString();

    S3Creation(
            S3Client client,
            String bucket,
            String name,
            Optional<Destination.ServerSideEncryption> encryption,
            CreateCondition condition) {
        this.client = client;
        this.bucket = bucket;
        this.name = name;
        this.encryption = encryption;
        this.condition = condition;
    }

    /// Also empty where the key may write and not read: then only the condition protects.
    Optional<HeadObjectResponse> existing() {
        try {
            return Optional.of(client.headObject(r -> r.bucket(bucket).key(name)));
        } catch (S3Exception e) {
            if (e.statusCode() == 404 || e.statusCode() == 403) {
                return Optional.empty();
            }
            throw e;
        }
    }

    void put(Call call, byte[] content, int length) {
        createOnly(
                call,
                conditional -> client.putObject(
                        r -> {
                            r.bucket(bucket)
                                    .key(name)
                                    .metadata(Map.of(MARK, mark))
                                    .contentMD5(md5(content, length))
                                    .overrideConfiguration(within(length, conditional));
                            if (conditional && condition == CreateCondition.IF_NONE_MATCH) {
                                r.ifNoneMatch("*");
                            }
                            encryption.ifPresent(e -> r.serverSideEncryption(e.algorithm())
                                    .ssekmsKeyId(e.kmsKeyId().orElse(null)));
                        },
                        body(content, length)));
    }

    String begin() {
        return client.createMultipartUpload(r -> {
                    r.bucket(bucket).key(name).metadata(Map.of(MARK, mark));
                    encryption.ifPresent(e -> r.serverSideEncryption(e.algorithm())
                            .ssekmsKeyId(e.kmsKeyId().orElse(null)));
                })
                .uploadId();
    }

    /// The store compares the part with its digest and refuses one that was damaged in transit.
    CompletedPart part(String upload, int number, byte[] content, int length) {
        var sent = client.uploadPart(
                r -> r.bucket(bucket)
                        .key(name)
                        .uploadId(upload)
                        .partNumber(number)
                        .contentMD5(md5(content, length))
                        .overrideConfiguration(within(length, false)),
                body(content, length));
        return CompletedPart.builder().partNumber(number).eTag(sent.eTag()).build();
    }

    void complete(Call call, String upload, List<CompletedPart> parts) {
        createOnly(
                call,
                conditional -> client.completeMultipartUpload(r -> {
                    r.bucket(bucket)
                            .key(name)
                            .uploadId(upload)
                            .multipartUpload(m -> m.parts(parts))
                            .overrideConfiguration(within(0, conditional));
                    if (conditional && condition == CreateCondition.IF_NONE_MATCH) {
                        r.ifNoneMatch("*");
                    }
                }));
    }

    void abort(String upload) {
        client.abortMultipartUpload(r -> r.bucket(bucket).key(name).uploadId(upload));
    }

    @FunctionalInterface
    private interface Writing {
        void write(boolean conditional);
    }

    private void createOnly(Call call, Writing writing) {
        requireAbsent(call);
        try {
            try {
                writing.write(true);
            } catch (S3Exception e) {
                if (!unknownCondition(e)) {
                    throw e;
                }
                requireAbsent(call);
                writing.write(false);
            }
        } catch (S3Exception e) {
            if (!List.of(404, 409, 412).contains(e.statusCode())
                    || !existing().map(this::ours).orElse(false)) {
                throw e;
            }
        }
    }

    private void requireAbsent(Call call) {
        existing().filter(found -> !ours(found)).ifPresent(_ -> {
            throw call.refused(Kind.CONFLICT, "another object with this key appeared in the meantime");
        });
    }

    private boolean ours(HeadObjectResponse found) {
        return mark.equals(found.metadata().get(MARK));
    }

    private static boolean unknownCondition(S3Exception e) {
        return e.statusCode() == 501 || S3Errors.code(e).equals("ExcessHeaderValues");
    }

    private AwsRequestOverrideConfiguration within(int length, boolean conditional) {
        var override = AwsRequestOverrideConfiguration.builder()
                .apiCallAttemptTimeout(Duration.ofSeconds(60 + length / LEAST_BYTES_A_SECOND));
        if (conditional && condition == CreateCondition.IF_GENERATION_MATCH) {
            override.putHeader("x-goog-if-generation-match", "0");
        }
        return override.build();
    }

    /// It does not copy the bytes, unlike the client's other methods.
    private static RequestBody body(byte[] content, int length) {
        return RequestBody.fromContentProvider(
                () -> new ByteArrayInputStream(content, 0, length), length, "application/octet-stream");
    }

    private static String md5(byte[] content, int length) {
        try {
            var digest = MessageDigest.getInstance("MD5");
            digest.update(content, 0, length);
            return Base64.getEncoder().encodeToString(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no MD5, which S3 asks for", e);
        }
    }
}
