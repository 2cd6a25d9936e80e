package io.github.etcdgitops.gateway.etcd;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/// Reads etcd's write-ahead log for one question: whether a leader sent the member a snapshot in place of
/// entries that it lacked. Then its data is a copy of that leader's data. A snapshot that the member wrote
/// itself ends at an entry that is before it in the log; a received one ends after them. The initial
/// snapshot of a new member does not count.
public final class EntryLog {
    private static final int ENTRY = 2;
    private static final int SNAPSHOT = 5;

    /// A field of walpb.Record.
    private static final int TYPE = 1;

    private static final int DATA = 3;

    /// A field of raftpb.Entry, and of walpb.Snapshot.
    private static final int ENTRY_INDEX = 3;

    private static final int SNAPSHOT_INDEX = 1;

    private static final long LENGTH = 0x00ff_ffff_ffff_ffffL;
    private static final int LONGEST = 64 * 1024 * 1024;

    private long last;
    private OptionalLong sent = OptionalLong.empty();

    private EntryLog() {}

    /// The index of the last such snapshot in the remaining log.
    public static OptionalLong sent(Path folder) throws IOException {
        var log = new EntryLog();
        try (var files = Files.list(folder)) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".wal")).sorted().toList()) {
                log.read(file);
            }
        }
        return log.sent;
    }

    /// Each record has its length before it, and is padded to eight bytes; the rest of the file is zeros.
    private void read(Path file) throws IOException {
        try (var channel = FileChannel.open(file)) {
            long at = 0;
            while (at + Long.BYTES <= channel.size()) {
                long field = bytes(channel, at, Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getLong();
                long length = field & LENGTH;
                int padding = field < 0 ? (int) (field >>> 56) & 7 : 0;
                at += Long.BYTES;
                if (length == 0 || at + length > channel.size()) {
                    return;
                }
                if (length > LONGEST) {
                    throw new IOException(file.getFileName() + " has a record of " + length + " bytes");
                }
                record(bytes(channel, at, (int) length));
                at += length + padding;
            }
        }
    }

    private static ByteBuffer bytes(FileChannel channel, long at, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) > 0) {
            // The next piece.
        }
        return bytes.flip();
    }

    private void record(ByteBuffer bytes) throws IOException {
        var record = CodedInputStream.newInstance(bytes);
        long type = 0;
        ByteBuffer data = ByteBuffer.allocate(0);
        for (int tag = record.readTag(); tag != 0; tag = record.readTag()) {
            int field = WireFormat.getTagFieldNumber(tag);
            if (field == TYPE) {
                type = record.readInt64();
            } else if (field == DATA) {
                data = record.readByteBuffer();
            } else {
                record.skipField(tag);
            }
        }
        if (type == ENTRY) {
            last = number(data, ENTRY_INDEX);
        } else if (type == SNAPSHOT) {
            snapshot(number(data, SNAPSHOT_INDEX));
        }
    }

    private void snapshot(long index) {
        if (last > 0 && index > last) {
            sent = OptionalLong.of(index);
        }
        last = Math.max(last, index);
    }

    private static long number(ByteBuffer message, int field) throws IOException {
        var input = CodedInputStream.newInstance(message);
        long number = 0;
        for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
            if (WireFormat.getTagFieldNumber(tag) == field) {
                number = input.readUInt64();
            } else {
                input.skipField(tag);
            }
        }
        return number;
    }
}
