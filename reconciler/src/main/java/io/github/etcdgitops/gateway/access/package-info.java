/// The account of a request, and its rights.
@NullMarked
package io.github.etcdgitops.gateway.access;

import org.jspecify.annotations.NullMarked;
