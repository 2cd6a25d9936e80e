/// The cache of a remote repository: finds and stores commits.
@NullMarked
package io.github.etcdgitops.git.cache;

import org.jspecify.annotations.NullMarked;
