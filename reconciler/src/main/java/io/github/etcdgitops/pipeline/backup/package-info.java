/// The backups that a run sees and restores from.
@NullMarked
package io.github.etcdgitops.pipeline.backup;

import org.jspecify.annotations.NullMarked;
