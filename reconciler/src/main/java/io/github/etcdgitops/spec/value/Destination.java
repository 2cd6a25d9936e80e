package io.github.etcdgitops.spec.value;

import java.util.Optional;

/// Where backups are stored. `credentials` names a set of credential files of the process; never a secret
/// itself. Every key starts with `prefix`, which is empty or ends with a slash.
public sealed interface Destination {
    String prefix();

    /// The destination in one line, for people: `s3://bucket/prefix`.
    String title();

    /// The location of the object whose whole key is the prefix: only enough to read that object.
    default Destination parent() {
        String above = prefix().substring(0, prefix().lastIndexOf('/') + 1);
        return switch (this) {
            case S3(var bucket, var unused, var endpoint, var region, var pathStyle, var credentials, var encryption) ->
                new S3(bucket, above, endpoint, region, pathStyle, credentials, encryption);
            case Gcs(var bucket, var unused, var endpoint, var credentials) ->
                new Gcs(bucket, above, endpoint, credentials);
            case Directory(var path, var unused) -> new Directory(path, above);
        };
    }

    /// S3 or a compatible store. Without an endpoint it is that of the region.
    record S3(
            String bucket,
            String prefix,
            Optional<String> endpoint,
            Optional<String> region,
            boolean pathStyle,
            Optional<String> credentials,
            Optional<ServerSideEncryption> encryption)
            implements Destination {
        public S3 {
            endpoint = endpoint.map(StoreEndpoint::spelled);
        }

        @Override
        public String title() {
            return "s3://" + bucket + "/" + prefix;
        }
    }

    /// Google Cloud Storage, with an HMAC key.
    record Gcs(String bucket, String prefix, Optional<String> endpoint, Optional<String> credentials)
            implements Destination {
        public Gcs {
            endpoint = endpoint.map(StoreEndpoint::spelled);
        }

        @Override
        public String title() {
            return "gs://" + bucket + "/" + prefix;
        }
    }

    /// A directory of the process: usually a mounted volume.
    record Directory(String path, String prefix) implements Destination {
        @Override
        public String title() {
            return "file://" + path + "/" + prefix;
        }
    }

    /// `algorithm` is `AES256` or `aws:kms`; the key is for the latter.
    record ServerSideEncryption(String algorithm, Optional<String> kmsKeyId) {}
}
