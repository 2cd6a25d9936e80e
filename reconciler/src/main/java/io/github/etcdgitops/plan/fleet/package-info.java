/// The plans of all rings of a run: order, budgets, time. Pure.
@NullMarked
package io.github.etcdgitops.plan.fleet;

import org.jspecify.annotations.NullMarked;
