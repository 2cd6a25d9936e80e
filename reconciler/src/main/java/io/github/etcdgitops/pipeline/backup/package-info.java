/// Which backups a run sees and which it restores from.
@NullMarked
package io.github.etcdgitops.pipeline.backup;

import org.jspecify.annotations.NullMarked;
