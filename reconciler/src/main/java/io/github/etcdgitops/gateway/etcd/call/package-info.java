/// gRPC calls with one request and one answer, over HTTP/2 on the caller's own thread.
@NullMarked
package io.github.etcdgitops.gateway.etcd.call;

import org.jspecify.annotations.NullMarked;
