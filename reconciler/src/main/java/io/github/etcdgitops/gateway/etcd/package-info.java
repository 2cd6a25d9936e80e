/// The etcd adapter. The only place that knows jetcd and gRPC; futures end here.
@NullMarked
package io.github.etcdgitops.gateway.etcd;

import org.jspecify.annotations.NullMarked;
