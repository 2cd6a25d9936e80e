/// Policy evaluation: admission of specs, and the gate before operations. Pure.
@NullMarked
package io.github.etcdgitops.policy;

import org.jspecify.annotations.NullMarked;
