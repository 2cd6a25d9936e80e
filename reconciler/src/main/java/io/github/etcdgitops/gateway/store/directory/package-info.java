/// A backup store in a directory.
@NullMarked
package io.github.etcdgitops.gateway.store.directory;

import org.jspecify.annotations.NullMarked;
