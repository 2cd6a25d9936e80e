package io.github.etcdgitops.gateway.kube.tunnel;

import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.gateway.MemberAccess.Pod;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Optional;

/// One port of one pod, the name expected there, and its purpose.
record PodPort(Pod pod, int port, String authority, Door door, Optional<ClusterRef> ring) {}
