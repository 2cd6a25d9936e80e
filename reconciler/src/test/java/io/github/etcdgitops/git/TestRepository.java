package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.git.repository.IsolatedReader;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.TagBuilder;
import org.eclipse.jgit.lib.TreeFormatter;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.treewalk.TreeWalk;

/// A real repository, written object by object, so that it can hold what `git` itself would not make.
final class TestRepository implements AutoCloseable {
    static final PersonIdent SOMEBODY =
            new PersonIdent("Somebody", "somebody@example.org", Instant.ofEpochSecond(1_700_000_000), ZoneOffset.UTC);

    /// One line of a tree, as given: no name is checked.
    record Entry(String latin1, FileMode mode, ObjectId id) {
        Entry(byte[] name, FileMode mode, ObjectId id) {
            this(new String(name, ISO_8859_1), mode, id);
        }

        byte[] name() {
            return latin1.getBytes(ISO_8859_1);
        }
    }

    final Repository repository;
    final Path path;

    private TestRepository(Repository repository, Path path) {
        this.repository = repository;
        this.path = path;
    }

    static TestRepository bare(Path path) {
        IsolatedReader.install();
        try {
            Repository repository = new FileRepositoryBuilder()
                    .setGitDir(path.toFile())
                    .setBare()
                    .setInitialBranch("main")
                    .build();
            repository.create(true);
            return new TestRepository(repository, path);
        } catch (IOException | org.eclipse.jgit.api.errors.InvalidRefNameException e) {
            throw new IllegalStateException(e);
        }
    }

    RepositoryAddress address() {
        return RepositoryAddress.parse(path.toString(), Path.of("/"));
    }

    ObjectId blob(byte[] content) {
        return insert(i -> i.insert(Constants.OBJ_BLOB, content));
    }

    ObjectId blob(String content) {
        return blob(content.getBytes(UTF_8));
    }

    Entry file(String name, String content) {
        return new Entry(name.getBytes(UTF_8), FileMode.REGULAR_FILE, blob(content));
    }

    Entry folder(String name, Entry... entries) {
        return new Entry(name.getBytes(UTF_8), FileMode.TREE, tree(entries));
    }

    ObjectId tree(Entry... entries) {
        var sorted = new ArrayList<>(List.of(entries));
        sorted.sort((a, b) -> Arrays.compareUnsigned(key(a), key(b)));
        var tree = new TreeFormatter();
        sorted.forEach(e -> tree.append(e.name(), 0, e.name().length, e.mode(), e.id(), true));
        return insert(i -> i.insert(tree));
    }

    private static byte[] key(Entry entry) {
        if (!FileMode.TREE.equals(entry.mode())) {
            return entry.name();
        }
        byte[] withSlash = Arrays.copyOf(entry.name(), entry.name().length + 1);
        withSlash[entry.name().length] = '/';
        return withSlash;
    }

    ObjectId files(Map<String, String> files) {
        Map<String, Map<String, String>> folders = new TreeMap<>();
        var entries = new ArrayList<Entry>();
        files.forEach((path, content) -> {
            int slash = path.indexOf('/');
            if (slash < 0) {
                entries.add(file(path, content));
            } else {
                folders.computeIfAbsent(path.substring(0, slash), _ -> new TreeMap<>())
                        .put(path.substring(slash + 1), content);
            }
        });
        folders.forEach((name, inner) -> entries.add(new Entry(name.getBytes(UTF_8), FileMode.TREE, files(inner))));
        return tree(entries.toArray(Entry[]::new));
    }

    String commit(String ref, ObjectId tree) {
        return commit(ref, tree, _ -> {});
    }

    /// `last` may change the commit before it is written: sign it, give it other parents.
    String commit(String ref, ObjectId tree, Consumer<CommitBuilder> last) {
        try {
            var commit = new CommitBuilder();
            commit.setTreeId(tree);
            tip(ref).ifPresent(t -> commit.setParentId(ObjectId.fromString(t)));
            commit.setAuthor(SOMEBODY);
            commit.setCommitter(SOMEBODY);
            commit.setMessage("A change\n");
            last.accept(commit);
            ObjectId id = insert(i -> i.insert(commit));
            set(ref, id);
            return id.name();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Bytes as they are, whatever they say.
    String rawCommit(String ref, byte[] commit) throws IOException {
        ObjectId id = insert(i -> i.insert(Constants.OBJ_COMMIT, commit));
        set(ref, id);
        return id.name();
    }

    byte[] raw(String commit) throws IOException {
        return repository.open(ObjectId.fromString(commit)).getBytes();
    }

    void set(String ref, ObjectId id) throws IOException {
        RefUpdate update = repository.updateRef(ref);
        update.setNewObjectId(id);
        update.forceUpdate();
    }

    void annotatedTag(String name, ObjectId target, int type) throws IOException {
        var tag = new TagBuilder();
        tag.setTag(name);
        tag.setObjectId(target, type);
        tag.setTagger(SOMEBODY);
        tag.setMessage("tagged\n");
        set("refs/tags/" + name, insert(i -> i.insert(tag)));
    }

    Optional<String> tip(String ref) throws IOException {
        Ref found = repository.exactRef(ref);
        return found == null || found.getObjectId() == null
                ? Optional.empty()
                : Optional.of(found.getObjectId().name());
    }

    /// Newest first; fails on a merge.
    List<RevCommit> history(String ref) throws IOException {
        var commits = new ArrayList<RevCommit>();
        try (var walk = new RevWalk(repository)) {
            RevCommit next = walk.parseCommit(ObjectId.fromString(tip(ref).orElseThrow()));
            while (next != null) {
                walk.parseBody(next);
                commits.add(next);
                if (next.getParentCount() > 1) {
                    throw new AssertionError("a merge: " + next.name());
                }
                next = next.getParentCount() == 0 ? null : walk.parseCommit(next.getParent(0));
            }
        }
        return commits;
    }

    /// Path → mode, object id and content of a commit.
    Map<String, String> contents(String ref) throws IOException {
        var found = new TreeMap<String, String>();
        try (var walk = new TreeWalk(repository)) {
            walk.addTree(history(ref).getFirst().getTree());
            walk.setRecursive(true);
            while (walk.next()) {
                String content = FileMode.GITLINK.equals(walk.getFileMode(0))
                        ? ""
                        : new String(repository.open(walk.getObjectId(0)).getBytes(), UTF_8);
                found.put(walk.getPathString(), walk.getFileMode(0) + " " + content);
            }
        }
        return found;
    }

    private ObjectId insert(Insertion insertion) {
        try (ObjectInserter inserter = repository.newObjectInserter()) {
            ObjectId id = insertion.into(inserter);
            inserter.flush();
            return id;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        repository.close();
    }

    private interface Insertion {
        ObjectId into(ObjectInserter inserter) throws IOException;
    }
}
