/// How commands reach Git, Kubernetes, etcd and stores.
@NullMarked
package io.github.etcdgitops.cli.wiring;

import org.jspecify.annotations.NullMarked;
