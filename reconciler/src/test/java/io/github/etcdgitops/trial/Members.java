package io.github.etcdgitops.trial;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.StreamSupport;

/// Asks members over their HTTP gateway, so that the trials see a ring with other eyes than the
/// product's.
final class Members {
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(1))
            .build();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Bench bench;
    private final String name;

    Members(Bench bench, String name) {
        this.bench = bench;
        this.name = name;
    }

    /// A member as the member list shows it.
    record Member(String id, String name, boolean learner) implements Comparable<Member> {
        @Override
        public int compareTo(Member other) {
            return id.compareTo(other.id);
        }
    }

    /// Names of the voters by the list of any member that answers.
    SortedSet<String> voters() {
        var voters = new TreeSet<String>();
        list().ifPresent(l -> l.stream().filter(m -> !m.learner()).forEach(m -> voters.add(m.name())));
        return voters;
    }

    /// What each member that has a pod says it runs.
    List<String> versions() {
        return pods().stream()
                .flatMap(pod -> Optional.ofNullable(pod.getStatus().getPodIP()).stream())
                .flatMap(ip -> post(ip, "/maintenance/status", "{}").stream())
                .map(status -> status.path("version").asText())
                .toList();
    }

    Optional<List<Member>> list() {
        return pods().stream()
                .map(p -> p.getStatus().getPodIP())
                .filter(ip -> ip != null)
                .map(Members::list)
                .flatMap(Optional::stream)
                .findFirst();
    }

    List<Pod> pods() {
        return bench.kube()
                .pods()
                .inNamespace(bench.namespace())
                .withLabel("etcdgitops.dev/cluster", name)
                .list()
                .getItems();
    }

    static Optional<List<Member>> list(String ip) {
        return post(ip, "/cluster/member/list", "{}")
                .map(answer -> StreamSupport.stream(answer.path("members").spliterator(), false)
                        .map(m -> new Member(
                                m.path("ID").asText(),
                                m.path("name").asText(),
                                m.path("isLearner").asBoolean()))
                        .toList());
    }

    /// The member's own ID when it runs and follows a leader or leads.
    static Optional<String> healthy(String ip) {
        return post(ip, "/maintenance/status", "{}")
                .filter(s -> !s.path("leader").asText("0").equals("0"))
                .map(s -> s.path("header").path("member_id").asText());
    }

    /// The gateway of 3.3 has another root.
    private static Optional<JsonNode> post(String ip, String path, String body) {
        return send(ip, "/v3" + path, body)
                .flatMap(answer -> answer.statusCode() == 404 ? send(ip, "/v3beta" + path, body) : Optional.of(answer))
                .filter(answer -> answer.statusCode() == 200)
                .map(answer -> tree(answer.body()));
    }

    private static JsonNode tree(String body) {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<HttpResponse<String>> send(String ip, String path, String body) {
        var request = HttpRequest.newBuilder(URI.create("http://" + ip + ":2379" + path))
                .timeout(Duration.ofSeconds(2))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            return Optional.of(HTTP.send(request, HttpResponse.BodyHandlers.ofString()));
        } catch (IOException _) {
            return Optional.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
