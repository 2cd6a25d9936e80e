/// GitOps batch reconciler for fleets of etcd rings on Kubernetes.
@NullMarked
package io.github.etcdgitops;

import org.jspecify.annotations.NullMarked;
