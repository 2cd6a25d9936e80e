/// Effects: members that join and leave, changes to the objects around them, and stopping a ring.
@NullMarked
package io.github.etcdgitops.execute.membership;

import org.jspecify.annotations.NullMarked;
