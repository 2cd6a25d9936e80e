/// The cache of a remote repository: commits are found and kept in it.
@NullMarked
package io.github.etcdgitops.git.cache;

import org.jspecify.annotations.NullMarked;
