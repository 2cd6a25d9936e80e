package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntryLogTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    @Test
    void snapshotsThatTheMemberWroteItselfAreNotSent() throws IOException {
        snapshot(0);
        entry(1);
        entry(2);
        snapshot(2);
        entry(3);
        snapshot(2);

        assertThat(EntryLog.sent(written("0.wal"))).isEmpty();
    }

    /// Also where the file before it is gone.
    @Test
    void snapshotInLogCountsAsSent() throws IOException {
        entry(7);
        written("0.wal");
        log.reset();
        snapshot(9000);
        entry(9001);

        assertThat(EntryLog.sent(written("1.wal"))).hasValue(9000);
    }

    /// Everybody who joins has a copy.
    @Test
    void ignoresInitialSnapshotOfNewMember() throws IOException {
        snapshot(0);
        snapshot(500);
        entry(501);

        assertThat(EntryLog.sent(written("0.wal"))).isEmpty();
    }

    /// etcd writes over entries that were never agreed on.
    @Test
    void takesLastWrittenEntryAsLastEvenIfIndexIsLower() throws IOException {
        entry(10);
        entry(8);
        snapshot(9);

        assertThat(EntryLog.sent(written("0.wal"))).hasValue(9);
    }

    @Test
    void ignoresUnwrittenEndOfFile() throws IOException {
        entry(1);
        log.writeBytes(new byte[4096]);

        assertThat(EntryLog.sent(written("0.wal"))).isEmpty();
    }

    @Test
    void reportsFileThatIsNoLog() throws IOException {
        log.writeBytes(new byte[] {5, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1});

        Path wal = written("0.wal");

        assertThatThrownBy(() -> EntryLog.sent(wal)).isInstanceOf(IOException.class);
    }

    private Path written(String name) throws IOException {
        Files.write(folder.resolve(name), log.toByteArray());
        return folder;
    }

    private void entry(long index) throws IOException {
        record(2, 3, index);
    }

    private void snapshot(long index) throws IOException {
        record(5, 1, index);
    }

    private void record(long type, int field, long index) throws IOException {
        var data = new ByteArrayOutputStream();
        var inner = CodedOutputStream.newInstance(data);
        inner.writeUInt64(2, 1);
        inner.writeUInt64(field, index);
        inner.flush();
        var bytes = new ByteArrayOutputStream();
        var outer = CodedOutputStream.newInstance(bytes);
        outer.writeInt64(1, type);
        outer.writeUInt32(2, 4711);
        outer.writeByteArray(3, data.toByteArray());
        outer.flush();
        int padding = (8 - bytes.size() % 8) % 8;
        long length = bytes.size() | (padding == 0 ? 0 : (0x80L | padding) << 56);
        log.writeBytes(ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(length)
                .array());
        log.writeBytes(bytes.toByteArray());
        log.writeBytes(new byte[padding]);
    }
}
