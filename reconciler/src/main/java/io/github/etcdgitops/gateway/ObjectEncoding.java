package io.github.etcdgitops.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/// How a backup is written: plain, compressed, encrypted, or compressed and then encrypted; and how it is
/// read back. Both use common formats (zstd, age), so that a person with those tools needs nothing of ours.
public interface ObjectEncoding {
    /// Throws [GatewayException] REJECTED where the recipient is not an age public key. Exceptions of the
    /// sink pass through.
    Encoder encode(OutputStream sink, boolean zstd, Optional<String> recipient);

    /// Throws [GatewayException] UNAUTHORIZED where an identity is missing, malformed or not the object's,
    /// and REJECTED where the object has another format. Reading throws IOException, with a REJECTED as its
    /// cause where the content is damaged or cut off. Closing closes the source.
    InputStream decode(InputStream source, boolean zstd, boolean encrypted);

    /// Closing never writes to the sink and never closes it: only a finished object is complete, and an
    /// upload that is closed too early must not look complete.
    abstract class Encoder extends OutputStream {
        /// Writes the remaining data, with the checksums.
        public abstract void finish() throws IOException;

        @Override
        public abstract void close();
    }
}
