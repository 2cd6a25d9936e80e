/// Effects: volumes grow.
@NullMarked
package io.github.etcdgitops.execute.storage;

import org.jspecify.annotations.NullMarked;
