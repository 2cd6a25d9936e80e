/// Carries out the changes of who may read and write a ring.
@NullMarked
package io.github.etcdgitops.execute.auth;

import org.jspecify.annotations.NullMarked;
