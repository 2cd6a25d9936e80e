/// Taking, drilling and pruning backups. Pure.
@NullMarked
package io.github.etcdgitops.ring.backup;

import org.jspecify.annotations.NullMarked;
