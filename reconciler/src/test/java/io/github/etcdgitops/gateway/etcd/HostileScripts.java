package io.github.etcdgitops.gateway.etcd;

import static io.github.etcdgitops.gateway.etcd.call.Sent.SETTINGS;
import static io.github.etcdgitops.gateway.etcd.call.Sent.all;
import static io.github.etcdgitops.gateway.etcd.call.Sent.beginning;
import static io.github.etcdgitops.gateway.etcd.call.Sent.begun;
import static io.github.etcdgitops.gateway.etcd.call.Sent.block;
import static io.github.etcdgitops.gateway.etcd.call.Sent.data;
import static io.github.etcdgitops.gateway.etcd.call.Sent.ended;
import static io.github.etcdgitops.gateway.etcd.call.Sent.frame;
import static io.github.etcdgitops.gateway.etcd.call.Sent.goAway;
import static io.github.etcdgitops.gateway.etcd.call.Sent.headers;
import static io.github.etcdgitops.gateway.etcd.call.Sent.lastData;
import static io.github.etcdgitops.gateway.etcd.call.Sent.lastHeaders;
import static io.github.etcdgitops.gateway.etcd.call.Sent.message;
import static io.github.etcdgitops.gateway.etcd.call.Sent.padded;
import static io.github.etcdgitops.gateway.etcd.call.Sent.ping;

import io.etcd.jetcd.api.StatusResponse;
import io.github.etcdgitops.gateway.etcd.call.ScriptedServer;
import io.github.etcdgitops.gateway.etcd.call.ScriptedServer.Script;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/// What servers do that are not etcd, or not any more, and some that answer well in an unusual way.
final class HostileScripts {
    private static final int LARGEST = 1 << 20;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int CONTINUATION = 9;
    private static final int UNHEARD_OF = 77;
    private static final int END_HEADERS = 4;

    private static final byte[] STATUS = StatusResponse.newBuilder()
            .setVersion("3.5.30")
            .setDbSize(7)
            .build()
            .toByteArray();

    /// The answer to one request by its stream; the preface has ended.
    @FunctionalInterface
    interface Answer {
        byte[] to(int stream);
    }

