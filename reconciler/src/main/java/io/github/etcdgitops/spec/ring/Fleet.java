package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.validation.Location;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// Settings of the whole repository. Without a document of kind Fleet the defaults hold.
public record Fleet(
        List<Environment> environments, Limits limits, Approvals approvals, Defaults defaults, Sharing sharing) {
    public Fleet {
        environments = List.copyOf(environments);
    }

    /// Of a repository of one team.
    public Fleet(List<Environment> environments, Limits limits, Approvals approvals, Defaults defaults) {
        this(environments, limits, approvals, defaults, Sharing.NONE);
    }

    /// Who shares the repository. `images` are repositories beside the official ones that rings may use, or with a
    /// slash at the end all below them; `imagesAt` is where they are said.
    public record Sharing(List<String> images, List<Tenant> tenants, Location imagesAt) {
        public static final Sharing NONE = new Sharing(List.of(), List.of());

        /// Wherever they are said.
        public Sharing(List<String> images, List<Tenant> tenants) {
            this(images, tenants, Location.ofFile("etcd-gitops.yaml"));
        }

        public Sharing {
            images = List.copyOf(images);
            tenants = List.copyOf(tenants);
        }
    }

    /// Whoever wrote a change does not approve it.
    public Fleet(List<Environment> environments, Limits limits, Risk approvalFrom, Defaults defaults) {
        this(environments, limits, new Approvals(approvalFrom, false), defaults);
    }

    /// Operations of the risk `from` and above wait for somebody's word; with `authorMayApprove` for that of whoever
    /// wrote the change as well. With `foreignData` a restore of what others own waits as well. `at` is where the
    /// first two are said.
    public record Approvals(Risk from, boolean authorMayApprove, boolean foreignData, Places at) {
        /// Of a Fleet that says nothing of them.
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

    /// The environment of a ring in a repository that has none.
    public static final String DEFAULT_ENVIRONMENT = "default";

    public static final Fleet DEFAULT = new Fleet(List.of(), Limits.DEFAULT, Risk.DESTRUCTIVE, Defaults.NONE);

    /// One Kubernetes cluster. `kubeSystemUid` pins it: a run against another one refuses.
    /// `paths` are prefixes of file paths whose rings belong here when they do not say it themselves.
    public record Environment(String name, Optional<String> kubeSystemUid, List<String> paths, Defaults defaults) {
        public Environment {
            paths = List.copyOf(paths);
        }
    }

    /// `maxParallel` bounds how many rings are changed at the same time, `maxParallelBackups` how many of
    /// them are backed up at the same time, `maxParallelFeatures` how many are in the midst of a change
    /// of feature gates, or stuck in one. Where more than `maxUnaskedRepairs` rings have members to be
    /// replaced at the same time, none of that is begun without an approval. Once the changes of
    /// `maxFailures` rings have failed in a run, it begins no others.
    public record Limits(
            int maxParallel,
            int maxParallelBackups,
            int maxParallelFeatures,
            int maxUnaskedRepairs,
            OptionalInt maxFailures) {
        public static final Limits DEFAULT = new Limits(10, 5, 1, 3);

        /// Whatever fails.
        public Limits(int maxParallel, int maxParallelBackups, int maxParallelFeatures, int maxUnaskedRepairs) {
            this(maxParallel, maxParallelBackups, maxParallelFeatures, maxUnaskedRepairs, OptionalInt.empty());
        }
    }

    /// What the levels above a ring of this environment say.
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

    /// The tenant that a file's place gives; the longest path wins. Paths are compared as they are written, upper and
    /// lower case apart. A path that is not plain (with `..`, say) belongs to nobody.
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

    /// The namespaces of the rings that a file may be about, or what cannot be read at a place.
    ///
    /// The Fleet and policies outside of tenants' paths are about all. With tenants, other files outside are about
    /// none, but a folder is about whatever it may hold.
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

    /// The tenant whose rings may stand in a namespace; a namespace has one at most.
    public Optional<Tenant> tenantOfNamespace(String namespace) {
        return tenants().stream()
                .filter(tenant -> tenant.ownsNamespace(namespace))
                .findFirst();
    }

    /// The environment that a file's place gives; the longest prefix wins.
    public Optional<String> environmentOfPath(String file) {
        return environments.stream()
                .flatMap(e -> e.paths().stream().filter(file::startsWith).map(p -> new Match(e.name(), p.length())))
                .max((a, b) -> Integer.compare(a.length(), b.length()))
                .map(Match::environment);
    }

    private record Match(String environment, int length) {}
}
