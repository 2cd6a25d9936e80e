package io.github.etcdgitops.cli.wiring;

import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.document.ReadFiles;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.GitRepository;
import io.github.etcdgitops.git.publish.ReportPublisher;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.remote.HttpProxy;
import io.github.etcdgitops.git.remote.Retry;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import io.github.etcdgitops.git.signature.AllowedSigners;
import io.github.etcdgitops.git.signature.ReportSigner;
import io.github.etcdgitops.pipeline.Attribution;
import io.github.etcdgitops.pipeline.ReportBranch;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.plan.fleet.Tempo;
import io.github.etcdgitops.spec.DesiredState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The config repository of a command, and its contents at the requested revision.
public record Source(GitRepository repository, String commit, DesiredState desired, Optional<ReportSigner> signer)
        implements AutoCloseable {
    public static Source open(Options.Repository options, Map<String, String> environment) {
        return open(options, environment, new ReadFiles());
    }

    /// For a command that reads another revision as well.
    public static Source open(Options.Repository options, Map<String, String> environment, ReadFiles files) {
        return open(options, environment, Optional.empty(), files);
    }

    /// For a command that publishes reports, signed where there is a key.
    public static Source open(Options.Repository options, Map<String, String> environment, Optional<Path> signingKey) {
        return open(options, environment, signingKey, new ReadFiles());
    }

    private static Source open(
            Options.Repository options, Map<String, String> environment, Optional<Path> signingKey, ReadFiles files) {
        var signer = signingKey.map(ReportSigner::read);
        var repository = repository(options, environment);
        try {
            signer.ifPresent(repository::requireNotAllowed);
            String commit = repository.resolve(options.ref);
            return new Source(
                    repository, commit, SpecLoader.load(repository.read(commit, files::begin), files), signer);
        } catch (RuntimeException e) {
            repository.close();
            throw e;
        }
    }

    /// Nothing is fetched yet.
    public static GitRepository repository(Options.Repository options, Map<String, String> environment) {
        Path cache = cacheDir(options, environment);
        var address = address(options);
        var access = access(options, environment);
        Optional<AllowedSigners> signers = signers(options, cache);
        try {
            return GitRepository.open(address, access, signers, cache, options.maxFetch);
        } catch (RuntimeException e) {
            signers.ifPresent(AllowedSigners::close);
            throw e;
        }
    }

    private static Optional<AllowedSigners> signers(Options.Repository options, Path cache) {
        Path allowed = options.allowedSigners;
        Optional<Path> revoked = Optional.ofNullable(options.revokedSigners);
        if (allowed == null) {
            if (revoked.isPresent()) {
                throw new RunException(
                        RunException.Kind.CONFIGURATION, "--git-revoked-signers needs --git-allowed-signers");
            }
            if (!options.forgeSigners.isEmpty()) {
                throw new RunException(
                        RunException.Kind.CONFIGURATION, "--git-forge-signer needs --git-allowed-signers");
            }
            return Optional.empty();
        }
        return Optional.of(AllowedSigners.read(allowed, revoked, cache).withForges(Set.copyOf(options.forgeSigners)));
    }

    /// The same repository at another commit. Closing either closes both.
    public Source at(String other) {
        return other.equals(commit)
                ? this
                : new Source(repository, other, SpecLoader.load(repository.read(other)), signer);
    }

    /// Its contents, with their authors as far as they matter to the rings of an environment now.
    public DesiredState desired(String environment, Instant now) {
        return attributed(desired, environment, now);
    }

    /// The same for contents of this commit that were read with other rules.
    public DesiredState attributed(DesiredState read, String environment, Instant now) {
        return new Attribution(repository, commit).of(read, environment, now);
    }

    public ReportPublisher publisher(Retry retry) {
        return new ReportPublisher(repository, retry, signer);
    }

    /// From earlier runs, where the report branch is available: no plan fails without it.
    public Tempo tempo(String environment) {
        try {
            return ReportBranch.tempo(publisher(Retry.standard(Surface::pause)), environment);
        } catch (GitException _) {
            return Tempo.NONE;
        }
    }

    public static RepositoryAddress address(Options.Repository options) {
        return RepositoryAddress.parse(options.repo, Path.of("").toAbsolutePath());
    }

    public static GitAccess access(Options.Repository options, Map<String, String> environment) {
        return credentials(options, environment)
                .by(
                        Optional.ofNullable(options.ca),
                        HttpProxy.of(address(options), Optional.ofNullable(options.proxy), environment));
    }

    private static GitAccess credentials(Options.Repository options, Map<String, String> environment) {
        Path key = options.sshKey;
        Path hosts = options.knownHosts;
        if (key != null) {
            if (hosts == null) {
                throw new RunException(
                        RunException.Kind.CONFIGURATION,
                        "--git-ssh-key needs --git-known-hosts: no host key is accepted unchecked");
            }
            return GitAccess.ssh(key, hosts);
        }
        return token(options, environment).map(GitAccess::token).orElseGet(GitAccess::none);
    }

    private static Optional<String> token(Options.Repository options, Map<String, String> environment) {
        Path file = options.tokenFile;
        if (file == null) {
            return Optional.ofNullable(environment.get("ETCD_GITOPS_GIT_TOKEN")).filter(t -> !t.isBlank());
        }
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException _) {
            throw new RunException(RunException.Kind.CONFIGURATION, "cannot read the token file " + file);
        }
    }

    public static Path cacheDir(Options.Repository options, Map<String, String> environment) {
        Path given = options.cacheDir;
        return given != null ? given : cacheDir(environment);
    }

    public static Path cacheDir(Map<String, String> environment) {
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        return cache.isEmpty()
                ? Path.of(
                        environment.getOrDefault("HOME", System.getProperty("java.io.tmpdir")), ".cache", "etcd-gitops")
                : Path.of(cache, "etcd-gitops");
    }

    @Override
    public void close() {
        repository.close();
    }
}
