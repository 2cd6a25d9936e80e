/// Publishes reports on their branch.
@NullMarked
package io.github.etcdgitops.git.publish;

import org.jspecify.annotations.NullMarked;
