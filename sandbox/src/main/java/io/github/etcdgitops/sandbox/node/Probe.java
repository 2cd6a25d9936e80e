package io.github.etcdgitops.sandbox.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a container is asked, how often, and how many answers decide.
record Probe(Check check, Duration initialDelay, Duration period, Duration timeout, int successes, int failures) {
    sealed interface Check {}

    record Http(int port, String path) implements Check {}

    record Tcp(int port) implements Check {}

    record Exec(List<String> command) implements Check {}

    /// Never answers: the sandbox does not know how to ask.
    record Unknown() implements Check {}

    static Optional<Probe> of(JsonNode container, String field) {
        JsonNode probe = container.path(field);
        return probe.isObject()
                ? Optional.of(new Probe(
                        check(probe, container.path("ports")),
                        Duration.ofSeconds(probe.path("initialDelaySeconds").asLong(0)),
                        Duration.ofSeconds(probe.path("periodSeconds").asLong(10)),
                        Duration.ofSeconds(probe.path("timeoutSeconds").asLong(1)),
                        probe.path("successThreshold").asInt(1),
                        probe.path("failureThreshold").asInt(3)))
                : Optional.empty();
    }

    private static Check check(JsonNode probe, JsonNode ports) {
        JsonNode http = probe.path("httpGet");
        JsonNode tcp = probe.path("tcpSocket");
        if (http.isObject() && !http.path("scheme").asText().equals("HTTPS")) {
            return new Http(port(http, ports), http.path("path").asText("/"));
        } else if (tcp.isObject()) {
            return new Tcp(port(tcp, ports));
        } else if (probe.path("exec").isObject()) {
            var command = new ArrayList<String>();
            probe.path("exec").path("command").forEach(word -> command.add(word.asText()));
            return new Exec(List.copyOf(command));
        }
        return new Unknown();
    }

    /// A number, or the name of one of the container's ports.
    private static int port(JsonNode action, JsonNode ports) {
        JsonNode port = action.path("port");
        for (JsonNode named : ports) {
            if (port.isTextual() && named.path("name").asText().equals(port.asText())) {
                return named.path("containerPort").asInt();
            }
        }
        return port.asInt();
    }
}
