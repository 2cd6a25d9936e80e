package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.document.field.Folder;
import io.github.etcdgitops.ring.deletion.Clearance;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
import java.util.List;
import java.util.Optional;

/// Whether a ring that seems to have no document may have one after all.
final class InvalidPolicies {
    private static final List<Folder> NO_RINGS = List.of(Folder.APPROVALS, Folder.POLICIES, Folder.TOMBSTONES);

    private InvalidPolicies() {}

    /// What a run of that environment knows about other documents, for a ring without a document.
    static Clearance clearance(DesiredState desired, String environment, ClusterRef ref) {
        return new Clearance(
                of(desired, ref),
                files(desired, ref),
                environment,
                desired.protection().policies());
    }

    /// The first location that may hold the document of this ring and has an error: an unreadable document
    /// may be that of any ring of the tenant.
    static Optional<String> of(DesiredState desired, ClusterRef ref) {
        return desired.violations().stream()
                .filter(v -> NO_RINGS.stream().noneMatch(folder -> v.at().file().startsWith(folder.path())))
                .filter(v -> mayBeOf(desired, v.at(), ref))
                .findFirst()
                .map(v -> v.at() + " is invalid; fix it first");
    }

    private static Optional<String> files(DesiredState desired, ClusterRef ref) {
        var unread = desired.unread().stream()
                .filter(at -> mayBeOf(desired, at, ref))
                .toList();
        String others = unread.size() > 1 ? ", or one of " + (unread.size() - 1) + " more places," : "";
        return unread.stream().findFirst().map(at -> at + others);
    }

    /// A tenant's files contain no documents of another tenant's rings.
    private static boolean mayBeOf(DesiredState desired, Location at, ClusterRef ref) {
        return desired.fleet().namespacesOf(at.file()).contains(ref.namespace());
    }
}
