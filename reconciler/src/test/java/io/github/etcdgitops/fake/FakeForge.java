package io.github.etcdgitops.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.Forge.Account;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/// A stand-in, on loopback, for comments, statuses and pull requests of GitHub, GitLab and Gitea, after their
/// documentation: paths, the header that each wants the token in, pages, and the words of each. It is none of the
/// three: what their
/// documentation does not say is not proven with it.
public final class FakeForge implements AutoCloseable {
    public static final String TOKEN = "a-token-of-nobody-0123456789";
    public static final Account OURS = new Account(7, "ci", false);
    public static final Account STRANGER = new Account(66, "mallory", false);
    public static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";
    public static final long PULL_REQUEST = 12;

    /// What GitLab calls the same repository.
    public static final long PROJECT = 4711;

    private static final ObjectMapper JSON = new ObjectMapper();

    private record Note(long pull, Account author, String body) {}

    private record Fault(int status, Map<String, String> headers) {}

    private final Forge.Kind kind;
    private final HttpServer server;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Map<Long, Note> notes = new LinkedHashMap<>();
    /// Each beside the commit that it is of.
    private final List<Map.Entry<String, Map<String, Object>>> statuses = new ArrayList<>();
    private final Set<String> commits = new HashSet<>(Set.of(COMMIT));
    private final Set<Long> pulls = new HashSet<>(Set.of(PULL_REQUEST));
    private final FakePulls proposed;
    private final List<String> asked = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private Account self = OURS;
    private boolean tells = true;
    private boolean pages = true;
    private int hanging;
    private int lost;
    private int undone;
    private long ids = 100;

    public FakeForge(Forge.Kind kind) {
        this(kind, "127.0.0.1", Optional.empty());
    }

