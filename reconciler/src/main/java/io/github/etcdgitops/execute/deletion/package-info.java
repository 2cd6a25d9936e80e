/// Effects: deleting rings and bringing them back.
@NullMarked
package io.github.etcdgitops.execute.deletion;

import org.jspecify.annotations.NullMarked;
