package io.github.etcdgitops.gateway.store.codec;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// Distinguishes damaged content from a failed connection, which has a cause of ours.
final class Damage extends FilterInputStream {
    private final String what;

    Damage(InputStream in, String what) {
        super(in);
        this.what = what;
    }

    static GatewayException of(String what) {
        return new GatewayException(
                Kind.REJECTED, false, "decoding the object: " + what + "; take another copy or another backup");
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            return super.read(bytes, offset, length);
        } catch (IOException e) {
            throw translated(e);
        }
    }

    private IOException translated(IOException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof GatewayException known) {
                return new IOException(known.getMessage(), known);
            }
        }
        var damage = of(what);
        return new IOException(damage.getMessage(), damage);
    }
}
