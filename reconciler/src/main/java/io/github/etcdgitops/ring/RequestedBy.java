package io.github.etcdgitops.ring;

import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The part of the documents that asks for an operation.
public sealed interface RequestedBy {
    /// A whole document.
    enum Document implements RequestedBy {
        /// The ring's own document, with all its fields.
        RING,
        /// The tombstones of the ring.
        TOMBSTONES,
        /// The EtcdRestore of the ring, with the policy that names the location of the backup.
        RESTORE
    }

    /// Fields of the ring's document.
    enum Part implements RequestedBy {
        SIZE,
        VERSION,
        STORAGE,
        /// What happens to the volumes of removed members.
        RETENTION,
        TLS,
        BACKUP,
        MAINTENANCE,
        /// Whether authentication is enabled, and what becomes of the users and roles of others.
        AUTH,
        /// The number that asks for another attempt of a rollout that was rolled back.
        ATTEMPT
    }

    /// The image, where it does not follow from the version.
    record Image(MemberSettings former, MemberSettings target) implements RequestedBy {}

    /// What a roll changes in the members' configuration and template. `parts` are the names of the
    /// template parts that change.
    record Configuration(MemberSettings former, MemberSettings target, List<FeatureChange> features, List<String> parts)
            implements RequestedBy {
        public Configuration {
            features = List.copyOf(features);
            parts = List.copyOf(parts);
        }
    }

    /// The feature gates that are changed, wherever they are set.
    record Gates(List<FeatureChange> changes) implements RequestedBy {
        public Gates {
            changes = List.copyOf(changes);
        }
    }

    /// The BackupPolicy of that name.
    record Policy(String name) implements RequestedBy {}

    /// The VolumeResets of these claims.
    record Resets(Set<String> claimUids) implements RequestedBy {
        public Resets {
            claimUids = Set.copyOf(claimUids);
        }
    }

    /// The MemberReplacements of these members.
    record Replacements(Set<EtcdId> members) implements RequestedBy {
        public Replacements {
            members = Set.copyOf(members);
        }
    }

    /// The users and roles of these names: their items in the ring's document, and their EtcdUsers and
    /// EtcdRoles.
    record Accounts(Set<String> users, Set<String> roles) implements RequestedBy {
        public Accounts {
            users = Set.copyOf(users);
            roles = Set.copyOf(roles);
        }
    }

    /// What asks for a rollout; for attempt `attempt` of it, also the number of that attempt.
    static List<RequestedBy> again(List<RequestedBy> requests, int attempt) {
        return attempt == 0
                ? requests
                : Stream.concat(requests.stream(), Stream.of(Part.ATTEMPT)).toList();
    }
}
