/// Certificates: how they are issued, renewed and verified. Pure.
@NullMarked
package io.github.etcdgitops.ring.tls;

import org.jspecify.annotations.NullMarked;
