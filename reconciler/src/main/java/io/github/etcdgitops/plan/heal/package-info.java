/// Repair of members that are lost, fail or differ, and of members that leave. Pure.
@NullMarked
package io.github.etcdgitops.plan.heal;

import org.jspecify.annotations.NullMarked;
