/// Backups: taken, tested and pruned. Pure.
@NullMarked
package io.github.etcdgitops.ring.backup;

import org.jspecify.annotations.NullMarked;
