package io.github.etcdgitops.document;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The files that a command has read so far. Two revisions of a repository share most of their files; a file with the
/// same name and the same bytes is read once for both. This keeps the documents of all these files in memory, so drop
/// it when both revisions are read.
public final class ReadFiles {
    private final Map<String, Kept> files = new ConcurrentHashMap<>();

    private static final class Kept {
        private final byte[] bytes;
        private final boolean inFolders;
        private final ReadFile read;

        Kept(String file, byte[] bytes, boolean inFolders) {
            this.bytes = bytes;
            this.inFolders = inFolders;
            this.read = ReadFile.of(file, bytes, inFolders);
        }

        boolean isOf(byte[] other, boolean theirs) {
            return inFolders == theirs && Arrays.equals(bytes, other);
        }
    }

    ReadFile read(String file, byte[] bytes, boolean inFolders) {
        var known = files.get(file);
        if (known == null || !known.isOf(bytes, inFolders)) {
            known = new Kept(file, bytes, inFolders);
            files.put(file, known);
        }
        return known.read;
    }
}
