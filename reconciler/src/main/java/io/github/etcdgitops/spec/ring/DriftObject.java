package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.WireName;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/// The objects around a ring that people may change by hand, by their names in policies; and which of their
/// fields may stay changed. Fields that a ring's safety depends on may not: the safety gate, sealed members
/// and clients rely on them.
public enum DriftObject implements WireName {
    CLIENT_SERVICE("/spec", "/spec/selector", "clients could reach members that they must not reach"),
    /// Our three rules admit the peers, clients and this reconciler, and metrics. Additional rules admit
    /// more, and cut off nothing.
    NETWORK_POLICY(
            "/spec/ingress",
            "/spec/ingress/0 /spec/ingress/1 /spec/ingress/2",
            "members, clients or this reconciler could be cut off; only added rules can be kept"),
    CONNECTION(
            "/data",
            "/data/scheme /data/endpoints /data/memberEndpoints /data/ca.crt",
            "clients would get former members or a former CA; only added entries can be kept"),
    PEER_SERVICE("members find each other through it"),
    DISRUPTION_BUDGET("it keeps evictions from breaking the quorum"),
    STATEFULSET_LABELS("etcd-gitops finds the ring by them"),
    REPLICAS("replicas and partition decide which members run, and which are restarted"),
    MEMBER_FILES("a member whose file is not sealed may start as a new one on an empty disk");

    private final Optional<String> area;
    /// Separated by blanks.
    private final String pinned;
    private final String why;

    DriftObject(String area, String pinned, String why) {
        this.area = Optional.of(area);
        this.pinned = pinned;
        this.why = why;
    }

    DriftObject(String why) {
        this.area = Optional.empty();
        this.pinned = "";
        this.why = why;
    }

    /// Whether drift at `pointer` may stay. A parent of a field that may not stay may not either.
    public boolean leaves(String pointer) {
        return area.filter(a -> holds(a, pointer) && !a.equals(pointer)).isPresent()
                && pinned().noneMatch(p -> holds(p, pointer) || holds(pointer, p));
    }

    /// Why nothing at `pointer` and below may stay, if so. Empty means the whole object.
    public Optional<String> refusal(String pointer) {
        boolean some = area.filter(a -> holds(a, pointer) || holds(pointer, a)).isPresent();
        return some && pinned().noneMatch(p -> holds(p, pointer)) ? Optional.empty() : Optional.of(reason(some));
    }

    /// The fields of our own content, which may not stay changed.
    private Stream<String> pinned() {
        return Arrays.stream(pinned.split(" ")).filter(pointer -> !pointer.isEmpty());
    }

    private String reason(boolean within) {
        return area.filter(_ -> !within)
                .map(a ->
                        "only what is below " + a + " can be kept; members and rings are found by labels and selectors")
                .orElse(why);
    }

    /// Whether the value at `outer` is, or contains, the one at `inner`.
    static boolean holds(String outer, String inner) {
        return inner.equals(outer) || inner.startsWith(outer + "/");
    }

    public static Optional<DriftObject> of(String name) {
        return WireName.find(values(), name);
    }

    /// The name in documents: `client-service`.
    @Override
    public String toString() {
        return wire();
    }

    @Override
    public String wire() {
        return switch (this) {
            case CLIENT_SERVICE -> "client-service";
            case NETWORK_POLICY -> "network-policy";
            case CONNECTION -> "connection";
            case PEER_SERVICE -> "peer-service";
            case DISRUPTION_BUDGET -> "disruption-budget";
            case STATEFULSET_LABELS -> "statefulset-labels";
            case REPLICAS -> "replicas";
            case MEMBER_FILES -> "member-files";
        };
    }
}
