package io.github.etcdgitops.telemetry;

import io.github.etcdgitops.gateway.bounded.WholeAnswer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;

/// Where an ending process leaves its metrics, because it can no longer be scraped. A failure here is
/// reported, and never fails a run.
public final class MetricsOut {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private MetricsOut() {}

    /// Replaces the whole file, as node_exporter's textfile collector requires. Returns the error, if any.
    public static Optional<String> toFile(String text, Path file) {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(fresh, text);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("the metrics could not be written to " + file + " ("
                    + e.getClass().getSimpleName() + ")");
        }
    }

    /// Replaces the group of this job and environment on a Pushgateway. Returns the error, if any.
    public static Optional<String> toPushgateway(String text, URI gateway, String environment) {
        String root = gateway.toString().replaceAll("/+$", "");
        var target = URI.create(
                root + "/metrics/job/etcd-gitops" + (environment.isEmpty() ? "" : "/environment/" + environment));
        try (var http = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(PATIENCE)
                .build()) {
            var request = HttpRequest.newBuilder(target)
                    .timeout(PATIENCE)
                    .header("Content-Type", "text/plain; version=0.0.4")
                    .PUT(BodyPublishers.ofString(text))
                    .build();
            try {
                var answer = WholeAnswer.of(http, request, BodyHandlers.discarding());
                return answer.statusCode() / 100 == 2
                        ? Optional.empty()
                        : Optional.of("the Pushgateway answered the metrics with HTTP " + answer.statusCode());
            } finally {
                // A mere close would wait for an endless answer.
                http.shutdownNow();
            }
        } catch (IOException e) {
            return Optional.of(
                    "the Pushgateway could not be reached (" + e.getClass().getSimpleName() + ")");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted while the metrics were pushed");
        }
    }
}
