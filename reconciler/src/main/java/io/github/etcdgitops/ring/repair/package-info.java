/// Members that are lost, fail or differ: inspection, restart, replacement. Pure.
@NullMarked
package io.github.etcdgitops.ring.repair;

import org.jspecify.annotations.NullMarked;
