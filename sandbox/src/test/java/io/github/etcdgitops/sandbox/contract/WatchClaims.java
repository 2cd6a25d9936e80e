package io.github.etcdgitops.sandbox.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import java.net.URI;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Watching.
interface WatchClaims {
    KubeUnderTest kube();

    private static List<String> told(List<JsonNode> events) {
        return events.stream()
                .map(e -> e.path("type").asText() + " "
                        + e.at("/object/metadata/name").asText())
                .toList();
    }

    private String now() {
        return kube().list("configmaps", "limit=1").version();
    }

    @Test
    default void tellsEverythingAfterAMoment() {
        kube().create("configmaps", Samples.configMap("before"));
        String from = now();
        Reply created = kube().create("configmaps", Samples.configMap("told"));

        List<JsonNode> events = kube().watch("configmaps", "timeoutSeconds=10&resourceVersion=" + from, 3, () -> {
            kube().merge("configmaps", "told", "{'data': {'a': '2'}}");
            kube().delete("configmaps", "told", "");
        });

        assertThat(told(events)).containsExactly("ADDED told", "MODIFIED told", "DELETED told");
        assertThat(events.get(0).at("/object")).isEqualTo(created.body());
        assertThat(events.get(1).at("/object/data/a").asText()).isEqualTo("2");
        assertThat(events.get(2).at("/object/metadata/resourceVersion").asLong())
                .isGreaterThan(
                        events.get(1).at("/object/metadata/resourceVersion").asLong());
    }

    @Test
    default void beginsWithWhatIsThere() {
        kube().create("configmaps", Samples.labelled("there", "{'watched': 'there'}"));

        List<JsonNode> events = kube().watch(
                        "configmaps",
                        "timeoutSeconds=10&labelSelector=watched%3Dthere",
                        2,
                        () -> kube().merge("configmaps", "there", "{'data': {'a': '2'}}"));

        assertThat(told(events)).containsExactly("ADDED there", "MODIFIED there");
    }

    @Test
    default void tellsWhatEntersAndLeavesASelection() {
        kube().create("configmaps", Samples.labelled("enters", "{'watched': 'no'}"));
        String query = "timeoutSeconds=10&labelSelector=watched%3Dyes&resourceVersion=" + now();

        List<JsonNode> events = kube().watch("configmaps", query, 3, () -> {
            kube().merge("configmaps", "enters", "{'data': {'a': '2'}}");
            kube().merge("configmaps", "enters", "{'metadata': {'labels': {'watched': 'yes'}}}");
            kube().merge("configmaps", "enters", "{'data': {'a': '3'}}");
            kube().merge("configmaps", "enters", "{'metadata': {'labels': {'watched': 'no'}}}");
        });

        assertThat(told(events)).containsExactly("ADDED enters", "MODIFIED enters", "DELETED enters");
    }

    @Test
    default void watchesOneObject() {
        String query = "timeoutSeconds=10&fieldSelector=metadata.name%3Done&resourceVersion=" + now();

        List<JsonNode> events = kube().watch("configmaps", query, 1, () -> {
            kube().create("configmaps", Samples.configMap("another"));
            kube().create("configmaps", Samples.configMap("one"));
        });

        assertThat(told(events)).containsExactly("ADDED one");
    }

    @Test
    default void saysThatAMomentIsTooLongAgo() {
        List<JsonNode> events = kube().watch("configmaps", "timeoutSeconds=10&resourceVersion=1", 2, () -> {});

        assertThat(events).hasSize(1);
        assertThat(events.getFirst().path("type").asText()).isEqualTo("ERROR");
        assertThat(events.getFirst().at("/object/kind").asText()).isEqualTo("Status");
        assertThat(events.getFirst().at("/object/code").asInt()).isEqualTo(410);
        assertThat(events.getFirst().at("/object/reason").asText()).isEqualTo("Expired");
    }

    @Test
    default void endsWhenItsTimeIsOver() {
        List<JsonNode> events =
                kube().watch("configmaps", "timeoutSeconds=1&resourceVersion=" + now(), 1_000, () -> {});

        assertThat(events).isEmpty();
    }

    @Test
    default void watchesByWebSocket() throws Exception {
        var frames = new LinkedBlockingQueue<String>();
        String query = "?watch=true&timeoutSeconds=10&fieldSelector=metadata.name%3Dsocket&resourceVersion=" + now();
        URI http = kube().base().resolve(kube().path("configmaps") + query);
        URI uri = URI.create(http.toString().replaceFirst("^http", "ws"));
        WebSocket socket = kube().client()
                .newWebSocketBuilder()
                .header("Origin", kube().base().toString())
                .connectTimeout(Duration.ofSeconds(10))
                .buildAsync(uri, new Frames(frames))
                .get(15, TimeUnit.SECONDS);

        kube().create("configmaps", Samples.configMap("socket"));
        String frame = frames.poll(10, TimeUnit.SECONDS);
        socket.abort();

        assertThat(frame).isNotNull();
        assertThat(told(List.of(KubeUnderTest.JSON.readTree(frame)))).containsExactly("ADDED socket");
    }

    /// Whole text messages.
    record Frames(LinkedBlockingQueue<String> whole, StringBuilder part) implements WebSocket.Listener {
        Frames(LinkedBlockingQueue<String> whole) {
            this(whole, new StringBuilder());
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                whole.add(part.toString());
                part.setLength(0);
            }
            socket.request(1);
            return null;
        }
    }
}
