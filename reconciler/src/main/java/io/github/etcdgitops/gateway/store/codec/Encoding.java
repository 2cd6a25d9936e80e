package io.github.etcdgitops.gateway.store.codec;

import io.github.etcdgitops.gateway.ObjectEncoding;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/// When closed, the libraries' streams finish their format and close their sink. A gate between them and
/// the sink never closes the sink, and after a failure it lets nothing pass.
final class Encoding extends ObjectEncoding.Encoder {
    private final Gate gate;
    private final OutputStream out;
    private boolean finished;

    Encoding(OutputStream sink, boolean zstd, Optional<String> recipient) {
        this.gate = new Gate(sink);
        OutputStream encrypting = recipient.isPresent() ? Age.encrypting(gate, recipient.get()) : gate;
        this.out = zstd ? Zstandard.compressing(encrypting) : encrypting;
    }

    @Override
    public void write(int one) throws IOException {
        out.write(one);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
    }

    @Override
    public void finish() throws IOException {
        out.close();
        finished = true;
    }

    /// Frees the compressor's memory outside the heap.
    @Override
    public void close() {
        if (finished) {
            return;
        }
        gate.shut = true;
        try {
            out.close();
        } catch (IOException _) {
            // Its data no longer counts.
        }
    }

    private static final class Gate extends FilterOutputStream {
        private boolean shut;

        Gate(OutputStream sink) {
            super(sink);
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (!shut) {
                out.write(bytes, offset, length);
            }
        }

        @Override
        public void flush() {
            // A flush in mid-stream would make small parts.
        }

        @Override
        public void close() {
            // The sink belongs to its creator.
        }
    }
}
