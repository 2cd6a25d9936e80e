/// How a report reaches its branch.
@NullMarked
package io.github.etcdgitops.git.publish;

import org.jspecify.annotations.NullMarked;
