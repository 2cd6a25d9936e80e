package io.github.etcdgitops.it;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.grpc.Channel;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A lease with one key, renewed each second at whichever member answers. It is lost when etcd says so, and when no
/// renewal was answered for as long as it lasts: whoever relies on a lease has to stop then, whatever etcd made of it.
final class KeptLease implements AutoCloseable {
    /// Elections and restarts of members are over in some seconds.
    static final Duration LASTS = Duration.ofSeconds(15);

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration PER_TRY = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Line line;
    private final String key;
    private final Duration lasts;
    private final long id;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private long renewed;
    private volatile Optional<String> loss = Optional.empty();

    KeptLease(Line line, String key, Duration lasts) {
        this.line = line;
        this.key = key;
        this.lasts = lasts;
        var grant = LeaseGrantRequest.newBuilder().setTTL(lasts.toSeconds()).build();
        id = line.ask(
                "grant a lease",
                PATIENCE,
                channel -> LeaseGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(PER_TRY)
                        .leaseGrant(grant)
                        .getID());
        renewed = System.nanoTime();
        var put = PutRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(key))
                .setLease(id)
                .build();
        line.ask(
                "write the lease's key",
                lasts,
                channel -> KVGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(PER_TRY)
                        .put(put));
        thread = Thread.ofVirtual().name("lease").start(this::keep);
    }

    long id() {
        return id;
    }

    /// Ends the renewing, and says how the lease was lost, if it was.
    Optional<String> stop() {
        close();
        if (loss.isEmpty()) {
            var get = RangeRequest.newBuilder()
                    .setKey(ByteString.copyFromUtf8(key))
                    .build();
            var found = line.ask(
                    "read the lease's key",
                    PATIENCE,
                    channel -> KVGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(PER_TRY)
                            .range(get)
                            .getKvsList());
            if (found.stream().noneMatch(kv -> kv.getLease() == id)) {
                loss = Optional.of("its key is gone");
            }
        }
        line.close();
        return loss;
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the lease ends", e);
        }
    }

    private void keep() {
        do {
            var answer = line.attempt(this::renew);
            long silent = System.nanoTime() - renewed;
            if (silent > lasts.toNanos()) {
                loss = Optional.of("no renewal was answered for " + silent / 1_000_000 + " ms");
            } else if (answer.filter(a -> a.getTTL() <= 0).isPresent()) {
                loss = Optional.of("etcd had ended it " + silent / 1_000_000 + " ms after the last renewal");
            } else if (answer.isPresent()) {
                renewed = System.nanoTime();
            }
        } while (loss.isEmpty() && !closedWithin(PERIOD));
    }

    private LeaseKeepAliveResponse renew(Channel channel) {
        var answer = new CompletableFuture<LeaseKeepAliveResponse>();
        var call = LeaseGrpc.newStub(channel).withDeadlineAfter(PER_TRY).leaseKeepAlive(new First(answer));
        call.onNext(LeaseKeepAliveRequest.newBuilder().setID(id).build());
        try {
            var first = answer.get(2 * PER_TRY.toNanos(), TimeUnit.NANOSECONDS);
            call.onCompleted();
            return first;
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("no renewal", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private boolean closedWithin(Duration time) {
        try {
            return closed.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private record First(CompletableFuture<LeaseKeepAliveResponse> answer)
            implements StreamObserver<LeaseKeepAliveResponse> {
        @Override
        public void onNext(LeaseKeepAliveResponse value) {
            answer.complete(value);
        }

        @Override
        public void onError(Throwable failure) {
            answer.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            answer.completeExceptionally(new IllegalStateException("the call ended without an answer"));
        }
    }
}
