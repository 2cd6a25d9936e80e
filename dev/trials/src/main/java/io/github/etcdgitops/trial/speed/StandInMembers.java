package io.github.etcdgitops.trial.speed;

import io.etcd.jetcd.api.AlarmRequest;
import io.etcd.jetcd.api.AlarmResponse;
import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.HashKVRequest;
import io.etcd.jetcd.api.HashKVResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.Member;
import io.etcd.jetcd.api.MemberListRequest;
import io.etcd.jetcd.api.MemberListResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/// Speaks enough of etcd's protocol for all members of a fleet of healthy rings: each member is a loopback address,
/// and the address that was called says which. A share of the members answers late, or never.
final class StandInMembers implements AutoCloseable {
    private static final int PORT = 2379;
    private static final long REVISION = 1_000;
    private static final Context.Key<Integer> MEMBER = Context.key("member");

    private final int members;
    private final String version;
    private final Faults faults;
    private final String scheme;
    private final int peerPort;
    private final LongAdder calls = new LongAdder();
    private final Server server;

    /// One member of so many is slow or dead; 0 for none. A slow one needs so many milliseconds.
    record Faults(int oneSlowOf, int slowMillis, int oneDeadOf) {
        static final Faults NONE = new Faults(0, 0, 0);

        boolean slow(int member) {
            return oneSlowOf > 0 && member % oneSlowOf == oneSlowOf / 2;
        }

        boolean dead(int member) {
            return oneDeadOf > 0 && member % oneDeadOf == oneDeadOf / 3;
        }
    }

    private StandInMembers(int first, int rings, int members, String version, Faults faults, Optional<StandInTls> tls)
            throws IOException {
        this.members = members;
        this.scheme = tls.isPresent() ? "https" : "http";
        this.peerPort = tls.isPresent() ? 2381 : 2380;
        this.version = version;
        this.faults = faults;
        int lowest = first * members;
        var builder = NettyServerBuilder.forAddress(new InetSocketAddress(RingPattern.address(lowest), PORT))
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .addService(new Maintenance())
                .addService(new Cluster())
                .addService(new Keys())
                .intercept(new Called());
        if (tls.isPresent()) {
            builder.sslContext(tls.get().server());
        }
        for (int member = lowest + 1; member < lowest + rings * members; member++) {
            builder.addListenAddress(new InetSocketAddress(RingPattern.address(member), PORT));
        }
        this.server = builder.build().start();
    }

    /// For so many rings from this number on.
    static StandInMembers start(
            int first, int rings, int members, String version, Faults faults, Optional<StandInTls> tls)
            throws IOException {
        return new StandInMembers(first, rings, members, version, faults, tls);
    }

    /// Since the last time that this was asked.
    long calls() {
        return calls.sumThenReset();
    }

    private ResponseHeader header(int member) {
        return ResponseHeader.newBuilder()
                .setClusterId(RingPattern.clusterId(member / members))
                .setMemberId(RingPattern.memberId(member))
                .setRevision(REVISION)
                .setRaftTerm(2)
                .build();
    }

    private static <T> void reply(StreamObserver<T> to, T answer) {
        to.onNext(answer);
        to.onCompleted();
    }

    private final class Called implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            var address = (InetSocketAddress) call.getAttributes().get(Grpc.TRANSPORT_ATTR_LOCAL_ADDR);
            int member = RingPattern.member(address.getAddress().getAddress());
            calls.increment();
            if (faults.dead(member)) {
                return new ServerCall.Listener<>() {};
            }
            if (faults.slow(member)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(faults.slowMillis()));
            }
            return Contexts.interceptCall(Context.current().withValue(MEMBER, member), call, headers, next);
        }
    }

    private final class Maintenance extends MaintenanceGrpc.MaintenanceImplBase {
        @Override
        public void status(StatusRequest request, StreamObserver<StatusResponse> to) {
            int member = MEMBER.get();
            reply(
                    to,
                    StatusResponse.newBuilder()
                            .setHeader(header(member))
                            .setVersion(version)
                            .setDbSize(65_536)
                            .setDbSizeInUse(65_536)
                            .setLeader(RingPattern.memberId(member / members * members))
                            .setRaftIndex(REVISION)
                            .setRaftAppliedIndex(REVISION)
                            .setRaftTerm(2)
                            .build());
        }

        @Override
        public void alarm(AlarmRequest request, StreamObserver<AlarmResponse> to) {
            reply(to, AlarmResponse.newBuilder().setHeader(header(MEMBER.get())).build());
        }

        @Override
        public void hashKV(HashKVRequest request, StreamObserver<HashKVResponse> to) {
            reply(
                    to,
                    HashKVResponse.newBuilder()
                            .setHeader(header(MEMBER.get()))
                            .setHash(7)
                            .setCompactRevision(1)
                            .build());
        }
    }

    private final class Cluster extends ClusterGrpc.ClusterImplBase {
        @Override
        public void memberList(MemberListRequest request, StreamObserver<MemberListResponse> to) {
            int member = MEMBER.get();
            int ring = member / members;
            var list = MemberListResponse.newBuilder().setHeader(header(member));
            for (int ordinal = 0; ordinal < members; ordinal++) {
                String name = RingPattern.NAME + "-" + ordinal;
                String host = name + "." + RingPattern.NAME + "-peer." + RingPattern.namespace(ring) + ".svc";
                list.addMembers(Member.newBuilder()
                        .setID(RingPattern.memberId(ring * members + ordinal))
                        .setName(name)
                        .addPeerURLs(scheme + "://" + host + ":" + peerPort)
                        .addClientURLs(scheme + "://" + host + ":" + PORT));
            }
            reply(to, list.build());
        }
    }

    private final class Keys extends KVGrpc.KVImplBase {
        @Override
        public void range(RangeRequest request, StreamObserver<RangeResponse> to) {
            reply(to, RangeResponse.newBuilder().setHeader(header(MEMBER.get())).build());
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
