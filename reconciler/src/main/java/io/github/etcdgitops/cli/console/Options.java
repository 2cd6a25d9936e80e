package io.github.etcdgitops.cli.console;

import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.access.ActingAccount;
import io.github.etcdgitops.gateway.access.ServiceAccount;
import io.github.etcdgitops.pipeline.ImpersonatedAccounts;
import io.github.etcdgitops.pipeline.Suspensions;
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

    /// Output to the terminal and to files.
    public static final class Output {
        final Set<MoreFormats> also;

        public Output(MoreFormats... also) {
            this.also = Set.of(also);
        }

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORMAT[=FILE]",
                split = ",",
                description = "human, json or markdown; also html for commands that show rings; also junit, sarif"
                        + " and github (annotations) for validate and plan. May be given several times, each time"
                        + " with another file. Default: human")
        public List<String> formats = new ArrayList<>();

        @Option(
                names = "--no-color",
                description = "Print no colours. The environment variable NO_COLOR does the same.")
        boolean noColor;

        @Option(
                names = {"-q", "--quiet"},
                description = "No progress.")
        boolean quiet;

        @Option(
                names = "--log-format",
                paramLabel = "text|json",
                description = "Progress as text or as JSON lines. Default: text on a terminal, otherwise json.")
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
                description = "File in OpenSSH's known_hosts format. Only its host keys are accepted.")
        @Nullable
        public Path knownHosts;

        @Option(
                names = "--git-ca",
                paramLabel = "FILE",
                description = "CA certificates for https://, in PEM. They replace the CAs that Java trusts.")
        @Nullable
        public Path ca;

        @Option(
                names = "--git-proxy",
                paramLabel = "http://HOST:PORT|none",
                description = "Proxy for https://. Default: HTTPS_PROXY, except for hosts in NO_PROXY")
        @Nullable
        public String proxy;

        @Option(
                names = "--git-allowed-signers",
                paramLabel = "FILE",
                description = "Public keys in OpenSSH's allowed_signers format. Only commits that one of these keys"
                        + " signed are read. The file must be outside the repository.")
        @Nullable
        public Path allowedSigners;

        @Option(
                names = "--git-revoked-signers",
                paramLabel = "FILE",
                description = "Revoked keys. They override --git-allowed-signers. A key revocation list of"
                        + " ssh-keygen -k, or public keys, one per line.")
        @Nullable
        public Path revokedSigners;

        @Option(
                names = "--git-forge-signer",
                paramLabel = "NAME",
                split = ",",
                description = "A name in --git-allowed-signers that signs commits of others, such as a forge that"
                        + " merges. The author of its commits is the Git author; the author of all other signed"
                        + " commits is the signer.")
        public List<String> forgeSigners = new ArrayList<>();

        @Option(
                names = "--max-fetch",
                paramLabel = "SIZE",
                converter = Bytes.class,
                defaultValue = "512Mi",
                description = "Largest size of one fetch, such as 512Mi. Default: ${DEFAULT-VALUE}")
        public long maxFetch;

        @Option(
                names = "--cache-dir",
                paramLabel = "DIR",
                description = "Folder in which fetched Git objects are kept.")
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
                description = "Unencrypted private SSH key that signs the commits of the report branch. It must not"
                        + " be one of --git-allowed-signers.")
        public Optional<Path> signingKey = Optional.empty();
    }

    /// The Kubernetes cluster and the routes to members.
    public static final class Cluster {
        @Option(
                names = "--kubeconfig",
                paramLabel = "FILE",
                description = "The kubeconfig. Default: KUBECONFIG, ~/.kube/config, or in-cluster.")
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
                        "Look for rings only in these namespaces; may be given several times. For an identity that"
                                + " has rights only there.")
        public List<String> namespaces = new ArrayList<>();

        @Option(
                names = "--member-access",
                paramLabel = "auto|pod-ip|port-forward",
                description = "How to reach the members. Default: auto",
                defaultValue = "auto")
        public String memberAccess = "auto";

        @Option(
                names = "--reconciler-namespace",
                paramLabel = "NAME",
                description = "Namespace of the reconciler. The annotation etcdgitops.dev/suspend on it stops all"
                        + " changes. Default: etcd-gitops",
                defaultValue = "etcd-gitops")
        public String reconcilerNamespace = "etcd-gitops";

        @Option(
                names = "--forbidden-namespaces",
                paramLabel = "PATTERN",
                split = ",",
                description =
                        "Namespaces in which rings are forbidden, in addition to kube-* and --reconciler-namespace."
                                + " In a pattern, * matches any number of characters.")
        List<String> forbiddenNamespaces = new ArrayList<>();

        /// Applies whatever a repository says.
        public Suspensions restraints(KubernetesGateway kube) {
            var forbidden = Namespaces.of(Stream.concat(forbiddenNamespaces.stream(), Stream.of(reconcilerNamespace))
                    .toList());
            return Suspensions.of(forbidden, kube, reconcilerNamespace);
        }

        @Option(
                names = "--default-service-account",
                paramLabel = "NAME",
                description = "Impersonate this ServiceAccount of the ring's namespace for each ring whose tenant"
                        + " names no serviceAccount. If neither this option nor any tenant names an account, none"
                        + " is impersonated.")
        Optional<String> defaultServiceAccount = Optional.empty();

        @Option(
                names = "--no-impersonation",
                description = "Impersonate no account, even if the Fleet names one, and refuse to change objects of"
                        + " rings. For an identity that only plans.")
        boolean noImpersonation;

        /// The accounts for requests about rings. Before documents are read, the default account's.
        public ActingAccount.Rights rights(Optional<DesiredState> desired) {
            if (defaultServiceAccount
                    .filter(name -> !ServiceAccount.isName(name))
                    .isPresent()) {
                throw new RunException(
                        RunException.Kind.CONFIGURATION,
                        "--default-service-account takes the name of a ServiceAccount");
            }
            return desired.map(d -> ImpersonatedAccounts.of(d, defaultServiceAccount, noImpersonation))
                    .orElseGet(() -> ImpersonatedAccounts.ofDefault(defaultServiceAccount, noImpersonation));
        }

        @Option(
                names = "--image",
                paramLabel = "IMAGE",
                description = "Image of etcd-gitops for the pods of restores and drills. Default: the image of its"
                        + " own pod")
        @Nullable
        public String image;
    }

    /// What makes the exit code non-zero besides failures; each level includes the ones before it.
    public enum FailOn {
        ERROR,
        DENY,
        WARN
    }

    /// How problems become an exit code.
    public static final class Failing {
        @Option(
                names = "--fail-on",
                paramLabel = "error|deny|warn",
                description =
                        "What causes a non-zero exit code: error (only failures), deny (also invalid documents and"
                                + " denied operations; the default), warn (also warnings).",
                defaultValue = "deny")
        public FailOn failOn = FailOn.DENY;
    }

    /// The same where rings are observed.
    public static final class FailingOnRings {
        @Mixin
        public Failing failing = new Failing();

        @Option(
                names = "--fail-on-deferred",
                description = "Exit with 13 if a requested change is held or waits, or a ring is suspended.")
        public boolean failOnDeferred;
    }
}
