/// IDs of etcd, and observed or unknown values.
@NullMarked
package io.github.etcdgitops.state.value;

import org.jspecify.annotations.NullMarked;
