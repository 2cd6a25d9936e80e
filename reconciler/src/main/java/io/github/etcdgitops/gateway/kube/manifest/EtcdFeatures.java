package io.github.etcdgitops.gateway.kube.manifest;

import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// etcd's own feature gates as keys of its file. Up to 3.5 each has a key; from 3.6 on they are together
/// under `feature-gates`, and etcd refuses a file with both.
public final class EtcdFeatures {
    /// The check runs before a member with data serves; a joining one has nothing to compare. It costs
    /// nothing in a running ring, and 7 seconds per peer when all members start at once. 3.3 would use
    /// client URLs for it, so it is off there.
    private static final String ALWAYS = "InitialCorruptCheck";

    private static final String GATES = "feature-gates";
    private static final String INITIAL_CHECK = "experimental-initial-corrupt-check";

    private EtcdFeatures() {}

    /// `checked` is false for a member that starts once without the check. Then the file says so, and is
    /// recognized by it.
    static void put(Map<String, Object> file, MemberSettings applied, boolean checked) {
        var version = applied.version();
        if (version.atLeast(3, 6, 0)) {
            file.put(
                    GATES,
                    Stream.concat(
                                    Stream.of(ALWAYS + "=" + checked),
                                    applied.features().stream().map(gate -> gate.title() + "=true"))
                            .sorted()
                            .collect(Collectors.joining(",")));
            return;
        }
        if (version.atLeast(3, 4, 0)) {
            file.put(INITIAL_CHECK, checked);
        }
        applied.features().stream().filter(gate -> gate.isIn(version)).forEach(gate -> file.put(key(gate), true));
    }

    /// Whether a file leaves the check out.
    static boolean unchecked(Map<?, ?> file) {
        return Boolean.FALSE.equals(file.get(INITIAL_CHECK))
                || (file.get(GATES) instanceof String gates
                        && List.of(gates.split(",")).contains(ALWAYS + "=false"));
    }

    /// The key up to 3.5.
    public static String key(FeatureGate gate) {
        return switch (gate) {
            case COMPACT_HASH_CHECK -> "experimental-compact-hash-check-enabled";
            case STOP_GRPC_SERVICE_ON_DEFRAG -> "experimental-stop-grpc-service-on-defrag";
            case PEER_TLS -> throw new IllegalArgumentException(gate + " is not a feature of etcd");
        };
    }
}
