package io.github.etcdgitops.cli.console;

import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.access.Acting;
import io.github.etcdgitops.gateway.access.ServiceAccount;
import io.github.etcdgitops.pipeline.Accounts;
import io.github.etcdgitops.pipeline.Restraints;
import io.github.etcdgitops.pipeline.environment.Branch;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.Namespaces;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Groups of options that several commands share.
public final class Options {
    private Options() {}

    /// What goes to the terminal and to files.
    public static final class Output {
        final Set<MoreFormats> also;

        public Output(MoreFormats... also) {
            this.also = Set.of(also);
        }

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORMAT[=FILE]",
                split = ",",
                description = "human, json or markdown; of commands that show rings also html, and of validate and plan"
                        + " junit, sarif and github (annotations). May be given several times, with a file each."
                        + " Default: human")
        public List<String> formats = new ArrayList<>();

        @Option(
                names = "--no-color",
                description = "No colours, on a terminal either. NO_COLOR in the environment does the same.")
        boolean noColor;

        @Option(
                names = {"-q", "--quiet"},
                description = "No progress.")
        boolean quiet;

        @Option(
                names = "--log-format",
                paramLabel = "text|json",
                description = "Progress as text or as JSON lines. Default: text on a terminal, json elsewhere.")
        @Nullable
        public String logFormat;
    }

    /// The config repository.
    public static final class Repository {
        @Option(
                names = "--repo",
                paramLabel = "URL|PATH",
                description = "The config repository: a path, file://, https://, ssh:// or host:path. Default: .",
                defaultValue = ".")
        public String repo = ".";

        @Option(
                names = "--ref",
                paramLabel = "REF",
                description = "Branch, tag, full ref or commit. Default: HEAD",
                defaultValue = "HEAD")
        public String ref = "HEAD";

        @Option(names = "--environment", paramLabel = "NAME", description = "The environment to operate on.")
        @Nullable
        String environment;

        @Option(names = "--git-token-file", paramLabel = "FILE", description = "File with an HTTPS token.")
        @Nullable
        public Path tokenFile;

        @Option(names = "--git-ssh-key", paramLabel = "FILE", description = "Private SSH key; needs --git-known-hosts.")
        @Nullable
        public Path sshKey;

        @Option(
                names = "--git-known-hosts",
                paramLabel = "FILE",
                description = "Host keys that are accepted; no others are.")
        @Nullable
        public Path knownHosts;

        @Option(
                names = "--git-ca",
                paramLabel = "FILE",
                description = "Certificate authorities for https:// in PEM, which count instead of those that Java"
                        + " knows.")
        @Nullable
        public Path ca;

        @Option(
                names = "--git-proxy",
                paramLabel = "http://HOST:PORT|none",
                description = "Proxy for https://. Default: HTTPS_PROXY, but for hosts in NO_PROXY")
        @Nullable
        public String proxy;

        @Option(
                names = "--git-allowed-signers",
                paramLabel = "FILE",
                description = "Public keys in OpenSSH's allowed_signers format: a commit is only read when one of them"
                        + " has signed it. Not a file of the repository.")
        @Nullable
        public Path allowedSigners;

        @Option(
                names = "--git-revoked-signers",
                paramLabel = "FILE",
                description = "Keys that no longer count, whatever --git-allowed-signers says: a key revocation list"
                        + " of ssh-keygen -k, or public keys, one a line.")
        @Nullable
        public Path revokedSigners;

        @Option(
                names = "--git-forge-signer",
                paramLabel = "NAME",
                split = ",",
                description = "A name among --git-allowed-signers that signs what others wrote, such as a forge that"
                        + " merges: of its commits the author counts as who wrote them, of all others the signer.")
        public List<String> forgeSigners = new ArrayList<>();

        @Option(
                names = "--max-fetch",
                paramLabel = "SIZE",
                converter = Bytes.class,
                defaultValue = "512Mi",
                description = "How much one fetch takes at most, such as 512Mi. Default: ${DEFAULT-VALUE}")
        public long maxFetch;

        @Option(names = "--cache-dir", paramLabel = "DIR", description = "Where fetched objects are kept.")
        @Nullable
        public Path cacheDir;

        public Optional<String> environment() {
            return Optional.ofNullable(environment);
        }

        public Branch branch() {
            return new Branch(environment(), ref);
        }
    }

    /// The report branch.
    public static final class Reports {
        @Option(
                names = "--git-signing-key",
                paramLabel = "FILE",
                description = "Unencrypted private SSH key to sign the commits of the report branch with; not one of"
                        + " --git-allowed-signers.")
        public Optional<Path> signingKey = Optional.empty();
    }

    /// The Kubernetes cluster and the way to members.
    public static final class Cluster {
        @Option(
                names = "--kubeconfig",
                paramLabel = "FILE",
                description = "Default: KUBECONFIG, ~/.kube/config, or in-cluster.")
        @Nullable
        public Path kubeconfig;

        @Option(names = "--kube-context", paramLabel = "NAME", description = "Context of the kubeconfig.")
        @Nullable
        public String context;

        @Option(
                names = "--namespace",
                paramLabel = "NAME",
                split = ",",
                description =
                        "Look for rings here instead of in all namespaces; may be given several times. For rights that"
                                + " are given by namespace.")
        public List<String> namespaces = new ArrayList<>();

        @Option(
                names = "--member-access",
                paramLabel = "auto|pod-ip|port-forward",
                description = "How members are reached. Default: auto",
                defaultValue = "auto")
        public String memberAccess = "auto";

        @Option(
                names = "--reconciler-namespace",
                paramLabel = "NAME",
                description =
                        "Namespace whose annotation etcdgitops.dev/suspend stops everything. Default: etcd-gitops",
                defaultValue = "etcd-gitops")
        public String reconcilerNamespace = "etcd-gitops";

        @Option(
                names = "--forbidden-namespaces",
                paramLabel = "PATTERN",
                split = ",",
                description =
                        "Namespaces where no ring may stand, besides kube-* and the one of --reconciler-namespace. A *"
                                + " in a pattern stands for any number of characters.")
        List<String> forbiddenNamespaces = new ArrayList<>();

        /// Whatever a repository says.
        public Restraints restraints(KubernetesGateway kube) {
            var forbidden = Namespaces.of(Stream.concat(forbiddenNamespaces.stream(), Stream.of(reconcilerNamespace))
                    .toList());
            return Restraints.of(forbidden, kube, reconcilerNamespace);
        }

        @Option(
                names = "--default-service-account",
                paramLabel = "NAME",
                description = "Impersonate this ServiceAccount of the ring's namespace in every request for a ring"
                        + " whose tenant names no serviceAccount. Without it, and without tenants that name one,"
                        + " no account is impersonated.")
        Optional<String> defaultServiceAccount = Optional.empty();

        @Option(
                names = "--no-impersonation",
                description = "Impersonate no account, whatever the Fleet says, and refuse to change objects of rings:"
                        + " for an identity that only plans.")
        boolean noImpersonation;

        /// Whose rights requests for rings are made with. Before documents have been read, the default account's.
        public Acting.Rights rights(Optional<DesiredState> desired) {
            if (defaultServiceAccount
                    .filter(name -> !ServiceAccount.isName(name))
                    .isPresent()) {
                throw new RunException(
                        RunException.Kind.CONFIGURATION,
                        "--default-service-account takes the name of a ServiceAccount");
            }
            return desired.map(d -> Accounts.of(d, defaultServiceAccount, noImpersonation))
                    .orElseGet(() -> Accounts.ofDefault(defaultServiceAccount, noImpersonation));
        }

        @Option(
                names = "--image",
                paramLabel = "IMAGE",
                description = "Image of etcd-gitops for the pods of restores and drills. Default: that of its own pod")
        @Nullable
        public String image;
    }

    /// What makes the exit code non-zero besides failures; each level includes the ones before it.
    public enum FailOn {
        ERROR,
        DENY,
        WARN
    }

    /// How what is wrong becomes an exit code.
    public static final class Failing {
        @Option(
                names = "--fail-on",
                paramLabel = "error|deny|warn",
                description =
                        "What makes the exit code non-zero besides failures: error (nothing else), deny (also wrong"
                                + " documents and refusals; the default), warn (also warnings).",
                defaultValue = "deny")
        public FailOn failOn = FailOn.DENY;
    }

    /// The same where rings are looked at.
    public static final class FailingOnRings {
        @Mixin
        public Failing failing = new Failing();

        @Option(
                names = "--fail-on-deferred",
                description = "Exit 13 when something that is wanted was held back, or waits, or a ring is suspended.")
        public boolean failOnDeferred;
    }
}
