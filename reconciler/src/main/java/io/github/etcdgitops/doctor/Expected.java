package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.fact.GitFacts;
import io.github.etcdgitops.gateway.MemberAccessMode;
import io.github.etcdgitops.gateway.access.Permission;
import io.github.etcdgitops.spec.DesiredState;
import java.util.Optional;

/// What the API server is compared with: our expected identity, the configured route to members, and what
/// the config repository says about this Kubernetes cluster. `defaultClassFor` is how many rings name no
/// StorageClass.
public record Expected(
        Permission.Role identity,
        MemberAccessMode memberAccess,
        Optional<String> environment,
        Optional<String> fleetRecord,
        Optional<String> branchRecord,
        long defaultClassFor) {

    public static Expected of(Permission.Role identity, MemberAccessMode memberAccess, GitFacts git) {
        Optional<String> environment = git.environment().optional();
        Optional<DesiredState> desired = git.documents().optional();
        return new Expected(
                identity,
                memberAccess,
                environment,
                environment.flatMap(name ->
                        desired.flatMap(d -> d.fleet().environment(name)).flatMap(e -> e.kubeSystemUid())),
                git.branchRecord().optional().flatMap(record -> record),
                desired.map(d -> d.rings().values().stream()
                                .filter(r -> r.storage().storageClassName().isEmpty())
                                .count())
                        .orElse(1L));
    }
}
