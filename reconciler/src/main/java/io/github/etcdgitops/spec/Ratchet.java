package io.github.etcdgitops.spec;

import io.github.etcdgitops.inert.Few;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Features;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Feature gates that documents must not switch off again. Compares two revisions of a repository, so that
/// a pull request fails that switches one off. A ring that is new, or unreadable in one of the two, gives
/// no violation; a run also checks the rings themselves.
public final class Ratchet {
    private static final int NAMED = 3;

    private Ratchet() {}

    private record Off(FeatureGate gate, Location here, Location there) implements Comparable<Off> {
        private static final Comparator<Off> ORDER =
                Comparator.comparing(Off::gate).thenComparing(Off::here).thenComparing(Off::there);

        @Override
        public int compareTo(Off other) {
            return ORDER.compare(this, other);
        }
    }

    /// `revision` names the earlier one, for people. One violation for each location, however many rings it
    /// affects.
    public static List<Violation> violations(DesiredState before, String revision, DesiredState now) {
        var off = new TreeMap<Off, SortedSet<ClusterRef>>();
        before.rings()
                .forEach((ref, had) -> Optional.ofNullable(now.rings().get(ref))
                        .ifPresent(has -> off(had, has)
                                .forEach(place -> off.computeIfAbsent(place, _ -> new TreeSet<>())
                                        .add(ref))));
        var violations = new ArrayList<Violation>();
        off.forEach((place, rings) -> violations.add(Violation.of(
                "feature-turned-off",
                place.here(),
                place.gate() + " cannot be turned off again; it was turned on at "
                        + place.there().file() + ":" + place.there().line() + " (revision " + revision + "), for "
                        + named(rings) + ".",
                remedy(place.gate()))));
        return List.copyOf(violations);
    }

    private static List<Off> off(EtcdClusterSpec had, EtcdClusterSpec has) {
        return ratchets().stream()
                .filter(gate -> had.server().features().on(gate) && !holds(gate, has))
                .flatMap(gate -> had.server().features().setting(gate).stream()
                        .map(setting -> new Off(gate, place(gate, setting, has), setting.at())))
                .toList();
    }

    private static List<FeatureGate> ratchets() {
        return Arrays.stream(FeatureGate.values()).filter(FeatureGate::ratchets).toList();
    }

    /// Whether the ring still has it, by the gate or by its own document.
    private static boolean holds(FeatureGate gate, EtcdClusterSpec ring) {
        return switch (gate) {
            case PEER_TLS -> !ring.server().tls().transport().peer().plain();
            case COMPACT_HASH_CHECK, STOP_GRPC_SERVICE_ON_DEFRAG ->
                ring.server().features().on(gate);
        };
    }

    private static String remedy(FeatureGate gate) {
        return switch (gate) {
            case PEER_TLS -> "Set it to true again, or `spec.tls.peer` of the ring to mutual.";
            case COMPACT_HASH_CHECK, STOP_GRPC_SERVICE_ON_DEFRAG -> "Set it to true again.";
        };
    }

    /// The location that switches it off; where there is none any more, the ring's document.
    private static Location place(FeatureGate gate, Features.Setting had, EtcdClusterSpec ring) {
        var features = ring.server().features();
        var source = ring.declaration().source();
        if (features.overruled().contains(gate)) {
            return source;
        }
        return features.setting(gate)
                .map(Features.Setting::at)
                .orElseGet(
                        () -> had.ofRing() ? source : Location.ofFile(had.at().file()));
    }

    private static String named(SortedSet<ClusterRef> rings) {
        return Few.of(rings, NAMED);
    }
}
