/// Expected invalid input as values: all errors, each with its location. Pure.
@NullMarked
package io.github.etcdgitops.validation;

import org.jspecify.annotations.NullMarked;
