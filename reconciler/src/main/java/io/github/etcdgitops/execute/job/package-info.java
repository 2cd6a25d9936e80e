/// Jobs beside a ring, which inspect volumes and fill them.
@NullMarked
package io.github.etcdgitops.execute.job;

import org.jspecify.annotations.NullMarked;
