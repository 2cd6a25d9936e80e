/// The Kubernetes adapter. The only package that uses fabric8.
@NullMarked
package io.github.etcdgitops.gateway.kube;

import org.jspecify.annotations.NullMarked;
