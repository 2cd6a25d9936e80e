/// Where etcd's binaries come from.
@NullMarked
package io.github.etcdgitops.sandbox.etcd;

import org.jspecify.annotations.NullMarked;
