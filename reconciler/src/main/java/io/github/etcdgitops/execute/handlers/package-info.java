/// Which handler carries out which family of steps.
@NullMarked
package io.github.etcdgitops.execute.handlers;

import org.jspecify.annotations.NullMarked;
