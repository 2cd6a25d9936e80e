package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.BackupRequest;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Destination;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.PolicySelection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.stream.Stream;

/// Which places a run of one environment asks for backups, and no others.
public final class BackupPlaces {
    private BackupPlaces() {}

    /// Each place once, with the policies that name it for a ring of the environment.
    public static SequencedMap<Destination, SequencedSet<BackupPolicy>> of(DesiredState desired, String environment) {
        var places = new LinkedHashMap<Destination, SequencedSet<BackupPolicy>>();
        Environments.rings(desired, environment).stream()
                .flatMap(ring -> policies(desired, ring))
                .forEach(policy -> places.computeIfAbsent(policy.destination(), _ -> new LinkedHashSet<>())
                        .add(policy));
        return places;
    }

    /// Those that hold for the ring, and those that somebody asks a single backup of.
    static Stream<BackupPolicy> policies(DesiredState desired, EtcdClusterSpec ring) {
        return desired.protection().policies().stream()
                .filter(p -> PolicySelection.holds(p, ring)
                        || requests(desired, ring, p).findAny().isPresent());
    }

    static Stream<BackupRequest> requests(DesiredState desired, EtcdClusterSpec ring, BackupPolicy policy) {
        return desired.protection().requests().stream()
                .filter(r -> r.cluster().equals(ring.ref()) && r.policy().equals(policy.name()));
    }
}
