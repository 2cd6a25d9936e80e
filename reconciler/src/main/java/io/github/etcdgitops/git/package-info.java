/// JGit on a bare object store: desired state in, reports out. Never a work tree.
@NullMarked
package io.github.etcdgitops.git;

import org.jspecify.annotations.NullMarked;
