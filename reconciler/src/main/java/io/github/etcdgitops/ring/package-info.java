/// What all capabilities share: operations, steps, the model of a ring that steps change, and what
/// operations are made of. Pure.
@NullMarked
package io.github.etcdgitops.ring;

import org.jspecify.annotations.NullMarked;
