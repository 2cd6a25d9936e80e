/// Compaction, defragmentation and alarms. Pure.
@NullMarked
package io.github.etcdgitops.ring.maintenance;

import org.jspecify.annotations.NullMarked;
