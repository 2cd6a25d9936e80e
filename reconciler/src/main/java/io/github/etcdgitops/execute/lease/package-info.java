/// Who may write: the Lease of a ring, kept by whoever waits or acts.
@NullMarked
package io.github.etcdgitops.execute.lease;

import org.jspecify.annotations.NullMarked;
