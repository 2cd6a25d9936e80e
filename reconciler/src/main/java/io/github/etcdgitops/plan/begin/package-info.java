/// Rings that do not exist yet, are not ours yet, or come back. Pure.
@NullMarked
package io.github.etcdgitops.plan.begin;

import org.jspecify.annotations.NullMarked;
