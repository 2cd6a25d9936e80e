/// Who may write: the Lease of a ring, renewed by code that waits or acts.
@NullMarked
package io.github.etcdgitops.execute.lease;

import org.jspecify.annotations.NullMarked;
