/// JGit on a bare object store: reads the desired state, and writes reports. Never a work tree.
@NullMarked
package io.github.etcdgitops.git;

import org.jspecify.annotations.NullMarked;
