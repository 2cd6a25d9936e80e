package io.github.etcdgitops.ring;

import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// What of the documents asks for an operation.
public sealed interface RequestedBy {
    /// A whole document.
    enum Document implements RequestedBy {
        /// The ring's own, with each of its fields.
        RING,
        /// The tombstones of the ring.
        TOMBSTONES,
        /// The EtcdRestore of the ring, with the policy that says where the backup is.
        RESTORE
    }

    /// Fields of the ring's document.
    enum Part implements RequestedBy {
        SIZE,
        VERSION,
        STORAGE,
        /// What becomes of volumes of members that left.
        RETENTION,
        TLS,
        BACKUP,
        MAINTENANCE,
        /// The number by which a rollout that was taken back is tried again.
        ATTEMPT
    }

    /// The image, where it does not follow from the version.
    record Image(MemberSettings former, MemberSettings target) implements RequestedBy {}

    /// What a roll changes in the members' configuration and template;
    /// `parts` are those of the template that change, by their names.
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

    /// What asks for a rollout, and for another `attempt` of it if it is one.
    static List<RequestedBy> again(List<RequestedBy> requests, int attempt) {
        return attempt == 0
                ? requests
                : Stream.concat(requests.stream(), Stream.of(Part.ATTEMPT)).toList();
    }
}
