package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import java.util.List;

/// Moves the members one after the other to another etcd release. A change over several minor versions is a
/// chain of these, one minor version each.
public sealed interface VersionChange extends Rolling permits UpgradeVersion, DowngradeVersion {
    /// A higher number is another operation.
    int attempt();

    @Override
    default List<RequestedBy> requestedBy() {
        return RequestedBy.again(
                List.of(RequestedBy.Part.VERSION, new RequestedBy.Image(roll().former(), roll().target())), attempt());
    }

    @Override
    default String target() {
        return "version=" + roll().target().version() + " image="
                + roll().target().image().orElse("") + " attempt=" + attempt();
    }

    @Override
    default Resolved resolved() {
        return roll().resolved();
    }
}
