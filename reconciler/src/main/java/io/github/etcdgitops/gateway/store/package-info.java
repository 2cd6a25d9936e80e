/// Backup locations: a directory, S3 and compatible stores, Google Cloud Storage. The only package that
/// uses the S3 client. Each store is create-only, bounded in memory, and leaves nothing visible behind that
/// was not completed.
@NullMarked
package io.github.etcdgitops.gateway.store;

import org.jspecify.annotations.NullMarked;
