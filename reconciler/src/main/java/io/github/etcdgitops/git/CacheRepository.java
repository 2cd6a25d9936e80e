package io.github.etcdgitops.git;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.time.Duration;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.BaseRepositoryBuilder;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.transport.PackParser;

/// The bare repository in a cache. A server that cannot leave large files out sends as much as somebody has committed,
/// as slowly as it likes: one fetch takes so many bytes and so long, and leaves nothing behind where it ends early.
final class CacheRepository extends FileRepository {
    private final long most;
    private final Duration longest;

    CacheRepository(BaseRepositoryBuilder<?, ?> builder, long most, Duration longest) throws IOException {
        super(builder);
        this.most = most;
        this.longest = longest;
    }

    @Override
    public ObjectInserter newObjectInserter() {
        var inserter = super.newObjectInserter();
        return new ObjectInserter.Filter() {
            @Override
            protected ObjectInserter delegate() {
                return inserter;
            }

            @Override
            public PackParser newPackParser(InputStream in) throws IOException {
                return inserter.newPackParser(new Bounded(in));
            }
        };
    }

    /// The server sent more than is taken.
    static final class TooMuch extends IOException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final long most;

        private TooMuch(long most) {
            super("more than " + most + " bytes");
            this.most = most;
        }

        long most() {
            return most;
        }
    }

    private final class Bounded extends FilterInputStream {
        private final Deadline deadline = Deadline.after(longest);
        private long left = most;

        Bounded(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            return counted(super.read(), 1);
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = super.read(buffer, offset, length);
            return counted(count, count);
        }

        private int counted(int result, int count) throws IOException {
            if (result >= 0) {
                left -= count;
            }
            if (left < 0) {
                throw new TooMuch(most);
            }
            if (deadline.isCancelled()) {
                throw new IOException("it takes too long");
            }
            return result;
        }
    }
}
