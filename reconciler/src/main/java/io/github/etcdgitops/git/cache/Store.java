package io.github.etcdgitops.git.cache;

import io.github.etcdgitops.git.remote.Remote;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevObject;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/// The bare repository in a cache.
public final class Store {
    /// Every fetch adds a pack, and looking up an object reads each. Fetching everything again is simpler
    /// than repacking.
    private static final int MOST_PACKS = 100;

    /// Bytes of one fetch. The volume of the cache in a pod has room for two.
    public static final long MOST_FETCHED = 512L << 20;

    private Store() {}

    /// Work with the cache, which may find it damaged.
    @FunctionalInterface
    public interface Work<T> {
        T run(Repository local) throws IOException;
    }

    public static boolean isThere(CacheDirectory cache) {
        return Files.exists(cache.repository());
    }

    public static Repository open(CacheDirectory cache, long most) {
        Path path = cache.repository();
        try {
            if (isUsable(path)) {
                return build(path, most);
            }
        } catch (IOException | RuntimeException _) {
            // Damaged: it is recreated.
        }
        cache.clear();
        return create(path, most);
    }

    public static Repository create(Path path, long most) {
        try {
            Repository created = build(path, most);
            created.create(true);
            return created;
        } catch (IOException | RuntimeException e) {
            throw new GitException(
                    Kind.CACHE, "the folder for the Git cache cannot be used: is it writable, and not full?", e);
        }
    }

    private static Repository build(Path path, long most) throws IOException {
        var settings =
                new FileRepositoryBuilder().setGitDir(path.toFile()).setBare().setup();
        return new CacheRepository(settings, most, Remote.TRANSFER_LIMIT);
    }

    private static boolean isUsable(Path path) throws IOException {
        Path packs = path.resolve("objects/pack");
        if (!Files.exists(path.resolve("HEAD")) || !Files.exists(path.resolve("config")) || !Files.isDirectory(packs)) {
            return false;
        }
        try (var files = Files.list(packs)) {
            return files.filter(p -> p.toString().endsWith(".pack")).count() <= MOST_PACKS;
        }
    }

    /// `has` alone trusts the index of a pack: this opens the pack.
    static boolean has(Repository local, AnyObjectId id) throws IOException {
        return local.getObjectDatabase().has(id) && local.open(id).getSize() > 0;
    }

    /// The commit itself, or the one that an annotated tag points to.
    public static RevCommit commit(Repository local, AnyObjectId id) throws IOException {
        try (var walk = new RevWalk(local)) {
            RevObject object = walk.peel(walk.parseAny(id));
            if (object instanceof RevCommit commit) {
                walk.parseBody(commit);
                return commit;
            }
        }
        throw new GitException(Kind.NO_SUCH_REF, id.name() + " is not a commit");
    }

    static boolean isReachable(Repository local, ObjectId id, String refs) throws IOException {
        try (var walk = new RevWalk(local)) {
            RevCommit wanted = walk.parseCommit(id);
            List<RevCommit> tips = new ArrayList<>();
            for (Ref ref : local.getRefDatabase().getRefsByPrefix(refs)) {
                if (walk.peel(walk.parseAny(ref.getObjectId())) instanceof RevCommit tip) {
                    tips.add(tip);
                }
            }
            return walk.getObjectReader()
                    .createReachabilityChecker(walk)
                    .areAllReachable(List.of(wanted), tips.stream())
                    .isEmpty();
        } catch (MissingObjectException e) {
            if (e.getObjectId().equals(id)) {
                return false;
            }
            throw e;
        } catch (IncorrectObjectTypeException _) {
            return false;
        }
    }
}
