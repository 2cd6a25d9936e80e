/// Effects: taking, testing and pruning backups.
@NullMarked
package io.github.etcdgitops.execute.backup;

import org.jspecify.annotations.NullMarked;
