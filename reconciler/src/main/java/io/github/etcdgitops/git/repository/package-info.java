/// Which repository is meant, one that is on disk, and how work with it fails.
@NullMarked
package io.github.etcdgitops.git.repository;

import org.jspecify.annotations.NullMarked;
