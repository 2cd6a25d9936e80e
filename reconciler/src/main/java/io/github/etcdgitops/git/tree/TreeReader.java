package io.github.etcdgitops.git.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;

/// The tree of a commit, from the object store.
public final class TreeReader {
    private TreeReader() {}

    /// `leftOut` says that files missing in the store were too large to fetch.
    public static SourceTree read(
            Repository store, RevCommit commit, boolean leftOut, Scope scope, TreeLimits limits, DocumentsAhead ahead)
            throws IOException {
        try (ObjectReader objects = store.newObjectReader()) {
            var source = new Source(objects, leftOut);
            return TreeIntake.read(commit.name(), () -> entries(source, commit.getTree()), scope, limits, ahead);
        }
    }

    private record Source(ObjectReader objects, boolean leftOut) {}

    private static Optional<Iterator<TreeEntry>> entries(Source source, AnyObjectId tree) throws IOException {
        TreeShape.check(source.objects(), tree);
        var parser = new CanonicalTreeParser();
        parser.reset(source.objects(), tree);
        return Optional.of(new Iterator<>() {
            @Override
            public boolean hasNext() {
                return !parser.eof();
            }

            @Override
            public TreeEntry next() {
                var entry = entry(source, parser);
                parser.next(1);
                return entry;
            }
        });
    }

    private static TreeEntry entry(Source source, CanonicalTreeParser parser) {
        byte[] raw = new byte[parser.getNameLength()];
        parser.getName(raw, 0);
        String name = new String(raw, ISO_8859_1);
        ObjectId id = parser.getEntryObjectId();
        FileMode mode = parser.getEntryFileMode();
        if (FileMode.TREE.equals(mode)) {
            return new TreeEntry.Folder(name, () -> entries(source, id));
        }
        if (FileMode.REGULAR_FILE.equals(mode) || FileMode.EXECUTABLE_FILE.equals(mode)) {
            return new TreeEntry.File(name, FileMode.EXECUTABLE_FILE.equals(mode), new Blob(source, id));
        }
        return new TreeEntry.Other(
                name,
                FileMode.SYMLINK.equals(mode)
                        ? TreeEntry.What.LINK
                        : FileMode.GITLINK.equals(mode) ? TreeEntry.What.SUBMODULE : TreeEntry.What.SPECIAL);
    }

    private record Blob(Source source, ObjectId id) implements TreeEntry.Content {
        @Override
        public long size() throws IOException {
            return source.leftOut() && !source.objects().has(id)
                    ? Long.MAX_VALUE
                    : source.objects().getObjectSize(id, Constants.OBJ_BLOB);
        }

        @Override
        public Optional<byte[]> read(int most) throws IOException {
            return Optional.of(source.objects().open(id, Constants.OBJ_BLOB).getCachedBytes(most));
        }
    }
}
