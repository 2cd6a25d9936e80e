/// Effects: creating a ring.
@NullMarked
package io.github.etcdgitops.execute.founding;

import org.jspecify.annotations.NullMarked;
