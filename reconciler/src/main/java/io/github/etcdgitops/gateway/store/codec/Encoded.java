package io.github.etcdgitops.gateway.store.codec;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.ObjectEncoding;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// plain → zstd → age → the store. Compressed first: encrypted data cannot be compressed. `age -d | zstd
/// -d` reads it without this program.
public final class Encoded implements ObjectEncoding {
    private final Supplier<List<String>> identities;

    /// `identities` reads the secret keys at each decryption.
    public Encoded(Supplier<List<String>> identities) {
        this.identities = identities;
    }

    @Override
    public Encoder encode(OutputStream sink, boolean zstd, Optional<String> recipient) {
        return new Encoding(sink, zstd, recipient);
    }

    @Override
    public InputStream decode(InputStream source, boolean zstd, boolean encrypted) {
        try {
            InputStream plain = encrypted ? Age.decrypting(source, identities.get()) : source;
            return zstd ? Zstandard.decompressing(plain) : plain;
        } catch (IOException e) {
            throw e.getCause() instanceof GatewayException known ? known : Damage.of("it cannot be read");
        }
    }
}
