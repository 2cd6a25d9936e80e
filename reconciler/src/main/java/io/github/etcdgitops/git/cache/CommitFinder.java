package io.github.etcdgitops.git.cache;

import io.github.etcdgitops.git.remote.Remote;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.transport.RefSpec;

/// Finds commits by their names, and fetches them into a cache.
public final class CommitFinder {
    private final RepositoryAddress address;
    private final Remote remote;
    private final Map<ObjectId, String> origins = new HashMap<>();

    public CommitFinder(RepositoryAddress address, Remote remote) {
        this.address = address;
        this.remote = remote;
    }

    /// The ref that led to a commit.
    public Optional<String> origin(ObjectId commit) {
        return Optional.ofNullable(origins.get(commit));
    }

    public RevCommit find(Repository local, String wanted) throws IOException {
        return ObjectId.isId(wanted) ? byId(local, wanted) : named(local, wanted);
    }

    /// The newest commit of a branch, with all its files; empty where there is no such branch.
    public Optional<RevCommit> branch(Repository local, String fullName) throws IOException {
        ObjectId advertised = remote.list(local, List.of(fullName)).get(fullName);
        if (advertised == null) {
            return Optional.empty();
        }
        RevCommit tip = Store.commit(local, fetchTip(local, fullName, advertised, true));
        origins.put(tip.getId(), fullName);
        return Optional.of(tip);
    }

    private RevCommit named(Repository local, String ref) throws IOException {
        SortedMap<String, ObjectId> found =
                Refs.mayBeName(ref) ? remote.list(local, Refs.candidates(ref)) : new TreeMap<>();
        if (found.isEmpty()) {
            if (remote.list(local, List.of()).isEmpty()) {
                throw new GitException(Kind.EMPTY, "the repository at " + address + " has no commit yet");
            }
            return byId(local, Revision.commit(address, ref).name());
        }
        RevCommit first = null;
        for (var entry : found.entrySet()) {
            RevCommit commit = Store.commit(local, fetchTip(local, entry.getKey(), entry.getValue(), false));
            origins.put(commit.getId(), entry.getKey());
            if (first != null && !first.equals(commit)) {
                throw new GitException(
                        Kind.NO_SUCH_REF,
                        "'" + ref + "' is a branch and also a tag in " + address
                                + ", with different commits: write refs/heads/… or refs/tags/…");
            }
            first = commit;
        }
        return Objects.requireNonNull(first);
    }

    private RevCommit byId(Repository local, String id) throws IOException {
        ObjectId wanted = ObjectId.fromString(id);
        var tips = remote.list(local, List.of());
        for (var tip : tips.entrySet()) {
            if (Refs.counts(address, tip.getKey()) && tip.getValue().equals(wanted)) {
                origins.put(wanted, tip.getKey());
                return Store.commit(local, fetchTip(local, tip.getKey(), wanted, false));
            }
        }
        remote.fetch(local, Refs.all(address, tips.containsKey(Constants.HEAD)), Constants.INFINITE_DEPTH, true);
        if (!Store.isReachable(local, wanted, Refs.ALL)) {
            throw new GitException(Kind.NO_SUCH_REF, "no branch and no tag of " + address + " has the commit " + id);
        }
        return Store.commit(local, wanted);
    }

    /// A commit that was resolved before, fetched again where the cache was deleted since.
    public RevCommit available(Repository local, ObjectId id) throws IOException {
        if (!local.getObjectDatabase().has(id)) {
            String origin = origins.get(id);
            ObjectId tip =
                    origin == null ? null : remote.list(local, List.of(origin)).get(origin);
            if (origin != null && tip != null) {
                fetchTip(local, origin, tip, false);
            }
        }
        return local.getObjectDatabase().has(id) ? Store.commit(local, id) : byId(local, id.name());
    }

    /// A `whole` fetch includes large files: reports may be large.
    private ObjectId fetchTip(Repository local, String name, ObjectId advertised, boolean whole) throws IOException {
        String tracking = Refs.tracking(name);
        Ref known = local.exactRef(tracking);
        if (known == null || !advertised.equals(known.getObjectId()) || !Store.has(local, advertised)) {
            var spec = new RefSpec("+" + name + ":" + tracking);
            if (whole) {
                remote.fetchWhole(local, spec);
            } else {
                remote.fetch(local, List.of(spec), 1, false);
            }
            known = local.exactRef(tracking);
        }
        if (known == null || known.getObjectId() == null) {
            throw new GitException(Kind.CORRUPT, "what was fetched of " + address + " is not in the cache");
        }
        return known.getObjectId();
    }
}
