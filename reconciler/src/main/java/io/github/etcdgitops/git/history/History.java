package io.github.etcdgitops.git.history;

import io.github.etcdgitops.git.cache.CacheDirectory;
import io.github.etcdgitops.git.cache.Refs;
import io.github.etcdgitops.git.cache.Store;
import io.github.etcdgitops.git.remote.Remote;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import io.github.etcdgitops.git.signature.AllowedSigners;
import io.github.etcdgitops.git.signature.CommitSignature;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.transport.RefSpec;
import org.jspecify.annotations.Nullable;

/// Commits from a cache that has only the newest one, and as many earlier ones as requested.
///
/// The earlier ones go into a separate repository, from the start each time. With many commits in common
/// with a server that uses the older protocol, as a local one does, a fetch to a depth fails: JGit mistakes
/// what the server says about the depth for an answer about common commits.
public final class History implements AutoCloseable {
    private final Repository local;
    private final CacheDirectory cache;
    private final Remote remote;
    private final Optional<String> origin;
    private final long most;
    private @Nullable Repository deep;

    /// Work with the history before a commit.
    @FunctionalInterface
    public interface Work<T> {
        T run(History history) throws IOException;
    }

    /// `origin` is the ref whose history is meant. For a commit that is not the newest of a ref, the whole
    /// history is here.
    public History(Repository local, CacheDirectory cache, Remote remote, Optional<String> origin, long most) {
        this.local = local;
        this.cache = cache;
        this.remote = remote;
        this.origin = origin;
        this.most = most;
    }

    public void deepen(int depth) {
        if (origin.isEmpty()) {
            return;
        }
        close();
        Repository fresh = Store.create(cache.history(), most);
        deep = fresh;
        var spec = new RefSpec("+" + origin.get() + ":" + Refs.tracking(origin.get()));
        remote.fetch(fresh, List.of(spec), depth, false);
    }

    /// The store with the most history before this commit.
    public Repository store(ObjectId tip) throws IOException {
        Repository fetched = deep;
        return fetched != null && fetched.getObjectDatabase().has(tip) ? fetched : local;
    }

    /// The store that has a commit with all its files.
    public Optional<Repository> having(ObjectId id) throws IOException {
        for (var store : deep == null ? List.of(local) : List.of(local, deep)) {
            if (store.getObjectDatabase().has(id)) {
                return Optional.of(store);
            }
        }
        return Optional.empty();
    }

    /// Parsed separately: within a repository, a commit at the cut-off seems to have no parents. Empty
    /// where it was not fetched.
    public Optional<RevCommit> find(ObjectId id) throws IOException {
        var store = having(id);
        return store.isEmpty()
                ? Optional.empty()
                : Optional.of(RevCommit.parse(
                        store.get().open(id, Constants.OBJ_COMMIT).getCachedBytes()));
    }

    /// Throws [GitException] UNVERIFIED unless each of these existing commits has a good signature.
    public void requireSigned(List<String> commits, AllowedSigners signers, RepositoryAddress address)
            throws IOException {
        for (String commit : commits) {
            RevCommit found = find(ObjectId.fromString(commit))
                    .orElseThrow(() -> new IOException("a commit is missing in the cache"));
            CommitSignature.require(local, found, signers, address);
        }
    }

    @Override
    public void close() {
        if (deep != null) {
            deep.close();
            deep = null;
        }
        cache.clearHistory();
    }
}
