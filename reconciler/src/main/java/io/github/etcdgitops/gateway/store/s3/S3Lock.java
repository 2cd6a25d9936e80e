package io.github.etcdgitops.gateway.store.s3;

import java.util.Optional;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ObjectLockLegalHoldStatus;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// Whether an object could not be deleted because the store holds it under a lock. That lock is the purpose
/// of such a bucket: it is never bypassed, whatever rights the key has.
final class S3Lock {
    private S3Lock() {}

    /// Empty where the refusal has another reason.
    static Optional<String> holding(S3Requests requests, String name, S3Exception refusal) {
        if (S3Errors.code(refusal).equals("ObjectLocked")) {
            return Optional.of("the store locks it");
        }
        int status = refusal.statusCode();
        if (status != 400 && status != 403 && status != 409) {
            return Optional.empty();
        }
        try {
            return requests.creation(name).existing().flatMap(S3Lock::words);
        } catch (RuntimeException _) {
            // The refusal itself says more than a failed query.
            return Optional.empty();
        }
    }

    private static Optional<String> words(HeadObjectResponse object) {
        if (object.objectLockLegalHoldStatus() == ObjectLockLegalHoldStatus.ON) {
            return Optional.of("the store keeps it under a legal hold");
        }
        return Optional.ofNullable(object.objectLockRetainUntilDate())
                .map(until -> "the store locks it until " + until);
    }
}
