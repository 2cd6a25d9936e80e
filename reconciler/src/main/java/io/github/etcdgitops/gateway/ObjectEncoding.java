package io.github.etcdgitops.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/// How a backup is written: plain, compressed, encrypted, or compressed and then encrypted; and the way
/// back. Both are in common formats (zstd, age), so that a person with the tools of that name needs nothing
/// of ours.
public interface ObjectEncoding {
    /// Throws [GatewayException] REJECTED where the recipient is not an age public key. What the sink
    /// throws comes through.
    Encoder encode(OutputStream sink, boolean zstd, Optional<String> recipient);

    /// Throws [GatewayException] UNAUTHORIZED where an identity is missing, malformed or not the one the
    /// object is for, and REJECTED where the object is no such thing. Reading throws IOException, with a
    /// REJECTED as its cause where the content was damaged or cut off. Closing closes the source.
    InputStream decode(InputStream source, boolean zstd, boolean encrypted);

    /// Closing never writes to the sink and never closes it: only what was finished is whole, and an upload
    /// that is closed too early must not look so.
    abstract class Encoder extends OutputStream {
        /// Writes what is left, with the checksums.
        public abstract void finish() throws IOException;

        @Override
        public abstract void close();
    }
}
