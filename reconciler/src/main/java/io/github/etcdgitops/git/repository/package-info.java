/// The address of a repository, repositories on disk, and failures of Git.
@NullMarked
package io.github.etcdgitops.git.repository;

import org.jspecify.annotations.NullMarked;
