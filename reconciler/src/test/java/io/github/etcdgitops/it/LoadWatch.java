package io.github.etcdgitops.it;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.WatchResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// A [WriteLoad] with another client beside it, which watches the load's keys and keeps a lease, as controllers do.
/// Each acknowledged write must be shown once, and in order, through any restart of members.
///
/// The watch begins at a revision that was read before the first write. A call that ends, or shows nothing for three
/// seconds, is resumed at another member, from the last revision of which an event was shown. Answers without events
/// do not count for that: the headers of "created" and of progress notifications have the member's revision, and what
/// it promises has been wrong in some releases.
public final class LoadWatch {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration PER_TRY = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final WriteLoad load;
    private final Line questions;
    private final Line line;
    private final UnaryOperator<WatchResponse> arriving;
    private final Shown shown;
    private final KeptLease lease;
    private final AtomicLong calls = new AtomicLong();
    private final Thread thread;
    private volatile boolean over;

    /// `missed`, `doubled` and `outOfOrder` must be 0, and `troubles` empty. What was shown again is not in `shown`.
    public record Events(long shown, long missed, long doubled, long outOfOrder, List<String> troubles) {
        public Events {
            troubles = List.copyOf(troubles);
        }

        boolean isWhole() {
            return missed == 0 && doubled == 0 && outOfOrder == 0 && troubles.isEmpty();
        }
    }

    /// `lostLease` says how the lease was lost. `resumed` is how often another call continued the watch.
    public record Result(WriteLoad.Result writes, Events events, Optional<String> lostLease, long resumed) {
        public boolean isWhole() {
            return events.isWhole() && lostLease.isEmpty();
        }

        public String line() {
            return events.shown() + " events, " + events.missed() + " missed, " + events.doubled() + " doubled"
                    + (events.outOfOrder() == 0 ? "" : ", " + events.outOfOrder() + " out of order")
                    + events.troubles().stream().map(t -> "; " + t).reduce("", String::concat)
                    + lostLease.map(how -> "; lease lost: " + how).orElse("; lease kept");
        }
    }

    /// The arguments are those of [WriteLoad#start].
    public static LoadWatch start(Supplier<List<String>> endpoints, Supplier<ClientAccess> access) {
        return start(endpoints, access, UnaryOperator.identity(), KeptLease.LASTS);
    }

    /// `arriving` changes answers before they are looked at, to show that it is noticed.
    static LoadWatch start(
            Supplier<List<String>> endpoints,
            Supplier<ClientAccess> access,
            UnaryOperator<WatchResponse> arriving,
            Duration leaseLasts) {
        var watch = new LoadWatch(new WriteLoad(endpoints, access), access, arriving, leaseLasts);
        watch.load.begin();
        return watch;
    }

    private LoadWatch(
            WriteLoad load, Supplier<ClientAccess> access, UnaryOperator<WatchResponse> arriving, Duration leaseLasts) {
        this.load = load;
        this.arriving = arriving;
        questions = new Line(load.endpoints(), access, 0);
        line = new Line(load.endpoints(), access, 1);
        shown = new Shown(load.prefix(), revision() + 1);
        lease = new KeptLease(new Line(load.endpoints(), access, 2), load.prefix() + "lease", leaseLasts);
        thread = Thread.ofVirtual().name("watch").start(this::follow);
    }

    /// Under way.
    public WriteLoad load() {
        return load;
    }

    long leaseId() {
        return lease.id();
    }

    /// The revision of the newest event that was shown.
    long shownUpTo() {
        return shown.last();
    }

    /// Ends the writing, reads everything back, and waits until the watch has come to its end.
    public Result stop() {
        try (questions) {
            var writes = load.stop();
            awaitEnd();
            var lost = lease.stop();
            return new Result(writes, shown.count(load.sequences()), lost, Math.max(0, calls.get() - 1));
        } finally {
            over = true;
            thread.interrupt();
            lease.close();
        }
    }

    /// Whoever is shown the last key was shown all that was written before it.
    private void awaitEnd() {
        var put = PutRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(load.prefix() + "end"))
                .build();
        long end = questions.ask(
                "write the last key",
                LIMIT,
                channel -> KVGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(PER_TRY)
                        .put(put)
                        .getHeader()
                        .getRevision());
        try {
            EtcdProcess.await("the end of the watch", LIMIT, () -> over || shown.last() >= end);
        } catch (AssertionError _) {
            shown.trouble("the watch stopped at revision " + shown.last() + ", before the end at " + end);
        }
    }

    /// Of the ring, now.
    long revision() {
        var get = RangeRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(load.prefix()))
                .setCountOnly(true)
                .build();
        return questions.ask(
                "read the revision",
                LIMIT,
                channel -> KVGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(PER_TRY)
                        .range(get)
                        .getHeader()
                        .getRevision());
    }

    private void follow() {
        try (line) {
            while (!over) {
                callOnce();
                if (!over) {
                    line.moveOn();
                }
            }
        } catch (RuntimeException e) {
            shown.trouble("the watch failed: " + e);
        } finally {
            over = true;
        }
    }

    private void callOnce() {
        if (!load.endpoints().isKnown()) {
            return;
        }
        try (var call = new WatchCall(line.channel(), load.prefix(), shown.last() + 1)) {
            var answer = call.next(PATIENCE);
            if (answer.isPresent()) {
                calls.incrementAndGet();
            }
            while (answer.isPresent() && !over && !refused(answer.get())) {
                take(arriving.apply(answer.get()));
                answer = call.next(PATIENCE);
            }
        }
    }

    /// Because etcd does not know the client, before it showed anything: the client may have signed in meanwhile.
    private static boolean refused(WatchResponse answer) {
        return answer.getCreated() && answer.getCanceled() && ClientAccess.isRefusal(answer.getCancelReason());
    }

    private void take(WatchResponse answer) {
        answer.getEventsList().forEach(shown::add);
        if (answer.getCompactRevision() > 0) {
            shown.trouble("the watch came too late at revision " + (shown.last() + 1) + ": compacted at "
                    + answer.getCompactRevision());
            over = true;
        } else if (answer.getCanceled()) {
            shown.trouble("etcd ended the watch: " + answer.getCancelReason());
            over = true;
        }
    }
}
