/// The etcd adapter. The only package that uses jetcd and gRPC; futures do not leave it.
@NullMarked
package io.github.etcdgitops.gateway.etcd;

import org.jspecify.annotations.NullMarked;
