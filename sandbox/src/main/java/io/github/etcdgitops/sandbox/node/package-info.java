/// The machines: each etcd container runs as a process of its own, on a loopback address of its own.
@NullMarked
package io.github.etcdgitops.sandbox.node;

import org.jspecify.annotations.NullMarked;