    static final Map<String, Script> ALL = new TreeMap<>(Map.ofEntries(
            Map.entry("closes at once", ScriptedServer.Connected::hangUp),
            Map.entry("is silent", _ -> {}),
            Map.entry("speaks HTTP/1.1", raw("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")),
            Map.entry("speaks SSH", raw("SSH-2.0-OpenSSH_9.9\r\n")),
            Map.entry("sends zeros", with -> with.send(new byte[100])),
            Map.entry("sends a TLS alert", with -> with.send(new byte[] {21, 3, 1, 0, 2, 2, 40})),
            Map.entry("greets and closes", with -> with.send(SETTINGS).hangUp()),
            Map.entry("greets and is silent", with -> with.send(SETTINGS)),
            Map.entry("greets with a ping", with -> with.send(ping(), SETTINGS)),
            Map.entry("takes the request and closes", with -> {
                with.send(SETTINGS).request();
                with.hangUp();
            }),
            Map.entry("closes within the answer", with -> {
                int stream = with.send(SETTINGS).request();
                with.send(begun(stream), data(stream, beginning(0, 100, (byte) 1)))
                        .hangUp();
            }),
            Map.entry("ends the connection", with -> {
                with.send(SETTINGS).request();
                with.send(goAway(0, 0)).hangUp();
            }),
            Map.entry("ends the connection, too many pings", with -> {
                with.send(SETTINGS).request();
                with.send(goAway(0, 11)).hangUp();
            }),
            Map.entry("ends the connection within the answer", with -> {
                int stream = with.send(SETTINGS).request();
                with.send(begun(stream), goAway(stream, 2)).hangUp();
            }),
            Map.entry(
                    "ends the connection after the answer",
                    answer(s -> all(goAway(Integer.MAX_VALUE, 0), begun(s), data(s, message(STATUS)), ended(s)))),
            Map.entry("answers", answer(s -> all(begun(s), data(s, message(STATUS)), ended(s)))),
            Map.entry("answers byte by byte", with -> {
                int stream = with.dribble(SETTINGS).request();
                with.dribble(begun(stream), data(stream, message(STATUS)), ended(stream));
            }),
            Map.entry("answers in pieces", answer(s -> {
                byte[] whole = message(STATUS);
                return all(
                        begun(s),
                        data(s, whole[0], whole[1]),
                        data(s),
                        data(s, Arrays.copyOfRange(whole, 2, 7)),
                        data(s, Arrays.copyOfRange(whole, 7, whole.length)),
                        ended(s));
            })),
            Map.entry(
                    "answers with padding",
                    answer(s -> all(
                            padded(
                                    HEADERS,
                                    END_HEADERS,
                                    s,
                                    block(":status", "200", "content-type", "application/grpc"),
                                    9),
                            padded(DATA, 0, s, message(STATUS), 255),
                            ended(s)))),
            Map.entry("pads more than there is", answer(s -> frame(DATA, 8, s, (byte) 200, (byte) 1))),
            Map.entry(
                    "answers with a priority",
                    answer(s -> all(
                            frame(
                                    HEADERS,
                                    END_HEADERS | 0x20,
                                    s,
                                    all(
                                            new byte[5],
                                            block(":status", "200", "content-type", "application/grpc+proto"))),
                            data(s, message(STATUS)),
                            ended(s)))),
            Map.entry(
                    "answers with headers in parts",
                    answer(s -> all(
                            frame(HEADERS, 0, s, block(":status", "200")),
                            frame(CONTINUATION, 0, s),
                            frame(CONTINUATION, END_HEADERS, s, block("content-type", "application/grpc; x=y")),
                            data(s, message(STATUS)),
                            ended(s)))),
            Map.entry(
                    "interrupts headers",
                    answer(s -> all(frame(HEADERS, 0, s, block(":status", "200")), ping(), begun(s)))),
            Map.entry(
                    "continues what was not begun",
                    answer(s -> frame(CONTINUATION, END_HEADERS, s, block(":status", "200")))),
            Map.entry(
                    "sends what is unheard of",
                    answer(s -> all(
                            frame(UNHEARD_OF, 255, 0, new byte[9]),
                            ping(),
                            begun(s),
                            data(s, message(STATUS)),
                            ended(s)))),
            Map.entry(
                    "says that it goes on",
                    answer(s -> all(headers(s, ":status", "103"), begun(s), data(s, message(STATUS)), ended(s)))),
            Map.entry("only says that it goes on", answer(s -> lastHeaders(s, ":status", "103"))),
            Map.entry(
                    "has another content type",
                    answer(s ->
                            all(headers(s, ":status", "200", "content-type", "text/html"), lastData(s, (byte) 'x')))),
            Map.entry(
                    "has no content type",
                    answer(s -> all(headers(s, ":status", "200"), data(s, message(STATUS)), ended(s)))),
            Map.entry(
                    "has almost the content type",
                    answer(s -> all(headers(s, ":status", "200", "content-type", "application/grpcx"), ended(s)))),
            Map.entry("has no HTTP status", answer(s -> all(headers(s, "content-type", "application/grpc"), ended(s)))),
            Map.entry("answers without headers", answer(s -> all(data(s, message(STATUS)), ended(s)))),
            Map.entry("answers without a message", answer(s -> all(begun(s), ended(s)))),
            Map.entry(
                    "answers in trailers alone, well",
                    answer(s ->
                            lastHeaders(s, ":status", "200", "content-type", "application/grpc", "grpc-status", "0"))),
            Map.entry(
                    "refuses in trailers alone",
                    answer(s -> lastHeaders(
                            s,
                            ":status",
                            "200",
                            "content-type",
                            "application/grpc",
                            "grpc-status",
                            "14",
                            "grpc-message",
                            "etcdserver: no leader"))),
            Map.entry(
                    "refuses with an encoded message",
                    answer(s -> lastHeaders(
                            s,
                            ":status",
                            "200",
                            "content-type",
                            "application/grpc",
                            "grpc-status",
                            "3",
                            "grpc-message",
                            "etcdserver%3A user name is empty"))),
            Map.entry(
                    "refuses after a message",
                    answer(s -> all(begun(s), data(s, message(STATUS)), lastHeaders(s, "grpc-status", "13")))),
            Map.entry(
                    "has no gRPC status",
                    answer(s -> all(begun(s), data(s, message(STATUS)), lastHeaders(s, "a", "b")))),
            Map.entry(
                    "has a gRPC status of letters",
                    answer(s -> all(begun(s), data(s, message(STATUS)), lastHeaders(s, "grpc-status", "fine")))),
            Map.entry("has headers twice", answer(s -> all(begun(s), begun(s), ended(s)))),
            Map.entry("ends with data", answer(s -> all(begun(s), lastData(s, message(STATUS))))),
            Map.entry("ends with empty data", answer(s -> all(begun(s), data(s, message(STATUS)), lastData(s)))),
            Map.entry(
                    "ends within the message",
                    answer(s -> all(begun(s), data(s, beginning(0, 100, (byte) 1)), ended(s)))),
            Map.entry(
                    "answers twice",
                    answer(s -> all(begun(s), data(s, message(STATUS)), data(s, message(STATUS)), ended(s)))),
            Map.entry(
                    "answers what is no message",
                    answer(s -> all(begun(s), data(s, message((byte) 0xff, (byte) 0xff)), ended(s)))),
            Map.entry("compresses", answer(s -> all(begun(s), data(s, beginning(1, STATUS.length, STATUS)), ended(s)))),
            Map.entry(
                    "has an odd prefix",
                    answer(s -> all(begun(s), data(s, beginning(8, STATUS.length, STATUS)), ended(s)))),
            Map.entry("answers too much", answer(s -> all(begun(s), data(s, beginning(0, LARGEST + 1, STATUS))))),
            Map.entry("answers more than can be", answer(s -> all(begun(s), data(s, beginning(0, -1, STATUS))))),
            Map.entry("answers without end", with -> {
                int stream = with.send(SETTINGS).request();
                with.send(begun(stream), data(stream, beginning(0, Integer.MAX_VALUE)));
                while (true) {
                    with.send(data(stream, new byte[10_000]));
                }
            }),
            Map.entry(
                    "has large headers",
                    answer(s -> frame(HEADERS, END_HEADERS, s, block(":status", "200", "x", "y".repeat(12_000))))),
            Map.entry("has headers without end", with -> {
                int stream = with.send(SETTINGS).request();
                with.send(frame(HEADERS, 0, stream, block(":status", "200")));
                for (int i = 0; ; i++) {
                    with.send(frame(CONTINUATION, 0, stream, block("x" + i, "y".repeat(1_000))));
                }
            }),
            Map.entry(
                    "has headers that are no headers",
                    answer(s -> frame(HEADERS, END_HEADERS, s, new byte[] {-1, -1, -1}))),
            Map.entry(
                    "shouts",
                    answer(s -> all(headers(s, ":status", "200", "CONTENT-TYPE", "application/grpc"), ended(s)))),
            Map.entry("has a large frame", answer(s -> all(begun(s), data(s, new byte[20_000])))),
            Map.entry("has a short ping", answer(s -> frame(6, 0, 0, (byte) 1))),
            Map.entry("has a short end", answer(s -> frame(7, 0, 0, (byte) 1)))));

    private HostileScripts() {}

    private static Script raw(String text) {
        return with -> with.send(text.getBytes(StandardCharsets.US_ASCII));
    }

    static Script answer(Answer answer) {
        return with -> {
            int stream = with.send(SETTINGS).request();
            with.send(answer.to(stream));
        };
    }
}
