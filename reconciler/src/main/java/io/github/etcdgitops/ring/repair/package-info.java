/// Members that are lost, fail or differ: look, restart, replace. Pure.
@NullMarked
package io.github.etcdgitops.ring.repair;

import org.jspecify.annotations.NullMarked;
