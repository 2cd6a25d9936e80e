package io.github.etcdgitops.gateway.etcd.call;

import io.grpc.Deadline;
import java.io.IOException;

/// The bytes of one connection. For one thread, whose interrupt ends each wait.
interface Wire extends AutoCloseable {
    /// Waits until there is something. -1 at the end; SocketTimeoutException when the time is up.
    int read(byte[] into, int offset, int length, Deadline deadline) throws IOException;

    /// The next read tells why a write failed: what the server said before it hung up is still to be read.
    void write(byte[] from, int length) throws IOException;

    @Override
    void close();
}
