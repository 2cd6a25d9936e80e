package io.github.etcdgitops.trial.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A bucket on loopback whose listing has so many keys. They are made up page by page; whatever else is asked for is
/// not there.
final class EndlessBucket implements AutoCloseable {
    private static final int PAGE = 1000;
    private static final String TOKEN = "continuation-token=";

    private final HttpServer server;
    private final int keys;
    private final AtomicInteger listed = new AtomicInteger();

    EndlessBucket(int keys) throws IOException {
        this.keys = keys;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /// How many keys were handed out.
    int listed() {
        return listed.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String query = String.valueOf(exchange.getRequestURI().getRawQuery());
            boolean listing = query.contains("list-type=2");
            byte[] body = (listing ? page(query) : "<Error><Code>NoSuchKey</Code></Error>").getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/xml");
            exchange.sendResponseHeaders(listing ? 200 : 404, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private String page(String query) {
        int from = Integer.parseInt("0" + parameter(query, TOKEN));
        int to = Math.min(keys, from + PAGE);
        String prefix = parameter(query, "prefix=");
        listed.addAndGet(to - from);
        String contents = IntStream.range(from, to)
                .mapToObj(i -> "<Contents><Key>%sjunk/%07d</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
                                .formatted(prefix, i)
                        + "<ETag>\"0\"</ETag><Size>1</Size></Contents>")
                .collect(Collectors.joining());
        String next = to < keys ? "<NextContinuationToken>" + to + "</NextContinuationToken>" : "";
        return "<ListBucketResult><IsTruncated>" + (to < keys) + "</IsTruncated>" + next + contents
                + "</ListBucketResult>";
    }

    private static String parameter(String query, String name) {
        return Arrays.stream(query.split("&"))
                .filter(part -> part.startsWith(name))
                .map(part -> URLDecoder.decode(part.substring(name.length()), UTF_8))
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
