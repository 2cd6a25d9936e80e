/// Effects: members join and leave, the objects around them change, and a ring is stopped.
@NullMarked
package io.github.etcdgitops.execute.membership;

import org.jspecify.annotations.NullMarked;
