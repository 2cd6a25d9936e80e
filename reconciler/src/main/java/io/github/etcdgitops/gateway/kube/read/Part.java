package io.github.etcdgitops.gateway.kube.read;

import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ManagedObject;
import java.util.Arrays;

/// The objects that a ring has one of. Pods and claims are not among them.
public enum Part {
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

    public ObjectKind kind() {
        return kind;
    }

    public String name(ClusterRef ref) {
        return ref.name() + suffix;
    }

    /// Whether an object of the ring may have this name.
    static boolean mayBe(ObjectKind kind, ClusterRef ref, String name) {
        if (kind == ObjectKind.POD) {
            return Ordinals.of(ref.name() + "-", name, "").isPresent();
        }
        if (kind == ObjectKind.CLAIM) {
            // The claims of an adopted ring begin otherwise than ours.
            int dash = name.lastIndexOf('-');
            return dash > 0
                    && name.substring(0, dash).endsWith("-" + ref.name())
                    && Ordinals.of("", name.substring(dash + 1), "").isPresent();
        }
        return Arrays.stream(values())
                .anyMatch(part -> part.kind == kind && part.name(ref).equals(name));
    }

    public static Part of(ManagedObject object) {
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
