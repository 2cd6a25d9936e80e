/// Effects: compacting and defragmenting members, and disarming alarms.
@NullMarked
package io.github.etcdgitops.execute.maintenance;

import org.jspecify.annotations.NullMarked;
