package io.github.etcdgitops.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongConsumer;

/// The container that waits for a snapshot in the pod of a restore or a drill. It takes the one content that
/// its arguments name, so that it needs no credentials, and nothing else can be put into its volume.
@FunctionalInterface
public interface SnapshotReceiver {
    int PORT = 2390;

    /// Sends `bytes`, of which `content.size()` are read, on the calling thread, and returns when the far
    /// side has them on its disk and has found the digest right, or had them already. `sent` is told the
    /// bytes so far, chunk by chunk. `stall` limits each connecting, writing and waiting; however long
    /// `bytes` takes does not count.
    ///
    /// An IOException of `bytes` is thrown as it is. [GatewayException]: UNREACHABLE when nobody listens
    /// there (not yet, or no more) or the connection broke, TIMEOUT when nothing went on for `stall`,
    /// REJECTED when the receiver said no, in its words, or `bytes` ended early. After UNREACHABLE and
    /// TIMEOUT read the Job: once it restores, the receiver has got what it waited for; while it still
    /// receives, sending again from the first byte is safe.
    void send(MemberAccess.Pod pod, SnapshotDigest content, InputStream bytes, Duration stall, LongConsumer sent)
            throws IOException;
}
