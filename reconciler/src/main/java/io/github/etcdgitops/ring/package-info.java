/// What all operations share: the types of operations and steps, the model of a ring that steps change, and
/// the parts of operations. Pure.
@NullMarked
package io.github.etcdgitops.ring;

import org.jspecify.annotations.NullMarked;
