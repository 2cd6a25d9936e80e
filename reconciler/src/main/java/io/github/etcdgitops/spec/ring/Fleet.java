package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.validation.Location;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// Settings of the whole repository. Without a document of kind Fleet the defaults apply.
public record Fleet(
        List<Environment> environments, Limits limits, Approvals approvals, Defaults defaults, Sharing sharing) {
    public Fleet {
        environments = List.copyOf(environments);
    }

    /// For a repository of one team.
    public Fleet(List<Environment> environments, Limits limits, Approvals approvals, Defaults defaults) {
        this(environments, limits, approvals, defaults, Sharing.NONE);
    }

    /// The tenants of the repository. `images` are image repositories besides the official ones that rings
    /// may use, or with a slash at the end all below them; `imagesAt` is the location of that setting.
    public record Sharing(List<String> images, List<Tenant> tenants, Location imagesAt) {
        public static final Sharing NONE = new Sharing(List.of(), List.of());

        /// With an unknown location.
        public Sharing(List<String> images, List<Tenant> tenants) {
            this(images, tenants, Location.ofFile("etcd-gitops.yaml"));
        }

        public Sharing {
            images = List.copyOf(images);
            tenants = List.copyOf(tenants);
        }
    }

    /// Authors must not approve their own change.
    public Fleet(List<Environment> environments, Limits limits, Risk approvalFrom, Defaults defaults) {
        this(environments, limits, new Approvals(approvalFrom, false), defaults);
    }

    /// Operations of the risk `from` and above need an approval; with `authorMayApprove` the change's
    /// author may give it. With `foreignData`, a restore of other owners' data needs one as well. `at` is
    /// the location of the first two settings.
    public record Approvals(Risk from, boolean authorMayApprove, boolean foreignData, Places at) {
        /// For a Fleet that does not set their locations.
        public Approvals(Risk from, boolean authorMayApprove) {
            this(from, authorMayApprove, false, Places.UNSAID);
        }

        public record Places(Location from, Location authorMayApprove) {
            static final Places UNSAID =
                    new Places(Location.ofFile("etcd-gitops.yaml"), Location.ofFile("etcd-gitops.yaml"));
        }
    }

    public Fleet with(Approvals other) {
        return new Fleet(environments, limits, other, defaults, sharing);
    }

    public Fleet with(Sharing other) {
        return new Fleet(environments, limits, approvals, defaults, other);
    }

    /// The environment of a ring in a repository without environments.
    public static final String DEFAULT_ENVIRONMENT = "default";

    public static final Fleet DEFAULT = new Fleet(List.of(), Limits.DEFAULT, Risk.DESTRUCTIVE, Defaults.NONE);

    /// One Kubernetes cluster. `kubeSystemUid` pins it: a run against another one refuses. `paths` are
    /// prefixes of file paths whose rings belong here when they do not name an environment.
    public record Environment(String name, Optional<String> kubeSystemUid, List<String> paths, Defaults defaults) {
        public Environment {
            paths = List.copyOf(paths);
        }
    }

    /// `maxParallel` limits how many rings change at the same time, `maxParallelBackups` how many of them
    /// are backed up at the same time, `maxParallelFeatures` how many have a change of feature gates under
    /// way, or stuck. Where more than `maxUnaskedRepairs` rings have members to replace at the same time,
    /// none of these replacements starts without an approval. Once the changes of `maxFailures` rings have
    /// failed in a run, it starts no others.
    public record Limits(
            int maxParallel,
            int maxParallelBackups,
            int maxParallelFeatures,
            int maxUnaskedRepairs,
            OptionalInt maxFailures) {
        public static final Limits DEFAULT = new Limits(10, 5, 1, 3);

        /// Without a limit on failures.
        public Limits(int maxParallel, int maxParallelBackups, int maxParallelFeatures, int maxUnaskedRepairs) {
            this(maxParallel, maxParallelBackups, maxParallelFeatures, maxUnaskedRepairs, OptionalInt.empty());
        }
    }

    /// The values of the levels above a ring of this environment.
    public Defaults defaultsIn(Optional<String> environment) {
        return environment
                .flatMap(this::environment)
                .map(e -> e.defaults().below(defaults))
                .orElse(defaults);
    }

    public Optional<Environment> environment(String name) {
        return environments.stream().filter(e -> e.name().equals(name)).findFirst();
    }

    public List<Tenant> tenants() {
        return sharing.tenants();
    }

    /// The tenant of a file by its path; the longest path wins. Paths are compared as written,
    /// case-sensitively. A path that is not plain (with `..`, for example) belongs to no tenant.
    public Optional<Tenant> tenantOf(String file) {
        if (!isPlain(file)) {
            return Optional.empty();
        }
        Optional<Tenant> found = Optional.empty();
        int longest = -1;
        for (var tenant : tenants()) {
            for (String path : tenant.scope().paths()) {
                boolean below = path.endsWith("/") ? file.startsWith(path) : file.equals(path);
                if (below && path.length() > longest) {
                    longest = path.length();
                    found = Optional.of(tenant);
                }
            }
        }
        return found;
    }

    private static boolean isPlain(String file) {
        return Stream.of(file.split("/", -1))
                .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
    }

    /// The namespaces of the rings that a file, or an unreadable location, may be about.
    ///
    /// The Fleet and policies outside of tenants' paths are about all. With tenants, other files outside
    /// are about none, but a folder is about everything that it may contain.
    public Namespaces namespacesOf(String file) {
        var tenant = tenantOf(file);
        if (tenant.isPresent()) {
            return tenant.get().scope().namespaces();
        }
        boolean ofOwners = List.of("clusters/", "approvals/", "tombstones/").stream()
                .noneMatch(folder -> (file + "/").startsWith(folder));
        return tenants().isEmpty() || ofOwners
                ? Namespaces.ALL
                : new Namespaces(tenants().stream()
                        .filter(t -> t.scope().paths().stream().anyMatch(path -> path.startsWith(file + "/")))
                        .flatMap(t -> t.scope().namespaces().patterns().stream())
                        .toList());
    }

    /// The tenant whose rings may be in a namespace; a namespace has at most one.
    public Optional<Tenant> tenantOfNamespace(String namespace) {
        return tenants().stream()
                .filter(tenant -> tenant.ownsNamespace(namespace))
                .findFirst();
    }

    /// What the documents of a file may add to a ring, where the ring is one of somebody else.
    public Optional<SharedRing> sharedWith(String file, ClusterRef ring) {
        return tenantOf(file)
                .filter(tenant -> !tenant.ownsNamespace(ring.namespace()))
                .flatMap(tenant -> tenant.scope().sharedRings().stream()
                        .filter(shared -> shared.ring().equals(ring))
                        .findFirst());
    }

    /// What a file, or an unreadable location, may add to rings of others.
    public List<SharedRing> sharedAt(String file) {
        return tenants().stream()
                .filter(tenant -> tenantOf(file).equals(Optional.of(tenant))
                        || tenant.scope().paths().stream().anyMatch(path -> path.startsWith(file + "/")))
                .flatMap(tenant -> tenant.scope().sharedRings().stream())
                .toList();
    }

    /// The environment of a file by its path; the longest prefix wins.
    public Optional<String> environmentOfPath(String file) {
        return environments.stream()
                .flatMap(e -> e.paths().stream().filter(file::startsWith).map(p -> new Match(e.name(), p.length())))
                .max((a, b) -> Integer.compare(a.length(), b.length()))
                .map(Match::environment);
    }

    private record Match(String environment, int length) {}
}
