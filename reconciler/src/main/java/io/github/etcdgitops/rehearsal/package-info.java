/// Evaluates policies on written test cases and on published plans.
@NullMarked
package io.github.etcdgitops.rehearsal;

import org.jspecify.annotations.NullMarked;
