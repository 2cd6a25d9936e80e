package io.github.etcdgitops.doctor.exam;

import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.GitFacts;
import io.github.etcdgitops.doctor.fact.GitFacts.Address;
import io.github.etcdgitops.doctor.fact.GitFacts.Over;
import io.github.etcdgitops.doctor.fact.GitFacts.Stage;
import io.github.etcdgitops.doctor.fact.GitFacts.Talk;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.GitRepository;
import io.github.etcdgitops.git.publish.ReportPublisher;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.remote.Retry;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import io.github.etcdgitops.pipeline.ReportBranch;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.spec.DesiredState;
import java.util.Optional;

/// Connects to the config repository as a run would, and pushes nothing.
public final class GitExam {
    private final Wanted wanted;
    private final Retry retry;

    /// `write` also asks the server whether it would accept a push.
    public record Wanted(String ref, Optional<String> environment, boolean write) {}

    public GitExam(Wanted wanted, Retry retry) {
        this.wanted = wanted;
        this.retry = retry;
    }

    public GitFacts look(Fact<RepositoryAddress> address, Fact<GitAccess> access, Fact<GitRepository> opened) {
        Fact<Talk> talk = talk(address, opened);
        Fact<String> commit = switch (talk) {
            case Fact.Seen<Talk>(Talk.Resolved resolved) -> Fact.seen(resolved.commit());
            case Fact.Seen<Talk>(Talk.Stopped _), Fact.Unseen<Talk> _, Fact.Unasked<Talk> _ -> new Fact.Unasked<>();
        };
        Fact<DesiredState> documents = both(opened, commit);
        Fact<String> environment =
                Asking.then(documents, desired -> Environments.ofRun(wanted.environment(), desired.fleet()));
        return new GitFacts(
                address.map(GitExam::address),
                credentials(access, opened, talk),
                talk,
                documents,
                environment,
                Asking.then(environment, name -> record(opened, name)),
                push(opened, commit));
    }

    private static Address address(RepositoryAddress address) {
        return switch (address.scheme()) {
            case FILE -> new Address(address.toString(), Over.FILE, "", 0);
            case HTTP ->
                new Address(
                        address.toString(),
                        Over.HTTP,
                        address.host(),
                        address.port().orElse(80));
            case HTTPS ->
                new Address(
                        address.toString(),
                        Over.HTTP,
                        address.host(),
                        address.port().orElse(443));
            case SSH ->
                new Address(
                        address.toString(),
                        Over.SSH,
                        address.host(),
                        address.port().orElse(22));
        };
    }

    /// A local repository is found when it is opened, any other when it is contacted.
    private Fact<Talk> talk(Fact<RepositoryAddress> address, Fact<GitRepository> opened) {
        boolean local = address.optional().filter(RepositoryAddress::isLocal).isPresent();
        return opened instanceof Fact.Unseen<GitRepository>(Trouble trouble, String reason) && local
                ? Fact.seen(new Talk.Stopped(Stage.ACCESS, trouble, reason))
                : Asking.then(opened, this::resolve);
    }

    /// The given credentials, by kind and file. Whether they work shows when the repository is opened with
    /// them.
    private static Fact<String> credentials(Fact<GitAccess> access, Fact<GitRepository> opened, Fact<Talk> talk) {
        return opened instanceof Fact.Unseen<GitRepository>(Trouble trouble, String reason)
                        && talk instanceof Fact.Unasked<Talk>
                ? new Fact.Unseen<>(trouble, reason)
                : access.map(GitExam::described);
    }

    private static String described(GitAccess access) {
        if (access.sshKey().isPresent()) {
            return "the SSH key " + access.sshKey().get() + ", host keys of "
                    + access.knownHosts().map(Object::toString).orElse("nowhere");
        }
        return access.token().isPresent() ? "a token" : "none";
    }

    private Talk resolve(GitRepository repository) {
        try {
            return new Talk.Resolved(wanted.ref(), repository.resolve(wanted.ref()), repository.asksForSignatures());
        } catch (GitException e) {
            return new Talk.Stopped(stage(e.kind()), Asking.trouble(e.kind()), String.valueOf(e.getMessage()));
        }
    }

    private static Stage stage(GitException.Kind kind) {
        return switch (kind) {
            case UNREACHABLE -> Stage.HOST;
            case UNTRUSTED -> Stage.TRUST;
            case UNAUTHORIZED, NO_SUCH_REPOSITORY, INVALID_ADDRESS -> Stage.ACCESS;
            case NO_SUCH_REF, EMPTY, CORRUPT, CACHE, PROTECTED, CONTENDED, REFUSED, SIGNERS, TOO_LARGE -> Stage.REF;
            case UNVERIFIED -> Stage.SIGNATURE;
        };
    }

    private static Fact<DesiredState> both(Fact<GitRepository> opened, Fact<String> commit) {
        return Asking.then(
                commit, id -> SpecLoader.load(opened.optional().orElseThrow().read(id)));
    }

    private Optional<String> record(Fact<GitRepository> opened, String environment) {
        var publisher = new ReportPublisher(opened.optional().orElseThrow(), retry);
        return ReportBranch.recordedKubernetes(publisher, environment);
    }

    /// A server that lets us read and denies that the repository exists for pushes has refused a right.
    private Fact<Boolean> push(Fact<GitRepository> opened, Fact<String> commit) {
        if (!wanted.write()) {
            return new Fact.Unasked<>();
        }
        return Asking.then(commit, _ -> {
            try {
                opened.optional().orElseThrow().requirePushOffered();
                return true;
            } catch (GitException e) {
                if (e.kind() == GitException.Kind.NO_SUCH_REPOSITORY) {
                    throw new GitException(
                            GitException.Kind.UNAUTHORIZED, "these credentials may read and not push", e);
                }
                throw e;
            }
        });
    }
}
