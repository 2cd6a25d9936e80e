/// Effects: backups are taken, tested and pruned.
@NullMarked
package io.github.etcdgitops.execute.backup;

import org.jspecify.annotations.NullMarked;
