/// Effects: a ring begins.
@NullMarked
package io.github.etcdgitops.execute.founding;

import org.jspecify.annotations.NullMarked;
