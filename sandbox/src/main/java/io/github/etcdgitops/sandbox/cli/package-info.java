/// The commands, and the one place where everything is put together.
@NullMarked
package io.github.etcdgitops.sandbox.cli;

import org.jspecify.annotations.NullMarked;
