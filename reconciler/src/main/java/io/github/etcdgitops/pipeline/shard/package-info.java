/// A run that is one of several shards.
@NullMarked
package io.github.etcdgitops.pipeline.shard;

import org.jspecify.annotations.NullMarked;
