package io.github.etcdgitops.git.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.ZoneOffset.UTC;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheBuilder;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.internal.storage.file.ObjectDirectory;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.jspecify.annotations.Nullable;

/// Reads and writes trees of a branch only in the object store.
public final class BranchTree {
    /// In bytes. The largest file of a report, its page, has some two thousand for each ring.
    public static final int LARGEST_READ = 32 << 20;

    private BranchTree() {}

    /// A file larger than any report is not ours, and counts as absent: the next report replaces it.
    static Optional<byte[]> file(Repository store, RevCommit tip, String path) throws IOException {
        try (TreeWalk walk = TreeWalk.forPath(store, path, tip.getTree())) {
            if (walk == null || !FileMode.REGULAR_FILE.equals(walk.getFileMode(0))) {
                return Optional.empty();
            }
            var content = store.open(walk.getObjectId(0), Constants.OBJ_BLOB);
            return content.getSize() > LARGEST_READ
                    ? Optional.empty()
                    : Optional.of(content.getCachedBytes(LARGEST_READ));
        }
    }

    /// A file of a report could not be rendered; the store is not to blame.
    static final class Unrendered extends Exception {
        private static final long serialVersionUID = 1;

        private final RuntimeException why;

        Unrendered(RuntimeException why) {
            super(why);
            this.why = why;
        }

        RuntimeException why() {
            return why;
        }
    }

    /// The tree of `tip` with our files in place of our former ones, everything else unchanged. `beforeNew`
    /// gets each new or changed file, and may throw.
    static ObjectId write(
            ObjectInserter inserter,
            Repository store,
            Optional<RevCommit> tip,
            ReportFiles files,
            Ownership owned,
            BiConsumer<String, byte[]> beforeNew)
            throws IOException, Unrendered {
        DirCache cache = DirCache.newInCore();
        DirCacheBuilder builder = cache.builder();
        Map<String, ObjectId> there = new HashMap<>();
        if (tip.isPresent()) {
            keepForeign(builder, store, tip.get(), owned, there);
        }
        boolean changed = false;
        for (var file : files.files().entrySet()) {
            String path = file.getKey();
            ObjectId id = written(inserter, path, file.getValue(), there.get(path), files.clean(), beforeNew);
            changed |= !id.equals(there.get(path));
            add(builder, path, id);
        }
        if (files.following().isPresent()) {
            var last = files.following().get();
            ObjectId known = there.get(last.path());
            add(
                    builder,
                    last.path(),
                    changed || known == null
                            ? written(inserter, last.path(), last.content(), known, files.clean(), beforeNew)
                            : known);
        }
        builder.finish();
        return cache.writeTree(inserter);
    }

    private static void add(DirCacheBuilder builder, String path, ObjectId id) {
        var entry = new DirCacheEntry(path);
        entry.setFileMode(FileMode.REGULAR_FILE);
        entry.setObjectId(id);
        builder.add(entry);
    }

    private static ObjectId written(
            ObjectInserter inserter,
            String path,
            Supplier<byte[]> content,
            @Nullable ObjectId known,
            BiFunction<String, byte[], byte[]> clean,
            BiConsumer<String, byte[]> beforeNew)
            throws IOException, Unrendered {
        byte[] rendered = rendered(content);
        ObjectId id = inserter.idFor(Constants.OBJ_BLOB, rendered);
        if (id.equals(known)) {
            return id;
        }
        byte[] wanted = clean.apply(path, rendered);
        id = inserter.idFor(Constants.OBJ_BLOB, wanted);
        if (!id.equals(known)) {
            beforeNew.accept(path, wanted);
            inserter.insert(Constants.OBJ_BLOB, wanted);
        }
        return id;
    }

    private static byte[] rendered(Supplier<byte[]> content) throws Unrendered {
        try {
            return content.get();
        } catch (RuntimeException e) {
            throw new Unrendered(e);
        }
    }

    private static void keepForeign(
            DirCacheBuilder builder, Repository store, RevCommit tip, Ownership owned, Map<String, ObjectId> there)
            throws IOException {
        try (var walk = new TreeWalk(store)) {
            walk.setRecursive(true);
            walk.addTree(tip.getTree());
            while (walk.next()) {
                String path = walk.getPathString();
                ObjectId id = walk.getObjectId(0);
                if (owned.displaces(path)) {
                    there.put(path, id);
                } else {
                    var entry = new DirCacheEntry(walk.getRawPath());
                    entry.setFileMode(walk.getFileMode(0));
                    entry.setObjectId(id);
                    builder.add(entry);
                }
            }
        }
    }

    /// The first publication of a large fleet has tens of thousands of files: one pack is much quicker to
    /// write than as many loose objects.
    static ObjectInserter inserter(Repository store, boolean many) {
        return many && store.getObjectDatabase() instanceof ObjectDirectory files
                ? files.newPackInserter()
                : store.newObjectInserter();
    }

    static ObjectId commit(
            ObjectInserter inserter,
            ObjectId tree,
            Optional<RevCommit> parent,
            CommitMessage message,
            Consumer<CommitBuilder> signing)
            throws IOException {
        var author = new PersonIdent(message.author().name(), message.author().email(), message.at(), UTC);
        var commit = new CommitBuilder();
        commit.setTreeId(tree);
        parent.ifPresent(commit::setParentId);
        commit.setAuthor(author);
        commit.setCommitter(author);
        commit.setEncoding(UTF_8);
        commit.setMessage(message.render());
        signing.accept(commit);
        return inserter.insert(commit);
    }
}
