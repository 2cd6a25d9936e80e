package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;

/// Native `git` behind HTTP on loopback, with hooks and all, as a host of repositories runs it. Optionally wants a
/// password, or sends everybody elsewhere.
public final class SmartHttpServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Path root;
    private final Optional<String> password;
    private final Optional<String> elsewhere;

    /// The `Authorization` headers that came, in order; an empty text where there was none.
    public final List<String> authorizations = Collections.synchronizedList(new ArrayList<>());

    /// Turns pushes away before they begin, as hosts do for whoever may only read.
    public volatile boolean readOnly;

    /// Everybody may read, and pushing alone takes the password.
    public volatile boolean open;

    /// Answers everybody who has the right password with this code, where it is not zero.
    volatile int code;

    private SmartHttpServer(Path root, Optional<String> password, Optional<String> elsewhere) throws IOException {
        this(root, password, elsewhere, HttpServer.create(anyPort(), 0));
    }

    private SmartHttpServer(Path root, Optional<String> password, Optional<String> elsewhere, HttpServer server) {
        this.root = root;
        this.password = password;
        this.elsewhere = elsewhere;
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                answer(exchange);
            }
        });
        server.start();
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /// Behind TLS.
    public static SmartHttpServer encrypted(Path root, Optional<String> password, SSLContext tls) throws IOException {
        var server = HttpsServer.create(anyPort(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        return new SmartHttpServer(root, password, Optional.empty(), server);
    }

    static SmartHttpServer open(Path root) throws IOException {
        return new SmartHttpServer(root, Optional.empty(), Optional.empty());
    }

    static SmartHttpServer withPassword(Path root, String password) throws IOException {
        return new SmartHttpServer(root, Optional.of(password), Optional.empty());
    }

    static SmartHttpServer redirecting(Path root, String password, String elsewhere) throws IOException {
        return new SmartHttpServer(root, Optional.of(password), Optional.of(elsewhere));
    }

    static SmartHttpServer renamed(Path root, String from, String to) throws IOException {
        var server = new SmartHttpServer(root, Optional.empty(), Optional.empty());
        server.server.createContext(from, exchange -> {
            try (exchange) {
                String target = exchange.getRequestURI().toString().replace(from, to);
                exchange.getResponseHeaders().add("Location", server.url() + target);
                exchange.sendResponseHeaders(301, -1);
            }
        });
        return server;
    }

    public String url() {
        return (server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:" + port();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String authorization = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .orElse("");
        authorizations.add(authorization);
        if (password.isPresent() && !(open && !pushes(exchange)) && !isRight(authorization)) {
            exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"git\"");
            byte[] body = ("denied: " + authorization).getBytes(UTF_8);
            exchange.sendResponseHeaders(401, body.length);
            exchange.getResponseBody().write(body);
        } else if (code != 0) {
            exchange.sendResponseHeaders(code, -1);
        } else if (elsewhere.isPresent()) {
            exchange.getResponseHeaders()
                    .add("Location", elsewhere.get() + exchange.getRequestURI().toString());
            exchange.sendResponseHeaders(302, -1);
        } else {
            git(exchange);
        }
    }

    private static boolean pushes(HttpExchange exchange) {
        return exchange.getRequestURI().toString().contains("git-receive-pack");
    }

    private boolean isRight(String authorization) {
        String text = authorization.startsWith("Basic ")
                ? new String(Base64.getDecoder().decode(authorization.substring(6)), UTF_8)
                : "";
        return text.endsWith(":" + password.orElseThrow());
    }

    private void git(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String query = Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse("");
        boolean advertise = path.endsWith("/info/refs");
        String service = advertise ? query.replace("service=", "") : path.substring(path.lastIndexOf('/') + 1);
        Path repository = root.resolve(path.substring(1).replaceAll("/(info/refs|git-[a-z]+-pack)$", ""));
        if (!repository.toFile().isDirectory() || !service.matches("git-(upload|receive)-pack")) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        if (readOnly && service.equals("git-receive-pack")) {
            exchange.sendResponseHeaders(403, -1);
            return;
        }
        var command = new ArrayList<>(List.of("git", "-c", "safe.directory=*", "-c", "http.receivepack=true"));
        command.addAll(List.of(service.substring(4), "--stateless-rpc"));
        if (advertise) {
            command.add("--advertise-refs");
        }
        command.add(repository.toString());
        var builder = NativeGit.builder(root, command).redirectErrorStream(false);
        Optional.ofNullable(exchange.getRequestHeaders().getFirst("Git-Protocol"))
                .ifPresent(p -> builder.environment().put("GIT_PROTOCOL", p));
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (var in = process.getOutputStream()) {
            body(exchange).transferTo(in);
        }
        exchange.getResponseHeaders()
                .add("Content-Type", "application/x-" + service + (advertise ? "-advertisement" : "-result"));
        exchange.sendResponseHeaders(200, 0);
        if (advertise) {
            String line = "# service=" + service + "\n";
            exchange.getResponseBody()
                    .write(String.format("%04x%s0000", line.length() + 4, line).getBytes(UTF_8));
        }
        process.getInputStream().transferTo(exchange.getResponseBody());
    }

    private static InputStream body(HttpExchange exchange) throws IOException {
        return "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"))
                ? new GZIPInputStream(exchange.getRequestBody())
                : exchange.getRequestBody();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
