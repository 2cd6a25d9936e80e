package io.github.etcdgitops.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongConsumer;

/// The container that waits for a snapshot in the pod of a restore or a drill. It accepts only the content
/// that its arguments name. So it needs no credentials, and nothing else can get into its volume.
@FunctionalInterface
public interface SnapshotReceiver {
    int PORT = 2390;

    /// Sends `bytes`, of which it reads `content.size()`, on the calling thread. Returns when the receiver
    /// has them on its disk and the digest matches, or had them already. `sent` gets the number of bytes so
    /// far, chunk by chunk. `stall` limits each connect, write and wait; the time that reading `bytes`
    /// takes does not count.
    ///
    /// An IOException of `bytes` is thrown unchanged. [GatewayException]: UNREACHABLE when the connection
    /// is refused (not yet, or no more) or broke, TIMEOUT when nothing progressed for `stall`, REJECTED
    /// when the receiver refused, with its text, or `bytes` ended early. After UNREACHABLE and TIMEOUT read
    /// the Job: once it restores, the receiver has everything; while it still receives, sending again from
    /// the first byte is safe.
    void send(MemberAccess.Pod pod, SnapshotDigest content, InputStream bytes, Duration stall, LongConsumer sent)
            throws IOException;
}
