/// One file per operation: when it applies, its risk, and its steps. Pure. Sealed, hence one flat package.
@NullMarked
package io.github.etcdgitops.operation;

import org.jspecify.annotations.NullMarked;
