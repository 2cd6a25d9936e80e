/// Carries out a plan: safety gate, step runner, Lease and journal.
@NullMarked
package io.github.etcdgitops.execute;

import org.jspecify.annotations.NullMarked;
