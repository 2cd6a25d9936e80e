/// What calls to all stores share: deadlines, pages, buffers, object keys, clock skew.
@NullMarked
package io.github.etcdgitops.gateway.store.call;

import org.jspecify.annotations.NullMarked;
