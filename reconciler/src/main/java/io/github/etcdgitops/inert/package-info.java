/// Makes text for people and terminals safe to print.
@NullMarked
package io.github.etcdgitops.inert;

import org.jspecify.annotations.NullMarked;
