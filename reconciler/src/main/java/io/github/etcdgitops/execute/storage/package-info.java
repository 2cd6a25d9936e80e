/// Effects: growing and deleting volumes.
@NullMarked
package io.github.etcdgitops.execute.storage;

import org.jspecify.annotations.NullMarked;
