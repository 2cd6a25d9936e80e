package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a repository says about backups and restores: the valid documents. `policies` and `requests` are in
/// the order of their names.
///
/// `unclear` are locations that may hold a restore of an unknown ring, because they are unreadable or name
/// a ring without a document. While there is one, no ring may be created: it could be the one to restore,
/// and would start empty.
///
/// `rejected` are invalid policies. While one may apply to a ring, no operation that takes something away
/// from the ring is done.
public record Protection(
        List<BackupPolicy> policies,
        List<BackupRequest> requests,
        SortedMap<ClusterRef, RestoreRequest> restores,
        List<Location> unclear,
        List<RejectedPolicy> rejected) {
    public static final Protection NONE = new Protection(List.of(), List.of(), new TreeMap<>(), List.of(), List.of());

    public Protection {
        policies = List.copyOf(policies);
        requests = List.copyOf(requests);
        restores = Collections.unmodifiableSortedMap(new TreeMap<>(restores));
        unclear = unclear.stream().sorted().distinct().toList();
        rejected = rejected.stream().sorted().distinct().toList();
    }

    Protection withoutDrills(List<BackupPolicy> of) {
        var others = policies.stream()
                .map(policy -> of.contains(policy) ? policy.withoutDrill() : policy)
                .toList();
        return new Protection(others, requests, restores, unclear, rejected);
    }

    Protection asking(RestoreRequest request) {
        var more = new TreeMap<>(restores);
        more.put(request.cluster(), request);
        return new Protection(policies, requests, more, unclear, rejected);
    }
}