    /// At one of the addresses of loopback, behind TLS where there is some.
    public FakeForge(Forge.Kind kind, String address, Optional<SSLContext> tls) {
        this.kind = kind;
        this.proposed = new FakePulls(kind, "acme/rings");
        var any = new InetSocketAddress(address, 0);
        try {
            this.server = tls.isPresent() ? HttpsServer.create(any, 0) : HttpServer.create(any, 0);
            if (server instanceof HttpsServer https) {
                https.setHttpsConfigurator(new HttpsConfigurator(tls.orElseThrow()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    public URI api() {
        var at = server.getAddress();
        String scheme = server instanceof HttpsServer ? "https" : "http";
        return URI.create(scheme + "://" + at.getAddress().getHostAddress() + ":" + at.getPort() + root());
    }

    public Forge.Kind kind() {
        return kind;
    }

    private String root() {
        return switch (kind) {
            case GITHUB -> "/api/v3";
            case GITLAB -> "/api/v4";
            case GITEA -> "/api/v1";
        };
    }

    // --- what happens to it, and a look from outside

    public synchronized void comment(Account author, String body) {
        notes.put(ids++, new Note(PULL_REQUEST, author, body));
    }

    public synchronized void talk(int comments) {
        for (int i = 0; i < comments; i++) {
            comment(STRANGER, "comment " + i);
        }
    }

    public synchronized List<String> bodies() {
        return notes.values().stream().map(Note::body).toList();
    }

    public synchronized List<String> bodies(long pullRequest) {
        return notes.values().stream()
                .filter(note -> note.pull() == pullRequest)
                .map(Note::body)
                .toList();
    }

    public synchronized void opened(long pullRequest) {
        pulls.add(pullRequest);
    }

    /// The pull requests that were opened through its API or by [FakePulls#add].
    public FakePulls proposed() {
        return proposed;
    }

    public synchronized List<Map<String, Object>> statuses() {
        return statuses.stream().map(Map.Entry::getValue).toList();
    }

    /// Of one commit, the oldest first.
    public synchronized List<Map<String, Object>> statuses(String commit) {
        return statuses.stream()
                .filter(status -> status.getKey().equals(commit))
                .map(Map.Entry::getValue)
                .toList();
    }

    /// Somebody has pushed it.
    public synchronized void pushed(String commit) {
        commits.add(commit);
    }

    /// A status that somebody else has set, in the forge's own words.
    public synchronized void status(String name, String state) {
        statuses.add(Map.entry(COMMIT, status(name, state, "", "")));
    }

    /// Method and path of each request.
    public synchronized List<String> asked() {
        return List.copyOf(asked);
    }

    public synchronized List<String> writes() {
        return asked.stream().filter(request -> !request.startsWith("GET")).toList();
    }

    /// As to a token of a job, or of an app, whose comments are `account`'s.
    public synchronized void keepsToItselfWhoAsks(Account account) {
        self = account;
        tells = false;
    }

    /// As Gitea was until it had pages for comments.
    public synchronized void withoutPages() {
        pages = false;
    }

    /// The next requests are answered so, each by one, and not done.
    public synchronized void refuse(int status, Map<String, String> headers, int times) {
        for (int i = 0; i < times; i++) {
            faults.add(new Fault(status, headers));
        }
    }

    /// The next so many writes are done, and the connection breaks before the answer.
    public synchronized void loseAnswers(int writes) {
        lost = writes;
    }

    /// The next so many writes are not done, and the connection breaks.
    public synchronized void loseWrites(int writes) {
        undone = writes;
    }

    public synchronized void hang(int requests) {
        hanging = requests;
    }

    // --- answers

    private record Answer(int status, Object json, Map<String, String> headers) {
        static Answer of(int status, Object json) {
            return new Answer(status, json, Map.of());
        }

        static Answer refused(int status, Map<String, String> headers) {
            return new Answer(status, Map.of("message", "words of the forge, with " + TOKEN), headers);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (hangs()) {
            try {
                closing.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
            return;
        }
        boolean writes = !exchange.getRequestMethod().equals("GET");
        if (writes && takes(true)) {
            exchange.close();
            return;
        }
        var answer = decide(exchange, body);
        if (writes && answer.status() < 300 && takes(false)) {
            exchange.close();
            return;
        }
        byte[] bytes = JSON.writeValueAsBytes(answer.json());
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(answer.status(), bytes.length);
        try (exchange) {
            exchange.getResponseBody().write(bytes);
        }
    }

    private synchronized boolean hangs() {
        return hanging > 0 && hanging-- > 0;
    }

    private synchronized boolean takes(boolean before) {
        return before ? undone > 0 && undone-- > 0 : lost > 0 && lost-- > 0;
    }

    private synchronized Answer decide(HttpExchange exchange, byte[] body) throws IOException {
        String path = exchange.getRequestURI().getRawPath();
        asked.add(exchange.getRequestMethod() + " " + path);
        if (!faults.isEmpty()) {
            var fault = faults.removeFirst();
            return Answer.refused(fault.status(), fault.headers());
        }
        boolean agent = !"etcd-gitops".equals(exchange.getRequestHeaders().getFirst("User-Agent"));
        if (!authorized(exchange) || (agent && kind == Forge.Kind.GITHUB)) {
            return Answer.refused(401, Map.of());
        }
        var query = query(
                Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse(""));
        if (!path.startsWith(root() + "/")) {
            return Answer.refused(404, Map.of());
        }
        var json = body.length == 0 ? JSON.createObjectNode() : JSON.readTree(body);
        return route(exchange.getRequestMethod() + " " + path.substring(root().length()), query, json);
    }

    private boolean authorized(HttpExchange exchange) {
        var headers = exchange.getRequestHeaders();
        return switch (kind) {
            case GITHUB -> ("Bearer " + TOKEN).equals(headers.getFirst("Authorization"));
            case GITLAB -> TOKEN.equals(headers.getFirst("PRIVATE-TOKEN")) && !headers.containsKey("Authorization");
            case GITEA -> ("token " + TOKEN).equals(headers.getFirst("Authorization"));
        };
    }

    private Answer route(String asked, Map<String, String> query, JsonNode body) {
        boolean lab = kind == Forge.Kind.GITLAB;
        String base = lab ? "/projects/acme%2Frings" : "/repos/acme/rings";
        String request = asked.replace("/projects/" + PROJECT + "/", base + "/");
        if (request.equals("GET /user")) {
            return tells ? Answer.of(200, account(self)) : Answer.refused(403, Map.of());
        }
        String wishes = base + (lab ? "/merge_requests" : "/pulls");
        if (request.equals("GET " + wishes)) {
            return Answer.of(200, page(proposed.list(query), query, pages));
        }
        if (request.equals("POST " + wishes)) {
            return proposed.open(body).map(pull -> Answer.of(201, pull)).orElseGet(() -> Answer.refused(409, Map.of()));
        }
        for (long pull : pulls) {
            String list = base + (lab ? "/merge_requests/" + pull + "/notes" : "/issues/" + pull + "/comments");
            String one = lab ? "PUT " + list + "/" : "PATCH " + base + "/issues/comments/";
            if (request.equals("GET " + list)) {
                return Answer.of(200, page(notes(pull), query, pages));
            }
            if (request.equals("POST " + list)) {
                return written(ids++, new Note(pull, self, ""), body, 201);
            }
            if (request.startsWith(one)) {
                long id = Long.parseLong(request.substring(one.length()));
                var note = notes.get(id);
                return note == null ? Answer.refused(404, Map.of()) : written(id, note, body, 200);
            }
        }
        for (String commit : commits) {
            if (request.equals("POST " + base + "/statuses/" + commit)) {
                return posted(commit, body);
            }
            if (request.equals("GET " + base + (lab ? "/repository" : "") + "/commits/" + commit
                    + (lab ? "/statuses" : "/status"))) {
                var items = page(latest(commit, query), query, true);
                return Answer.of(200, lab ? items : Map.of("state", "pending", "statuses", items));
            }
        }
        return Answer.refused(404, Map.of());
    }

    private List<Map<String, Object>> notes(long pull) {
        return notes.entrySet().stream()
                .filter(note -> note.getValue().pull() == pull)
                .map(this::note)
                .toList();
    }

    private Answer written(long id, Note note, JsonNode body, int status) {
        String text = body.path("body").asText();
        if (kind == Forge.Kind.GITHUB && text.length() > 65_536) {
            return Answer.refused(422, Map.of());
        }
        notes.put(id, new Note(note.pull(), note.author(), text.stripTrailing()));
        return Answer.of(status, note(Map.entry(id, notes.get(id))));
    }

    private Map<String, Object> note(Map.Entry<Long, Note> entry) {
        var note = entry.getValue();
        return Map.of(
                "id",
                entry.getKey(),
                "body",
                note.body(),
                "system",
                false,
                kind == Forge.Kind.GITLAB ? "author" : "user",
                account(note.author()));
    }

    private Map<String, Object> account(Account account) {
        return switch (kind) {
            case GITHUB -> Map.of("id", account.id(), "login", account.name(), "type", account.bot() ? "Bot" : "User");
            case GITLAB -> Map.of("id", account.id(), "username", account.name());
            case GITEA -> Map.of("id", account.id(), "login", account.name());
        };
    }

    private static List<Map<String, Object>> page(
            List<Map<String, Object>> all, Map<String, String> query, boolean pages) {
        if (!pages) {
            return all;
        }
        int size = Math.min(100, Integer.parseInt(query.getOrDefault("per_page", query.getOrDefault("limit", "30"))));
        int from = size * (Integer.parseInt(query.getOrDefault("page", "1")) - 1);
        return from >= all.size() ? List.of() : all.subList(from, Math.min(all.size(), from + size));
    }

    private List<Map<String, Object>> latest(String commit, Map<String, String> query) {
        String name = kind == Forge.Kind.GITLAB ? "name" : "context";
        var latest = new TreeMap<String, Map<String, Object>>();
        statuses(commit).forEach(status -> latest.put((String) status.get(name), status));
        latest.keySet()
                .removeIf(context ->
                        query.containsKey("name") && !query.get("name").equals(context));
        return List.copyOf(latest.values());
    }

    private Map<String, Object> status(String name, String state, String description, String target) {
        return Map.of(
                "id",
                ids++,
                kind == Forge.Kind.GITLAB ? "name" : "context",
                name,
                kind == Forge.Kind.GITHUB ? "state" : "status",
                state,
                "description",
                description,
                "target_url",
                target);
    }

    private Answer posted(String commit, JsonNode body) {
        boolean lab = kind == Forge.Kind.GITLAB;
        String state = body.path("state").asText();
        String name = body.path(lab ? "name" : "context").asText();
        var known = lab
                ? List.of("pending", "running", "success", "failed", "canceled")
                : List.of("pending", "success", "failure", "error");
        boolean again = lab
                && state.equals("pending")
                && latest(commit, Map.of("name", name)).stream()
                        .anyMatch(status -> status.get("status").equals("pending"));
        if (!known.contains(state) || again || body.path("description").asText().length() > 140) {
            return Answer.refused(lab ? 400 : 422, Map.of());
        }
        var status = status(
                name,
                state,
                body.path("description").asText(),
                body.path("target_url").asText(""));
        statuses.add(Map.entry(commit, status));
        return Answer.of(201, status);
    }

    private static Map<String, String> query(String text) {
        var values = new HashMap<String, String>();
        for (String pair : text.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.put(
                        pair.substring(0, equals),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return values;
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
    }
}
