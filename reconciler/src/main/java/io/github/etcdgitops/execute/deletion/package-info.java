/// Effects: rings are deleted, and come back.
@NullMarked
package io.github.etcdgitops.execute.deletion;

import org.jspecify.annotations.NullMarked;
