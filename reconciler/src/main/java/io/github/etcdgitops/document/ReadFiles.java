package io.github.etcdgitops.document;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/// The files that a command has read so far. Two revisions of a repository share most of their files; a file with the
/// same name and the same bytes is read once for both. This keeps the documents of all these files in memory, so drop
/// it when both revisions are read.
public final class ReadFiles {
    private final Map<String, Kept> files = new ConcurrentHashMap<>();

    private static final class Kept {
        private final String file;
        private final byte[] bytes;
        private final boolean inFolders;

        @Nullable
        private ReadFile read;

        Kept(String file, byte[] bytes, boolean inFolders) {
            this.file = file;
            this.bytes = bytes;
            this.inFolders = inFolders;
        }

        boolean isOf(byte[] other, boolean theirs) {
            return inFolders == theirs && Arrays.equals(bytes, other);
        }

        /// Whoever comes first reads; the others wait.
        synchronized ReadFile read() {
            if (read == null) {
                read = ReadFile.of(file, bytes, inFolders);
            }
            return read;
        }
    }

    /// Begins to read a file of a repository on another processor, for `read` to find it read: the files of a
    /// repository are checked while the next ones are fetched from the disk.
    public void begin(String file, byte[] bytes) {
        ForkJoinPool.commonPool().execute(kept(file, bytes, true)::read);
    }

    ReadFile read(String file, byte[] bytes, boolean inFolders) {
        return kept(file, bytes, inFolders).read();
    }

    private Kept kept(String file, byte[] bytes, boolean inFolders) {
        var known = files.get(file);
        if (known == null || !known.isOf(bytes, inFolders)) {
            known = new Kept(file, bytes, inFolders);
            files.put(file, known);
        }
        return known;
    }
}
