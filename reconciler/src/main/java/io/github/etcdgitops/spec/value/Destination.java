package io.github.etcdgitops.spec.value;

import java.util.Optional;

/// Where backups are kept. `credentials` names a set of credential files that the process was given; never a secret
/// itself. Every key begins with `prefix`, which is empty or ends with a slash.
public sealed interface Destination {
    String prefix();

    /// The place in one line, for people: `s3://bucket/prefix`.
    String title();

    /// Where the object is whose whole key is the prefix: no more than it takes to read that one.
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

    /// Whatever speaks S3. Without an endpoint it is the one of the region.
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

    /// A directory that the process sees: a mounted volume, as a rule.
    record Directory(String path, String prefix) implements Destination {
        @Override
        public String title() {
            return "file://" + path + "/" + prefix;
        }
    }

    /// `algorithm` is `AES256` or `aws:kms`; the key is for the latter.
    record ServerSideEncryption(String algorithm, Optional<String> kmsKeyId) {}
}
