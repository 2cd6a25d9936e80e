package io.github.etcdgitops.execute;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.RingVolumes;
import java.util.function.Supplier;

/// The way of steps to the outside; `random` makes names that were never used before, `mark` says in each journal which
/// run began what is under way.
public record Ports(
        KubernetesGateway kube,
        RingSecrets secrets,
        RingVolumes volumes,
        EtcdGateway etcd,
        MemberAccess access,
        Supplier<String> random,
        RunMark mark) {}
