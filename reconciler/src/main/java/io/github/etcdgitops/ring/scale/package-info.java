/// Adding and removing members. Pure.
@NullMarked
package io.github.etcdgitops.ring.scale;

import org.jspecify.annotations.NullMarked;
