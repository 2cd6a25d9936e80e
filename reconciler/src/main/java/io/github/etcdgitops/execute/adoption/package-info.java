/// Effects: adoption of a running ring.
@NullMarked
package io.github.etcdgitops.execute.adoption;

import org.jspecify.annotations.NullMarked;
