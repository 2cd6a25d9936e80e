/// Expected bad input as values: everything that is wrong, each with its place. Pure.
@NullMarked
package io.github.etcdgitops.validation;

import org.jspecify.annotations.NullMarked;
