/// Members that join and leave, and the objects around them. Other packages build on it. Pure.
@NullMarked
package io.github.etcdgitops.ring.membership;

import org.jspecify.annotations.NullMarked;
