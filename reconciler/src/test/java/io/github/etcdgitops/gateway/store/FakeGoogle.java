package io.github.etcdgitops.gateway.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/// Google's token service and the JSON API of its storage as far as the adapter goes, on loopback, after
/// their documentation. It checks the statement's signature, and is as strict as Google about ranges. Not
/// Google: what the documentation does not say is not proven with it.
final class FakeGoogle implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int QUANTUM = 256 << 10;
    private static final int PAGE = 10;

    record Stored(byte[] content, long generation, Instant updated) {}

    private static final class Session {
        private final String name;
        private byte[] safe = {};
        private boolean done;

        Session(String name) {
            this.name = name;
        }
    }

    private final HttpServer server;
    private final String bucket;
    private final InstantSource clock;
    private final TreeMap<String, Stored> objects = new TreeMap<>();
    private final Map<String, Session> sessions = new HashMap<>();
    private final List<String> tokens = new ArrayList<>();
    private Optional<String> refusal = Optional.empty();
    private int refusalStatus;
    private int forgetOnce;
    private boolean damage;
    private long generation;
    private int begun;

    FakeGoogle(String bucket, InstantSource clock) {
        this.bucket = bucket;
        this.clock = clock;
        try {
            this.server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/token", exchange -> answering(exchange, this::token));
        server.createContext("/", exchange -> answering(exchange, this::api));
        server.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    // --- faults, and a look from outside

    /// Every request to the API is refused with this status and reason.
    synchronized void refuse(int status, String reason) {
        refusalStatus = status;
        refusal = Optional.of(reason);
    }

    /// Of the next chunk so many quanta are taken, and the rest forgotten.
    synchronized void takeOnly(int quanta) {
        forgetOnce = quanta + 1;
    }

    /// What is stored from now on differs by one bit.
    synchronized void damage() {
        damage = true;
    }

    synchronized void revokeTokens() {
        tokens.replaceAll(_ -> "revoked");
    }

    synchronized int tokensGiven() {
        return tokens.size();
    }

    synchronized int openSessions() {
        return (int) sessions.values().stream().filter(s -> !s.done).count();
    }

    synchronized List<String> names() {
        return List.copyOf(objects.keySet());
    }

    // --- answers

    private record Answer(int status, Map<String, String> headers, byte[] body) {
        static Answer of(int status, Object json) throws IOException {
            return new Answer(status, Map.of(), JSON.writeValueAsBytes(json));
        }

        static Answer error(int status, String reason) throws IOException {
            return of(
                    status,
                    Map.of(
                            "error",
                            Map.of(
                                    "code",
                                    status,
                                    "message",
                                    "words of the server",
                                    "errors",
                                    List.of(Map.of("reason", reason)))));
        }
    }

    @FunctionalInterface
    private interface Answering {
        Answer answer(HttpExchange exchange) throws IOException;
    }

    private static void answering(HttpExchange exchange, Answering answering) throws IOException {
        try (exchange) {
            var answer = answering.answer(exchange);
            answer.headers()
                    .forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
            exchange.sendResponseHeaders(answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
            if (answer.body().length > 0) {
                exchange.getResponseBody().write(answer.body());
            }
        }
    }

    private Answer token(HttpExchange exchange) throws IOException {
        var form = query(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String[] parts = form.getOrDefault("assertion", "..").split("\\.", -1);
        boolean good = "urn:ietf:params:oauth:grant-type:jwt-bearer".equals(form.get("grant_type"))
                && parts.length == 3
                && "RS256".equals(decoded(parts[0]).path("alg").asText())
                && "key-1".equals(decoded(parts[0]).path("kid").asText())
                && claimsHold(decoded(parts[1]), exchange)
                && signed(parts);
        if (!good) {
            return Answer.of(400, Map.of("error", "invalid_grant"));
        }
        synchronized (this) {
            tokens.add("token-" + tokens.size());
            return Answer.of(200, Map.of("access_token", tokens.getLast(), "expires_in", 3600, "token_type", "Bearer"));
        }
    }

    private static JsonNode decoded(String part) throws IOException {
        return JSON.readTree(Base64.getUrlDecoder().decode(part));
    }

    private boolean claimsHold(JsonNode claims, HttpExchange exchange) {
        long now = clock.instant().getEpochSecond();
        return Keys.EMAIL.equals(claims.path("iss").asText())
                && (endpoint() + exchange.getRequestURI().getPath())
                        .equals(claims.path("aud").asText())
                && claims.path("scope").asText().endsWith("/auth/devstorage.read_write")
                && Math.abs(claims.path("iat").asLong() - now) < 300
                && claims.path("exp").asLong() - claims.path("iat").asLong() <= 3600;
    }

    private static boolean signed(String[] parts) {
        try {
            var signature = Signature.getInstance("SHA256withRSA");
            signature.initVerify(Keys.PAIR.getPublic());
            signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
            return signature.verify(Base64.getUrlDecoder().decode(parts[2]));
        } catch (GeneralSecurityException | IllegalArgumentException _) {
            return false;
        }
    }

    private Answer api(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getRawPath();
        if (path.startsWith("/session/")) {
            return session(exchange, path.substring("/session/".length()));
        }
        byte[] body = exchange.getRequestBody().readAllBytes();
        synchronized (this) {
            String bearer = exchange.getRequestHeaders().getFirst("Authorization");
            if (bearer == null || !tokens.contains(bearer.replace("Bearer ", "")) || bearer.contains("revoked")) {
                return Answer.error(401, "authError");
            }
            if (refusal.isPresent()) {
                return Answer.error(refusalStatus, refusal.get());
            }
            var query = query(
                    Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse(""));
            String objectsPath = "/storage/v1/b/" + bucket + "/o";
            if (path.equals("/upload" + objectsPath) && body.length == 0) {
                return begin(query, exchange.getRequestHeaders().getFirst("Host"));
            }
            if (path.equals(objectsPath)) {
                return page(query);
            }
            if (path.startsWith(objectsPath + "/")) {
                return object(exchange, decode(path.substring(objectsPath.length() + 1)), query);
            }
            return Answer.error(404, "notFound");
        }
    }

    private Answer begin(Map<String, String> query, String host) throws IOException {
        if (!"resumable".equals(query.get("uploadType")) || !"0".equals(query.get("ifGenerationMatch"))) {
            return Answer.error(400, "invalid");
        }
        String id = "s" + ++begun;
        sessions.put(id, new Session(query.get("name")));
        return new Answer(200, Map.of("Location", "http://" + host + "/session/" + id), new byte[0]);
    }

    private Answer page(Map<String, String> query) throws IOException {
        String from = query.getOrDefault("pageToken", "");
        var names = objects.keySet().stream()
                .filter(n -> n.startsWith(query.getOrDefault("prefix", "")) && n.compareTo(from) > 0)
                .toList();
        var page = names.subList(0, Math.min(PAGE, names.size()));
        var answer = new HashMap<String, Object>(Map.of("kind", "storage#objects"));
        if (!page.isEmpty()) {
            answer.put("items", page.stream().map(this::metadata).toList());
        }
        if (names.size() > page.size()) {
            answer.put("nextPageToken", page.getLast());
        }
        return Answer.of(200, answer);
    }

    private Answer object(HttpExchange exchange, String name, Map<String, String> query) throws IOException {
        var stored = objects.get(name);
        if (stored == null) {
            return Answer.error(404, "notFound");
        }
        if (exchange.getRequestMethod().equals("DELETE")) {
            String asked = query.getOrDefault("ifGenerationMatch", "" + stored.generation());
            if (!asked.equals("" + stored.generation())) {
                return Answer.error(412, "conditionNotMet");
            }
            objects.remove(name);
            return new Answer(204, Map.of(), new byte[0]);
        }
        if ("media".equals(query.get("alt"))) {
            return stored.content().length == 0
                    ? new Answer(200, Map.of("Content-Length", "0"), new byte[0])
                    : new Answer(200, Map.of(), stored.content());
        }
        return Answer.of(200, metadata(name));
    }

    private Map<String, Object> metadata(String name) {
        var stored = objects.get(name);
        var checksum = new CRC32C();
        checksum.update(stored.content());
        byte[] crc = ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array();
        return Map.of(
                "name",
                name,
                "size",
                "" + stored.content().length,
                "updated",
                stored.updated().toString(),
                "generation",
                "" + stored.generation(),
                "crc32c",
                Base64.getEncoder().encodeToString(crc));
    }

    // --- the resumable protocol

    private Answer session(HttpExchange exchange, String id) throws IOException {
        Session session;
        synchronized (this) {
            session = sessions.get(id);
            if (session == null) {
                return Answer.error(404, "notFound");
            }
            if (exchange.getRequestMethod().equals("DELETE")) {
                sessions.remove(id);
                return new Answer(499, Map.of(), new byte[0]);
            }
        }
        return put(session, exchange.getRequestHeaders().getFirst("Content-Range"), exchange.getRequestBody());
    }

    private Answer put(Session session, String range, InputStream body) throws IOException {
        var match = Pattern.compile("bytes (?:(\\d+)-(\\d+)|\\*)/(\\d+|\\*)").matcher(range);
        if (!match.matches()) {
            return Answer.error(400, "badRange");
        }
        byte[] received = received(body);
        synchronized (this) {
            if (session.done) {
                return Answer.of(200, metadata(session.name));
            }
            boolean last = !match.group(3).equals("*");
            long total = last ? Long.parseLong(match.group(3)) : -1;
            if (match.group(1) != null) {
                long from = Long.parseLong(match.group(1));
                long announced = Long.parseLong(match.group(2)) + 1 - from;
                if (from > session.safe.length || (!last && announced % QUANTUM != 0)) {
                    return Answer.error(400, "badRange");
                }
                take(session, (int) from, received, last && received.length == announced);
            }
            return last && session.safe.length == total ? finish(session) : incomplete(session);
        }
    }

    /// A connection that breaks leaves what had come.
    private static byte[] received(InputStream body) {
        var bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        try {
            for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
                bytes.write(buffer, 0, count);
            }
        } catch (IOException _) {
            // as told
        }
        return bytes.toByteArray();
    }

    private void take(Session session, int from, byte[] received, boolean wholeAndLast) {
        int kept = wholeAndLast ? received.length : received.length / QUANTUM * QUANTUM;
        if (forgetOnce > 0) {
            kept = Math.min(kept, (forgetOnce - 1) * QUANTUM);
            forgetOnce = 0;
        }
        if (from + kept > session.safe.length) {
            byte[] grown = Arrays.copyOf(session.safe, from + kept);
            System.arraycopy(received, 0, grown, from, kept);
            session.safe = grown;
        }
    }

    private static Answer incomplete(Session session) {
        return new Answer(
                308,
                session.safe.length == 0 ? Map.of() : Map.of("Range", "bytes=0-" + (session.safe.length - 1)),
                new byte[0]);
    }

    private Answer finish(Session session) throws IOException {
        if (objects.containsKey(session.name)) {
            return Answer.error(412, "conditionNotMet");
        }
        byte[] content = session.safe.clone();
        if (damage) {
            content[content.length / 2] ^= 1;
        }
        objects.put(session.name, new Stored(content, ++generation, clock.instant()));
        session.done = true;
        return Answer.of(200, metadata(session.name));
    }

    private static Map<String, String> query(String text) {
        var values = new HashMap<String, String>();
        for (String pair : text.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
            }
        }
        return values;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
