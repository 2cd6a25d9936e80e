package io.github.etcdgitops.git.cache;

import io.github.etcdgitops.gateway.bounded.BoundedStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.BaseRepositoryBuilder;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.transport.PackParser;

/// The bare repository in a cache. A server that cannot leave out large files sends as much as was
/// committed, as slowly as it likes. So one fetch has a limit of bytes and time, and leaves nothing behind
/// where it ends early.
public final class CacheRepository extends FileRepository {
    private final long most;
    private final Duration longest;

    public CacheRepository(BaseRepositoryBuilder<?, ?> builder, long most, Duration longest) throws IOException {
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
                return inserter.newPackParser(new BoundedStream(in, most, longest));
            }
        };
    }
}
