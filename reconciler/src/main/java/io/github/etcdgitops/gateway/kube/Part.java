package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.state.ManagedObject;

/// The objects that a ring has one of. Pods and claims, of which there are many, are not among them.
enum Part {
    STATEFUL_SET(ObjectKind.STATEFUL_SET, ""),
    JOURNAL(ObjectKind.CONFIG_MAP, "-journal"),
    MEMBERS(ObjectKind.CONFIG_MAP, "-members"),
    CONNECTION(ObjectKind.CONFIG_MAP, "-connection"),
    BUDGET(ObjectKind.BUDGET, ""),
    PEER_SERVICE(ObjectKind.SERVICE, "-peer"),
    CLIENT_SERVICE(ObjectKind.SERVICE, ""),
    NETWORK_POLICY(ObjectKind.NETWORK_POLICY, "");

    private final ObjectKind kind;
    private final String suffix;

    Part(ObjectKind kind, String suffix) {
        this.kind = kind;
        this.suffix = suffix;
    }

    ObjectKind kind() {
        return kind;
    }

    String name(ClusterRef ref) {
        return ref.name() + suffix;
    }

    static Part of(ManagedObject object) {
        return switch (object) {
            case PEER_SERVICE -> PEER_SERVICE;
            case CLIENT_SERVICE -> CLIENT_SERVICE;
            case NETWORK_POLICY -> NETWORK_POLICY;
            case CONNECTION -> CONNECTION;
            case BUDGET -> BUDGET;
            case STATEFUL_SET_LABELS -> STATEFUL_SET;
        };
    }
}
