/// Effects: a running ring is taken over.
@NullMarked
package io.github.etcdgitops.execute.adoption;

import org.jspecify.annotations.NullMarked;
