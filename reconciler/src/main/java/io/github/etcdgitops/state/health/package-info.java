/// How a ring is: quorum, data that differ, space, members that do not start.
@NullMarked
package io.github.etcdgitops.state.health;

import org.jspecify.annotations.NullMarked;
