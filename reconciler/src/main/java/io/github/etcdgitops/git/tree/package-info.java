/// The tree of a commit or of a folder: which files count, read with limits.
@NullMarked
package io.github.etcdgitops.git.tree;

import org.jspecify.annotations.NullMarked;
