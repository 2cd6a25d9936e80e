/// From spec and state to an ordered plan with quorum and tolerance at every step. Pure.
@NullMarked
package io.github.etcdgitops.plan;

import org.jspecify.annotations.NullMarked;
