package io.github.etcdgitops.git.publish;

import io.github.etcdgitops.git.GitRepository;
import io.github.etcdgitops.git.cache.Refs;
import io.github.etcdgitops.git.remote.Retry;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.LocalRepository;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import io.github.etcdgitops.git.signature.ReportSigner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.transport.RemoteRefUpdate;

/// Puts files on a branch that only programs write to, without a work tree and without force. Where another
/// writer was faster, everything is computed again on top of its commit: generated text is never merged.
public final class ReportPublisher {
    private final GitRepository repository;
    private final Retry retry;
    private final Optional<ReportSigner> signer;

    public ReportPublisher(GitRepository repository, Retry retry) {
        this(repository, retry, Optional.empty());
    }

    public ReportPublisher(GitRepository repository, Retry retry, Optional<ReportSigner> signer) {
        this.repository = repository;
        this.retry = retry;
        this.signer = signer;
    }

    /// Replaces the owned paths of a branch with the result of `files` for the current branch. `files` is
    /// called again at every attempt and may throw to give up. A missing branch starts with this commit,
    /// without a parent.
    ///
    /// Throws [GitException]: CONTENDED when all attempts were lost, PROTECTED when a rule of the server
    /// forbids it, REFUSED when a file seems to contain a secret.
    public PublishResult publish(
            String branch, Function<BranchView, ReportFiles> files, Ownership owned, CommitMessage message) {
        return publish(Optional.empty(), branch, files, owned, message);
    }

    /// Starts a branch with one commit after `base`, a commit that was resolved, in which these files have
    /// other content. A branch that is there already stays as it is. Throws as the other publication does.
    public PublishResult begin(String branch, String base, SortedMap<String, byte[]> files, CommitMessage message) {
        return publish(
                Optional.of(base),
                branch,
                _ -> ReportFiles.of(files),
                new Ownership(files.keySet(), Set.of()),
                message);
    }

    private PublishResult publish(
            Optional<String> base,
            String branch,
            Function<BranchView, ReportFiles> files,
            Ownership owned,
            CommitMessage message) {
        String ref = Refs.branch(branch);
        requireNotCheckedOut(ref);
        Set<ObjectId> pushed = new HashSet<>();
        Retry.Tries tries = retry.begin();
        while (true) {
            GitException why;
            try {
                Optional<PublishResult> result = attempt(base, ref, files, owned, message, pushed, tries.done());
                if (result.isPresent()) {
                    return result.get();
                }
                why = new GitException(
                        Kind.CONTENDED,
                        "others wrote to " + branch + " of " + repository.address() + " during each of " + tries.done()
                                + " tries");
            } catch (GitException e) {
                // A push over a broken connection may have worked: the next look at the branch shows it.
                if (e.kind() != Kind.UNREACHABLE) {
                    throw e;
                }
                why = e;
            }
            pauseOrThrow(tries, why);
        }
    }

    private void requireNotCheckedOut(String ref) {
        RepositoryAddress address = repository.address();
        if (address.isLocal() && LocalRepository.find(Path.of(address.path())).isCheckedOut(ref)) {
            throw new GitException(
                    Kind.PROTECTED,
                    ref + " is checked out in a work tree of " + address + ": switch to another branch");
        }
    }

    /// The remote that a publication does not reach: the repository is a clone of it on this machine.
    public Optional<String> cloneOf() {
        return repository.cloneOf();
    }

    /// The content without anything that looks like a key or a token.
    public byte[] withoutSecrets(byte[] content) {
        return SecretScan.without(content, repository.access());
    }

    /// One file of a branch; empty where there is no such branch or file.
    public Optional<byte[]> readReport(String branch, String path) {
        return new View(repository.branch(Refs.branch(branch))).file(path);
    }

