package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.validation.Location;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// One of several teams that share a repository: the paths of its documents, and what they may ask for.
/// Where `issuers` is empty, the Issuers of the ring's own namespace may be used, and no ClusterIssuer.
///
/// `serviceAccount` is a ServiceAccount in the namespace of each of its rings; changes use its rights.
/// `source` is its location in the Fleet.
public record Tenant(
        String name,
        Scope scope,
        Optional<String> serviceAccount,
        Pods pods,
        Backups backups,
        Optional<List<Tls.IssuerRef>> issuers,
        Location source) {
    public Tenant {
        issuers = issuers.map(List::copyOf);
    }

    /// `paths` are prefixes of file paths; the documents below them may be about rings in `namespaces`, and
    /// in these `environments` where any are named. `sharedRings` are rings of others.
    public record Scope(
            List<String> paths,
            Namespaces namespaces,
            Optional<List<String>> environments,
            List<SharedRing> sharedRings) {
        public Scope {
            paths = List.copyOf(paths);
            environments = environments.map(List::copyOf);
            sharedRings = List.copyOf(sharedRings);
        }

        public Scope(List<String> paths, Namespaces namespaces, Optional<List<String>> environments) {
            this(paths, namespaces, environments, List.of());
        }
    }

    /// What pods may ask for. `images` are repositories, or with a slash at the end all below them; without
    /// any, those of the Fleet apply. Without `storageClasses` any class may be named. Every ring must have
    /// `nodeSelector`; `tolerations` are the keys of taints. `metadata` are the allowed prefixes of label
    /// and annotation keys.
    public record Pods(
            Optional<List<String>> images,
            Optional<List<String>> storageClasses,
            List<String> priorityClasses,
            SortedMap<String, String> nodeSelector,
            List<String> tolerations,
            List<String> metadata) {
        public Pods {
            images = images.map(List::copyOf);
            storageClasses = storageClasses.map(List::copyOf);
            priorityClasses = List.copyOf(priorityClasses);
            nodeSelector = Collections.unmodifiableSortedMap(new TreeMap<>(nodeSelector));
            tolerations = List.copyOf(tolerations);
            metadata = List.copyOf(metadata);
        }
    }

    /// `policies` are BackupPolicies of the owners that its documents may name. `destinations` are
    /// addresses such as `s3://bucket/prefix/` that its own policies may write to and its restores may read
    /// from. `restoreFrom` are tenants whose backups it may restore.
    public record Backups(List<String> policies, List<String> destinations, List<String> restoreFrom) {
        public Backups {
            policies = List.copyOf(policies);
            destinations = List.copyOf(destinations);
            restoreFrom = List.copyOf(restoreFrom);
        }
    }

    public boolean ownsNamespace(String namespace) {
        return scope.namespaces().contains(namespace);
    }
}
