package io.github.etcdgitops.execute.tls;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.EtcdGateway.Answer;
import io.github.etcdgitops.gateway.EtcdGateway.Manner;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.spec.value.Transport.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// Calls a member at every port, in every way: what is configured may differ from what answers.
///
/// A health check does not show this: a ring whose members refuse each other's certificates stays healthy
/// until the second of them has them.
final class WireProof {
    private static final int IN_A_ROW = 3;

    private final StepContext context;

    WireProof(StepContext context) {
        this.context = context;
    }

    /// One call and its expected result.
    private record Call(Door door, Manner manner, boolean served) {}

    StepResult of(int ordinal, Transport transport, Duration deadline) {
        var calls = calls(transport);
        var inARow = new AtomicInteger();
        var streams = new PeerStreams(context);
        return context.until(
                deadline,
                () -> calls.stream()
                        .flatMap(call -> wrong(ordinal, call).stream())
                        .findFirst()
                        .or(() -> unasked(ordinal, transport))
                        .or(() -> streams.missing(ordinal))
                        .map(missing -> restart(inARow, missing))
                        .or(() -> lasting(inARow)),
                () -> calls.size() + " calls, streams with every other member: " + transport.describe());
    }

    /// A connection that will be refused may succeed for a moment.
    private static Optional<String> lasting(AtomicInteger inARow) {
        return inARow.incrementAndGet() >= IN_A_ROW
                ? Optional.empty()
                : Optional.of("the observation time is not over");
    }

    private static String restart(AtomicInteger inARow, String missing) {
        inARow.set(0);
        return missing;
    }

    /// A port that answers HTTP both ways need not answer etcd's own calls both ways.
    private Optional<String> unasked(int ordinal, Transport transport) {
        return Stream.of(Door.CLIENT, Door.CLIENT_TLS)
                .filter(door -> door == Door.CLIENT
                        ? transport.client().plain()
                        : transport.client().secured())
                .flatMap(door -> unasked(ordinal, door).stream())
                .findFirst();
    }

    private Optional<String> unasked(int ordinal, Door door) {
        try {
            context.calls().at(ordinal, door, (etcd, route) -> etcd.probe(route, StepContext.CALL));
            return Optional.empty();
        } catch (GatewayException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static List<Call> calls(Transport transport) {
        var calls = new ArrayList<Call>();
        var client = transport.client();
        calls.add(new Call(Door.CLIENT, Manner.PLAIN, client.plain()));
        var peer = transport.peer();
        calls.add(new Call(Door.PEER, Manner.PLAIN, peer.plain()));
        secured(calls, Door.CLIENT_TLS, client);
        secured(calls, Door.PEER_TLS, peer);
        return calls;
    }

    private static void secured(List<Call> calls, Door door, Mode mode) {
        if (mode.secured()) {
            calls.add(new Call(door, Manner.TLS, true));
            calls.add(new Call(door, Manner.TLS_WITHOUT_CERTIFICATE, false));
        }
    }

    /// The port that still shows a certificate that expires earlier than `end`.
    Optional<String> endsBefore(int ordinal, Transport transport, Instant end) {
        return calls(transport).stream()
                .filter(call -> call.manner() == Manner.TLS)
                .flatMap(call -> older(ordinal, call, end).stream())
                .findFirst();
    }

    private Optional<String> older(int ordinal, Call call, Instant end) {
        try {
            return switch (knock(ordinal, call)) {
                case Answer.Served(var ends) ->
                    ends.filter(e -> !e.isBefore(end)).isPresent()
                            ? Optional.empty()
                            : Optional.of(title(ordinal, call) + " still presents an older certificate");
                case Answer.Refused(String why) -> Optional.of(title(ordinal, call) + " is refused: " + why);
            };
        } catch (GatewayException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private Answer knock(int ordinal, Call call) {
        return context.calls()
                .at(ordinal, call.door(), (etcd, route) -> etcd.knock(route, call.manner(), StepContext.CALL));
    }

    private Optional<String> wrong(int ordinal, Call call) {
        try {
            return switch (knock(ordinal, call)) {
                case Answer.Served _ when call.served() -> Optional.empty();
                case Answer.Refused _ when !call.served() -> Optional.empty();
                case Answer.Served _ -> Optional.of(title(ordinal, call) + " is served, but should be refused");
                case Answer.Refused(String why) ->
                    Optional.of(title(ordinal, call) + " is refused, but should be served: " + why);
            };
        } catch (GatewayException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private String title(int ordinal, Call call) {
        return "port " + call.door().port() + " of " + context.ref().podName(ordinal)
                + switch (call.manner()) {
                    case PLAIN -> " in plain text";
                    case TLS_WITHOUT_CERTIFICATE -> " over TLS without a certificate";
                    case TLS -> " over TLS";
                };
    }
}
