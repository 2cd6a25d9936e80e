package io.github.etcdgitops.git;

import io.github.etcdgitops.git.cache.CacheDirectory;
import io.github.etcdgitops.git.cache.CommitFinder;
import io.github.etcdgitops.git.cache.Refs;
import io.github.etcdgitops.git.cache.Store;
import io.github.etcdgitops.git.history.Ancestry;
import io.github.etcdgitops.git.history.History;
import io.github.etcdgitops.git.history.Lineage;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.remote.Remote;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.IsolatedReader;
import io.github.etcdgitops.git.repository.LocalRepository;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import io.github.etcdgitops.git.signature.AllowedSigners;
import io.github.etcdgitops.git.signature.CommitSignature;
import io.github.etcdgitops.git.signature.ReportSigner;
import io.github.etcdgitops.git.tree.DocumentsAhead;
import io.github.etcdgitops.git.tree.Scope;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.git.tree.TreeDigest;
import io.github.etcdgitops.git.tree.TreeLimits;
import io.github.etcdgitops.git.tree.TreeReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;

/// One repository, read through a bare cache on this machine. Every [#resolve] contacts the repository
/// itself; the cache only avoids sending data again. Safe for several threads, which take turns.
public final class GitRepository implements AutoCloseable {
    private final RepositoryAddress address;
    private final GitAccess access;
    private final Optional<AllowedSigners> signers;
    private final CacheDirectory cache;
    private final Remote remote;
    private final ReentrantLock turn = new ReentrantLock();
    private final CommitFinder finder;
    private final long most;
    private Repository store;

    /// Whether we created the cache: then what is not in it was left out, and is not lost.
    private boolean begun;

    private GitRepository(
            RepositoryAddress address,
            GitAccess access,
            Optional<AllowedSigners> signers,
            CacheDirectory cache,
            Remote remote,
            long most) {
        this.address = address;
        this.access = access;
        this.signers = signers;
        this.cache = cache;
        this.remote = remote;
        this.most = most;
        this.finder = new CommitFinder(address, remote);
        this.begun = !Store.isThere(cache);
        this.store = Store.open(cache, most);
    }

    /// Without checking signatures.
    public static GitRepository open(RepositoryAddress address, GitAccess access, Path cacheDir) {
        return open(address, access, Optional.empty(), cacheDir, Store.MOST_FETCHED);
    }

    /// The same with signatures, where `signers` are given.
    public static GitRepository open(
            RepositoryAddress address, GitAccess access, Optional<AllowedSigners> signers, Path cacheDir) {
        return open(address, access, signers, cacheDir, Store.MOST_FETCHED);
    }

    /// Checks the address and opens the cache below `cacheDir`; nothing is fetched yet. With `signers`,
    /// only commits signed by one of them are resolved or read; they are closed with the repository. One
    /// fetch takes at most `most` bytes. Throws [GitException].
    public static GitRepository open(
            RepositoryAddress address, GitAccess access, Optional<AllowedSigners> signers, Path cacheDir, long most) {
        IsolatedReader.install();
        var remote = new Remote(address, access, cacheDir.toAbsolutePath().resolve("nobody"));
        try {
            String key = TreeDigest.of(address.key()).substring(0, 32);
            return new GitRepository(address, access, signers, CacheDirectory.open(cacheDir, key), remote, most);
        } catch (RuntimeException e) {
            remote.close();
            throw e;
        }
    }

    /// The remote of this clone, by its name: what is written here does not reach it. Empty where this is
    /// not a clone on this machine, or has no remote.
    public Optional<String> cloneOf() {
        return address.isLocal() ? LocalRepository.find(Path.of(address.path())).remote() : Optional.empty();
    }

    public RepositoryAddress address() {
        return address;
    }

    public GitAccess access() {
        return access;
    }

    /// The current commit of a branch, a tag, a full ref (`refs/…`), `HEAD` or a whole commit id; in a
    /// repository on this machine, also of every other form that Git understands. A commit must be on a
    /// branch or a tag, or, in a clone on this machine, on one of its server's: hosts also serve commits
    /// that only a fork has.
    public String resolve(String ref) {
        String wanted = Refs.inLinkedWorkTree(address, ref).orElse(ref);
        var found = withStore(local -> finder.find(local, wanted));
        requireSigned(found.name());
        return found.name();
    }

    public SourceTree read(String commit) {
        return read(commit, Scope.STANDARD);
    }

    /// Our files at a commit that [#resolve] returned. Throws [GitException] EMPTY where there are none.
    public SourceTree read(String commit, Scope scope) {
        return read(commit, scope, TreeLimits.STANDARD, DocumentsAhead.NOTHING);
    }

    /// The same; `ahead` gets each document before the next one is read.
    public SourceTree read(String commit, DocumentsAhead ahead) {
        return read(commit, Scope.STANDARD, TreeLimits.STANDARD, ahead);
    }

