package io.github.etcdgitops.it;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Channel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// One call of etcd's own Watch, at one member: everything below a prefix from a revision on.
///
/// jetcd's Watch resumes by itself, and takes the revision of the answer that says "created" for one that was
/// shown: what happened in between is then lost to it.
final class WatchCall implements StreamObserver<WatchResponse>, AutoCloseable {
    private final BlockingQueue<Optional<WatchResponse>> arrived = new LinkedBlockingQueue<>();
    private final Fragments fragments = new Fragments();
    private final Consumer<WatchResponse> pieces;
    private final ClientCallStreamObserver<WatchRequest> call;

    WatchCall(Channel channel, String prefix, long from) {
        this(channel, prefix, from, _ -> {});
    }

    /// `pieces` is told of each one that arrives.
    WatchCall(Channel channel, String prefix, long from, Consumer<WatchResponse> pieces) {
        this.pieces = pieces;
        call = (ClientCallStreamObserver<WatchRequest>)
                WatchGrpc.newStub(channel).watch(this);
        call.onNext(WatchRequest.newBuilder()
                .setCreateRequest(Fragments.asked(WatchCreateRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(prefix))
                        .setRangeEnd(ByteString.copyFromUtf8(behind(prefix)))
                        .setStartRevision(from)
                        .setProgressNotify(true)))
                .build());
    }

    /// The next whole answer; empty when the call is over, or nothing came for so long.
    Optional<WatchResponse> next(Duration patience) {
        try {
            var whole = Optional.<WatchResponse>empty();
            while (whole.isEmpty()) {
                var piece = arrived.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
                if (piece == null || piece.isEmpty()) {
                    return Optional.empty();
                }
                whole = fragments.add(piece.get());
            }
            return whole;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public void onNext(WatchResponse piece) {
        pieces.accept(piece);
        arrived.add(Optional.of(piece));
    }

    @Override
    public void onError(Throwable failure) {
        arrived.add(Optional.empty());
    }

    @Override
    public void onCompleted() {
        arrived.add(Optional.empty());
    }

    @Override
    public void close() {
        call.cancel("no longer needed", null);
    }

    /// The first key that does not begin so.
    private static String behind(String prefix) {
        int last = prefix.length() - 1;
        return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
    }
}
