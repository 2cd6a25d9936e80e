/// Routes to a member: through the API server's port forwarding, or directly.
@NullMarked
package io.github.etcdgitops.gateway.kube.tunnel;

import org.jspecify.annotations.NullMarked;
