package io.github.etcdgitops.pipeline.backup;

import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.BackupRequest;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.PolicySelection;
import io.github.etcdgitops.spec.RestoreRequest;
import io.github.etcdgitops.spec.RestoreRequest.From;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Destination;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The locations that a run of one environment reads for backups, and no others.
public final class BackupPlaces {
    private BackupPlaces() {}

    /// Each location once, with the policies that name it for a ring of the environment.
    public static SequencedMap<Destination, SequencedSet<BackupPolicy>> of(DesiredState desired, String environment) {
        var places = new LinkedHashMap<Destination, SequencedSet<BackupPolicy>>();
        Environments.rings(desired, environment).stream()
                .flatMap(ring -> policies(desired, ring))
                .forEach(policy -> places.computeIfAbsent(policy.destination(), _ -> new LinkedHashSet<>())
                        .add(policy));
        return places;
    }

    /// The policies that apply to the ring, and those that a document asks for a single backup.
    static Stream<BackupPolicy> policies(DesiredState desired, EtcdClusterSpec ring) {
        return desired.protection().policies().stream()
                .filter(p -> PolicySelection.holds(p, ring)
                        || requests(desired, ring, p).findAny().isPresent());
    }

    /// IDs of the ring's backups that documents name as a start for a ring: they must not be deleted.
    public static Set<String> pinned(DesiredState desired, String environment, ClusterRef ring, BackupPolicy policy) {
        return desired.protection().restores().values().stream()
                .map(RestoreRequest::from)
                .filter(From.Kept.class::isInstance)
                .map(From.Kept.class::cast)
                .filter(from ->
                        from.environment().equals(environment) && from.ring().equals(ring))
                .filter(from -> desired.protection().policies().stream()
                        .anyMatch(p -> p.name().equals(from.policy())
                                && p.destination().equals(policy.destination())))
                .flatMap(from -> from.backup().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    static Stream<BackupRequest> requests(DesiredState desired, EtcdClusterSpec ring, BackupPolicy policy) {
        return desired.protection().requests().stream()
                .filter(r -> r.cluster().equals(ring.ref()) && r.policy().equals(policy.name()));
    }
}
