/// A backup store that speaks S3.
@NullMarked
package io.github.etcdgitops.gateway.store.s3;

import org.jspecify.annotations.NullMarked;
