/// The places that keep backups: a directory, S3 and what speaks it, Google Cloud Storage. The only package
/// that knows the S3 client. Each is create-only, bounded in memory, and leaves nothing visible behind that
/// was not completed.
@NullMarked
package io.github.etcdgitops.gateway.store;

import org.jspecify.annotations.NullMarked;
