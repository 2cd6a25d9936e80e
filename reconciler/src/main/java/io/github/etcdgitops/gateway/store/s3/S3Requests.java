package io.github.etcdgitops.gateway.store.s3;

import io.github.etcdgitops.spec.value.Destination;
import java.util.Optional;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;

/// The requests to one bucket. Failures throw the client's own exceptions.
public final class S3Requests implements AutoCloseable {
    private final S3Client client;
    private final String bucket;
    private final Optional<Destination.ServerSideEncryption> encryption;
    private final CreateCondition condition;
    private final int page;

    public S3Requests(
            S3Client client,
            String bucket,
            Optional<Destination.ServerSideEncryption> encryption,
            CreateCondition condition,
            int page) {
        this.client = client;
        this.bucket = bucket;
        this.encryption = encryption;
        this.condition = condition;
        this.page = page;
    }

    S3Creation creation(String name) {
        return new S3Creation(client, bucket, name, encryption, condition);
    }

    ResponseInputStream<GetObjectResponse> get(String name) {
        return client.getObject(r -> r.bucket(bucket).key(name));
    }

    Iterable<ListObjectsV2Response> list(String prefix) {
        return client.listObjectsV2Paginator(
                r -> r.bucket(bucket).prefix(prefix).maxKeys(page));
    }

    void delete(String name) {
        client.deleteObject(r -> r.bucket(bucket).key(name));
    }

    Iterable<ListMultipartUploadsResponse> uploads(String prefix) {
        return client.listMultipartUploadsPaginator(
                r -> r.bucket(bucket).prefix(prefix).maxUploads(page));
    }

    void abort(String name, String upload) {
        client.abortMultipartUpload(r -> r.bucket(bucket).key(name).uploadId(upload));
    }

    @Override
    public void close() {
        client.close();
    }
}