    SourceTree read(String commit, Scope scope, TreeLimits limits, DocumentsAhead ahead) {
        ObjectId id = ObjectId.fromString(commit);
        requireSigned(commit);
        SourceTree tree = withStore(local -> TreeReader.read(local, available(local, id), begun, scope, limits, ahead));
        if (tree.documents().isEmpty() && tree.violations().isEmpty()) {
            throw new GitException(
                    Kind.EMPTY,
                    "commit " + commit + " of " + address + " has none of our files (" + scope
                            + "): is this the right repository?");
        }
        return tree;
    }

    /// Throws [GitException] SIGNERS where the signer of reports could sign what is read here.
    public void requireNotAllowed(ReportSigner reports) {
        signers.ifPresent(reports::requireNotAmong);
    }

    /// Whether commits must be signed here.
    public boolean asksForSignatures() {
        return signers.isPresent();
    }

    private void requireSigned(String id) {
        signers.ifPresent(allowed -> withStore(local -> {
            CommitSignature.require(local, available(local, ObjectId.fromString(id)), allowed, address);
            return id;
        }));
    }

    /// How a commit that [#resolve] has just returned descends from an earlier one. Fetches as much of the
    /// history as needed, up to a limit. Where signatures are required, throws [GitException] UNVERIFIED
    /// unless each commit since has a good one.
    public Lineage lineage(String earlier, String commit) {
        return lineage(earlier, commit, Ancestry.MOST);
    }

    Lineage lineage(String earlier, String commit, int most) {
        ObjectId tip = ObjectId.fromString(commit);
        return withHistory(tip, history -> {
            Lineage found = new Ancestry(history, ObjectId.fromString(earlier), tip).find(most);
            if (found instanceof Lineage.Descends(List<String> since) && signers.isPresent()) {
                history.requireSigned(since, signers.get(), address);
            }
            return found;
        });
    }

    /// Our files at an earlier commit than the one that [#resolve] has just returned. Empty where the
    /// fetched history does not have it.
    public Optional<SourceTree> earlier(String earlier, String commit) {
        ObjectId wanted = ObjectId.fromString(earlier);
        return withHistory(ObjectId.fromString(commit), history -> {
            var store = history.having(wanted);
            for (int i = 0; store.isEmpty() && i < Ancestry.DEPTHS.size(); i++) {
                history.deepen(Ancestry.DEPTHS.get(i));
                store = history.having(wanted);
            }
            return store.isEmpty()
                    ? Optional.empty()
                    : Optional.of(TreeReader.read(
                            store.get(),
                            Store.commit(store.get(), wanted),
                            true,
                            Scope.STANDARD,
                            TreeLimits.STANDARD,
                            DocumentsAhead.NOTHING));
        });
    }

    /// The history before a resolved commit.
    public <T> T withHistory(ObjectId tip, History.Work<T> work) {
        return withStore(local -> {
            available(local, tip);
            try (var history = new History(local, cache, remote, finder.origin(tip), most)) {
                return work.run(history);
            }
        });
    }

    /// The signer of a commit, where signatures are required and the signer is known.
    public Optional<String> signer(RevCommit commit) {
        return signers.flatMap(allowed -> CommitSignature.signer(store, commit, allowed));
    }

    /// The newest commit of a branch, fetched; empty where there is no such branch.
    public Optional<RevCommit> branch(String fullName) {
        return withStore(local -> finder.branch(local, fullName));
    }

    /// Asks whether the server would accept a push from us, and pushes nothing. Protection rules of a
    /// single branch do not show this way. Throws [GitException].
    public void requirePushOffered() {
        withStore(local -> {
            remote.offerPush(local);
            return true;
        });
    }

    public Remote remote() {
        return remote;
    }

    /// Only within [#withStore].
    public Optional<RevCommit> available(Repository local, Optional<RevCommit> commit) throws IOException {
        return commit.isEmpty()
                ? commit
                : Optional.of(available(local, commit.get().getId()));
    }

    /// The same for a commit that was resolved.
    public RevCommit available(Repository local, ObjectId id) throws IOException {
        return finder.available(local, id);
    }

    /// Runs work on the cache, and once more on a new one where the first was damaged. The work fetches
    /// what it needs.
    public <T> T withStore(Store.Work<T> work) {
        turn.lock();
        try {
            try {
                return work.run(store);
            } catch (GitException e) {
                if (e.kind() != Kind.CORRUPT) {
                    throw e;
                }
            } catch (IOException | RuntimeException _) {
                // JGit throws many kinds of exceptions for damaged files. The second attempt throws any
                // other problem.
            }
            store.close();
            cache.clear();
            store = Store.open(cache, most);
            begun = true;
            try {
                return work.run(store);
            } catch (GitException e) {
                throw e;
            } catch (IOException | RuntimeException e) {
                throw new GitException(Kind.CORRUPT, "objects that came from " + address + " cannot be read", e);
            }
        } finally {
            turn.unlock();
        }
    }

    @Override
    public void close() {
        turn.lock();
        try {
            store.close();
            cache.close();
            remote.close();
            signers.ifPresent(AllowedSigners::close);
        } finally {
            turn.unlock();
        }
    }
}