    private static void pauseOrThrow(Retry.Tries tries, GitException why) {
        try {
            if (!tries.again()) {
                throw why;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw why;
        }
    }

    /// Empty when another writer was faster.
    private Optional<PublishResult> attempt(
            Optional<String> base,
            String ref,
            Function<BranchView, ReportFiles> files,
            Ownership owned,
            CommitMessage message,
            Set<ObjectId> pushed,
            int tries) {
        Optional<RevCommit> tip = repository.branch(ref);
        if (tip.filter(pushed::contains).isPresent()) {
            return Optional.of(new PublishResult.Published(tip.get().name(), tries));
        }
        if (base.isPresent() && tip.isPresent()) {
            return Optional.of(new PublishResult.Unchanged(tip.map(RevCommit::name)));
        }
        ReportFiles wanted = files.apply(new View(tip));
        wanted.files().keySet().forEach(path -> requireOwned(path, owned));
        wanted.following().ifPresent(last -> requireOwned(last.path(), owned));
        if (tip.isEmpty() && wanted.files().isEmpty()) {
            return Optional.of(new PublishResult.Unchanged(Optional.empty()));
        }
        Outcome outcome = repository.withStore(local -> {
            try {
                Optional<ObjectId> commit = write(local, parent(local, base, tip), wanted, owned, message);
                commit.ifPresent(pushed::add);
                return new Outcome(commit, commit.isPresent() && push(local, ref, commit.get(), tip), Optional.empty());
            } catch (BranchTree.Unrendered e) {
                return new Outcome(Optional.empty(), false, Optional.of(e.why()));
            }
        });
        if (outcome.unrendered().isPresent()) {
            throw outcome.unrendered().get();
        }
        if (outcome.commit().isEmpty()) {
            return Optional.of(new PublishResult.Unchanged(tip.map(RevCommit::name)));
        }
        return outcome.commit().filter(_ -> outcome.taken()).map(c -> new PublishResult.Published(c.name(), tries));
    }

    private Optional<RevCommit> parent(Repository local, Optional<String> base, Optional<RevCommit> tip)
            throws IOException {
        return base.isPresent()
                ? Optional.of(repository.available(local, ObjectId.fromString(base.get())))
                : repository.available(local, tip);
    }

    private record Outcome(Optional<ObjectId> commit, boolean taken, Optional<RuntimeException> unrendered) {}

    private static void requireOwned(String path, Ownership owned) {
        if (!owned.owns(path)) {
            throw new IllegalArgumentException("a report has no file at " + path);
        }
    }

    /// Empty when the tree is unchanged.
    private Optional<ObjectId> write(
            Repository local, Optional<RevCommit> tip, ReportFiles files, Ownership owned, CommitMessage message)
            throws IOException, BranchTree.Unrendered {
        try (ObjectInserter inserter = BranchTree.inserter(local, tip.isEmpty())) {
            ObjectId tree = BranchTree.write(inserter, local, tip, files, owned, this::requireNoSecret);
            if (tip.filter(t -> t.getTree().equals(tree)).isPresent()) {
                return Optional.empty();
            }
            ObjectId id = BranchTree.commit(
                    inserter, tree, tip, message, commit -> signer.ifPresent(key -> key.sign(local, commit)));
            inserter.flush();
            return Optional.of(id);
        }
    }

    private void requireNoSecret(String path, byte[] content) {
        SecretScan.requireNone(path, content, repository.access());
    }

    private boolean push(Repository local, String ref, ObjectId commit, Optional<RevCommit> tip) {
        ObjectId expected = tip.map(RevCommit::getId).orElse(ObjectId.zeroId());
        RemoteRefUpdate update = repository.remote().push(local, ref, commit, expected);
        if (update.getStatus() == RemoteRefUpdate.Status.REJECTED_NONFASTFORWARD) {
            // The branch is still at our base, and yet the parent cannot be read: it is missing.
            throw new GitException(Kind.CORRUPT, "the Git cache is damaged");
        }
        return switch (PushVerdict.of(update.getStatus(), String.valueOf(update.getMessage()))) {
            case DONE -> true;
            case AGAIN -> false;
            case PROTECTED ->
                throw new GitException(
                        Kind.PROTECTED,
                        repository.address() + " does not take commits to " + ref
                                + ": a branch rule or a hook declined it");
        };
    }

    private final class View implements BranchView {
        private final Optional<RevCommit> tip;

        View(Optional<RevCommit> tip) {
            this.tip = tip;
        }

        @Override
        public Optional<String> tip() {
            return tip.map(RevCommit::name);
        }

        @Override
        public Optional<byte[]> file(String path) {
            return repository.withStore(local -> {
                Optional<RevCommit> commit = repository.available(local, tip);
                return commit.isEmpty() ? Optional.empty() : BranchTree.file(local, commit.get(), path);
            });
        }
    }
}
