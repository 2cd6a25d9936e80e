/// What is done about members that are lost, fail or differ, and about those that leave. Pure.
@NullMarked
package io.github.etcdgitops.plan.heal;

import org.jspecify.annotations.NullMarked;
