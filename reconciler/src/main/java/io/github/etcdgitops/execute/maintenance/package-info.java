/// Effects: members are compacted and defragmented, and alarms disarmed.
@NullMarked
package io.github.etcdgitops.execute.maintenance;

import org.jspecify.annotations.NullMarked;
