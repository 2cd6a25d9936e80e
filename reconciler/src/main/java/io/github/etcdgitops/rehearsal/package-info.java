/// What policies would say: of cases that somebody has written down, and of plans that were published.
@NullMarked
package io.github.etcdgitops.rehearsal;

import org.jspecify.annotations.NullMarked;
