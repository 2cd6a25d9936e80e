/// What calls to all stores share: deadlines, pages, buffers, keys of objects, skew of clocks.
@NullMarked
package io.github.etcdgitops.gateway.store.call;

import org.jspecify.annotations.NullMarked;
