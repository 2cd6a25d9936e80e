package io.github.etcdgitops.execute.backup;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.GatewayException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongConsumer;

/// Counts a stream's bytes, keeps the Lease alive during the transfer, and slows the transfer down to its
/// limit.
public final class TransferMeter {
    /// How many bytes pass between two checks whether the process must end.
    private static final long OFTEN = 16L << 20;

    private static final Duration SHORTEST = Duration.ofMillis(20);

    private final StepContext context;
    private final Optional<Long> bytesPerSecond;
    private final LongConsumer progress;
    private final Duration longest;
    private final Instant began;
    private final Instant end;
    private long heard;
    private long bytes;

    TransferMeter(StepContext context, Optional<Long> bytesPerSecond, Duration longest, LongConsumer progress) {
        this.context = context;
        this.longest = longest;
        this.bytesPerSecond = bytesPerSecond;
        this.progress = progress;
        this.began = context.now();
        this.end = began.plus(longest);
    }

    /// Without a limit, for about `total` bytes.
    public TransferMeter(StepContext context, Backups backups, Duration longest, long total) {
        this(context, Optional.empty(), longest, bytes -> backups.moved().bytes(context.ref(), bytes, total));
    }

    public void moved(long piece) {
        bytes += piece;
        context.keepLease();
        progress.accept(bytes);
        if (context.now().isAfter(end)) {
            throw new GatewayException(
                    GatewayException.Kind.TIMEOUT,
                    false,
                    "the snapshot did not finish within " + longest.toHours() + " hours");
        }
        if (bytes - heard >= OFTEN) {
            heard = bytes;
            context.pass(Duration.ZERO);
        }
        bytesPerSecond.ifPresent(this::slowDown);
    }

    private void slowDown(long most) {
        var earliest = began.plusNanos((long) (bytes / (double) most * 1_000_000_000L));
        var ahead = Duration.between(context.now(), earliest);
        if (ahead.compareTo(SHORTEST) > 0) {
            context.pass(ahead);
        }
    }
}
