/// The Kubernetes adapter. The only place that knows fabric8.
@NullMarked
package io.github.etcdgitops.gateway.kube;

import org.jspecify.annotations.NullMarked;
