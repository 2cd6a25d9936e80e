package io.github.etcdgitops.sandbox.etcd;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/// A lock among all processes of the machine; it ends with the process that holds it.
record Lock(FileChannel channel) implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(100);

    static Lock take(Path file, Duration atMost) throws IOException, InterruptedException {
        var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean taken = false;
        try {
            long deadline = System.nanoTime() + atMost.toNanos();
            taken = tryOnce(channel);
            while (!taken) {
                if (System.nanoTime() > deadline) {
                    throw new IOException("another process held " + file + " for " + atMost.toMinutes() + " minutes");
                }
                Thread.sleep(PAUSE);
                taken = tryOnce(channel);
            }
            return new Lock(channel);
        } finally {
            if (!taken) {
                channel.close();
            }
        }
    }

    private static boolean tryOnce(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
