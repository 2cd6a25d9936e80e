/// A backup store for S3 and compatible stores.
@NullMarked
package io.github.etcdgitops.gateway.store.s3;

import org.jspecify.annotations.NullMarked;
