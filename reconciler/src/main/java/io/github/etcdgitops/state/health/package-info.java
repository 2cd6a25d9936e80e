/// The health of a ring: quorum, differing data, space, members that do not start.
@NullMarked
package io.github.etcdgitops.state.health;

import org.jspecify.annotations.NullMarked;
