package io.github.etcdgitops.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/// A real S3 API on loopback that checks signatures, with its buckets in a temporary folder. One process
/// for all tests of a run; it ends with them. What it runs from is put there by the build of
/// `dev/s3proxy`.
public final class S3Proxy {
    public static final String KEY_ID = "test-key-id";
    public static final String SECRET = "test-secret-key";

    private static final Path LIBRARIES = module().resolve("target/lib");
    private static final Pattern LISTENING =
            Pattern.compile("Started .*ServerConnector.*\\{127\\.0\\.0\\.1:(?<port>\\d+)}");

    private static Optional<S3Proxy> running = Optional.empty();

    private final URI endpoint;
    private final Path data;

    private S3Proxy(URI endpoint, Path data) {
        this.endpoint = endpoint;
        this.data = data;
    }

    /// Whatever folder the process was started in, and whether our class is in a folder or in a jar.
    private static Path module() {
        try {
            var classes = S3Proxy.class.getProtectionDomain().getCodeSource().getLocation();
            for (var folder = Path.of(classes.toURI()); folder != null; folder = folder.getParent()) {
                if (Files.isDirectory(folder.resolve("dev/s3proxy"))) {
                    return folder.resolve("dev/s3proxy");
                }
            }
            throw new IllegalStateException("this is not built from a checkout: " + classes);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    public static synchronized S3Proxy shared() {
        if (running.isEmpty()) {
            running = Optional.of(start());
        }
        return running.get();
    }

    public URI endpoint() {
        return endpoint;
    }

    /// Makes a bucket and returns its folder, where each object is a file.
    public Path bucket(String name) {
        try {
            return Files.createDirectory(data.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static S3Proxy start() {
        if (!Files.isDirectory(LIBRARIES)) {
            throw new IllegalStateException("there is no S3 server in " + LIBRARIES.toAbsolutePath()
                    + "; run ./mvnw -f dev/s3proxy/pom.xml generate-test-resources once");
        }
        try {
            Path folder = Files.createTempDirectory("s3proxy-");
            var process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-Xmx512m",
                            "-Dlogback.configurationFile=" + logging(folder),
                            "-cp",
                            LIBRARIES.toAbsolutePath() + "/*",
                            "org.gaul.s3proxy.Main",
                            "--properties",
                            settings(folder).toString())
                    .redirectErrorStream(true)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process, folder)));
            return new S3Proxy(URI.create("http://127.0.0.1:" + port(process)), folder.resolve("data"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path settings(Path folder) throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        return Files.writeString(folder.resolve("s3proxy.conf"), """
            s3proxy.endpoint=http://127.0.0.1:0
            s3proxy.authorization=aws-v4
            s3proxy.identity=%s
            s3proxy.credential=%s
            jclouds.provider=filesystem-nio2
            jclouds.filesystem.basedir=%s
            """.formatted(KEY_ID, SECRET, data));
    }

    private static Path logging(Path folder) throws IOException {
        return Files.writeString(folder.resolve("logback.xml"), """
            <configuration>
              <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
                <encoder><pattern>%msg%n</pattern></encoder>
              </appender>
              <root level="info"><appender-ref ref="out"/></root>
            </configuration>
            """);
    }

    /// Its own log tells where it listens. It is read to the end, or the process would block.
    private static int port(Process process) throws IOException {
        BufferedReader log = process.inputReader();
        var seen = new ArrayList<String>();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            seen.add(line);
            var match = LISTENING.matcher(line);
            if (match.find()) {
                Thread.ofVirtual().start(() -> log.lines().forEach(_ -> {}));
                return Integer.parseInt(match.group("port"));
            }
        }
        throw new IllegalStateException("the S3 server ended by itself:\n" + String.join("\n", seen));
    }

    private static void end(Process process, Path folder) {
        process.destroyForcibly();
        try {
            process.waitFor();
            try (var walk = Files.walk(folder)) {
                walk.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        } catch (IOException | InterruptedException _) {
            // A folder below the system's temporary one may stay.
        }
    }
}
