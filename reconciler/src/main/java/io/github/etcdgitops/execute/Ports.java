package io.github.etcdgitops.execute;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.RingVolumes;
import java.util.function.Supplier;

/// The ports of steps to the outside. `random` generates unused names; `mark` records in each journal which
/// run started the operation under way.
public record Ports(
        KubernetesGateway kube,
        RingSecrets secrets,
        RingVolumes volumes,
        EtcdGateway etcd,
        MemberAccess access,
        Supplier<String> random,
        RunMark mark) {}
