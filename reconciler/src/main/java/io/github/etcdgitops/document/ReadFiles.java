package io.github.etcdgitops.document;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The files that a command has read so far. Two revisions of a repository have most files in common: one that says the
/// same under the same name is read once for both. It keeps the documents of all its files, so it is dropped when both
/// revisions are read.
public final class ReadFiles {
    private final Map<String, Read> files = new ConcurrentHashMap<>();

    private static final class Read {
        private final byte[] bytes;
        private final boolean inFolders;
        private final Taken taken;

        Read(String file, byte[] bytes, boolean inFolders) {
            this.bytes = bytes;
            this.inFolders = inFolders;
            this.taken = Taken.of(file, bytes, inFolders);
        }

        boolean isOf(byte[] other, boolean theirs) {
            return inFolders == theirs && Arrays.equals(bytes, other);
        }
    }

    Taken read(String file, byte[] bytes, boolean inFolders) {
        var known = files.get(file);
        if (known == null || !known.isOf(bytes, inFolders)) {
            known = new Read(file, bytes, inFolders);
            files.put(file, known);
        }
        return known.taken;
    }
}
