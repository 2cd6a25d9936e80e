/// Ids of etcd, and what was observed or not.
@NullMarked
package io.github.etcdgitops.state.value;

import org.jspecify.annotations.NullMarked;
