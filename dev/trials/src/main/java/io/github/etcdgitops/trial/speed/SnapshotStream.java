package io.github.etcdgitops.trial.speed;

import io.github.etcdgitops.backup.Blocks;
import io.github.etcdgitops.backup.SnapshotCheck;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.etcd.JetcdGateway;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;

/// `SnapshotStream HOST PORT FILE`: one snapshot as the product takes it, into a file that is on the disk in the end,
/// with its digest and its trailer checked. A process of its own, so that its heap can be bounded.
///
/// Prints one line of figures: bytes, and seconds of the whole, of hashing, of writing and of the last flush; then
/// processor time and memory of the process.
final class SnapshotStream {
    private final SnapshotCheck digest = new SnapshotCheck();
    private final Blocks blocks = new Blocks(this::write);
    private final FileChannel file;
    private long hashing;
    private long writing;

    private SnapshotStream(FileChannel file) {
        this.file = file;
    }

    public static void main(String[] arguments) throws IOException {
        var member = new Member(arguments[0], Integer.parseInt(arguments[1]));
        try (var gateway = new JetcdGateway();
                var file = FileChannel.open(
                        Path.of(arguments[2]), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            // A run has asked its members long before it takes a snapshot of one.
            gateway.probe(member, Duration.ofSeconds(30));
            long began = System.nanoTime();
            var stream = new SnapshotStream(file);
            gateway.snapshot(member, Duration.ofSeconds(60), stream.blocks::add);
            stream.blocks.finish();
            long streamed = System.nanoTime();
            file.force(true);
            long ended = System.nanoTime();
            stream.print(ended - began, ended - streamed);
        }
    }

    private void write(byte[] bytes, int length) throws IOException {
        var block = ByteBuffer.wrap(bytes, 0, length);
        long began = System.nanoTime();
        digest.update(block);
        long hashed = System.nanoTime();
        while (block.hasRemaining()) {
            file.write(block);
        }
        hashing += hashed - began;
        writing += System.nanoTime() - hashed;
    }

    private void print(long whole, long flush) throws IOException {
        var result = digest.finish();
        result.fault().ifPresent(fault -> {
            throw new AssertionError(fault);
        });
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        System.out.printf(
                Locale.ROOT,
                "%d %.3f %.3f %.3f %.3f %.2f %d %d%n",
                result.size(),
                whole / 1e9,
                hashing / 1e9,
                writing / 1e9,
                flush / 1e9,
                system.getProcessCpuTime() / 1e9,
                heapPeak() >> 20,
                residentPeak() >> 10);
    }

    private static long heapPeak() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getPeakUsage().getUsed())
                .sum();
    }

    /// In KiB; 0 where the system does not say.
    private static long residentPeak() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return 0;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }

    private record Member(String host, int port) implements MemberAccess.Route {
        @Override
        public String authority() {
            return host;
        }

        @Override
        public MemberAccess.Way way() {
            return MemberAccess.Way.POD_IP;
        }

        @Override
        public void close() {
            // Nothing was opened.
        }
    }
}
