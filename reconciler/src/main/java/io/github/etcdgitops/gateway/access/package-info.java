/// Who asks, and what that account may do.
@NullMarked
package io.github.etcdgitops.gateway.access;

import org.jspecify.annotations.NullMarked;
