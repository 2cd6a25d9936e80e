package io.github.etcdgitops.trial.forge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.etcdgitops.it.Relay;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/// The planner's identity before a sandbox, which knows no identities: a way to its API for a token alone, on which
/// whatever would change something ends the connection. It reads what goes over the wire, so that it works without TLS
/// alone.
final class PlannersView implements AutoCloseable {
    static final String TOKEN = "token-of-the-planner-4711";

    private static final Pattern REQUEST = Pattern.compile("([A-Z]+) (/\\S*) HTTP/1\\.1\r\n");

    private final Relay relay;
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private final List<String> secrets = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();

    PlannersView(URI server) {
        TrialFailure.unless(server.getScheme().equals("http"), "the trial needs a sandbox");
        relay = new Relay(server, this::allowed);
    }

    /// Requests begin where bytes begin: a client waits for one answer before it asks again.
    private int allowed(Object connection, Relay.Direction direction, byte[] bytes, int count) {
        if (direction == Relay.Direction.TO_CLIENT) {
            return count;
        }
        String head = new String(bytes, 0, count, ISO_8859_1);
        var request = REQUEST.matcher(head);
        if (!request.lookingAt()) {
            return count;
        }
        requests.incrementAndGet();
        if (request.group(2).contains("/secrets")) {
            secrets.add(request.group());
        }
        boolean reads = request.group(1).equals("GET") && head.contains("Bearer " + TOKEN + "\r\n");
        if (!reads) {
            refused.add(request.group());
        }
        return reads ? count : 0;
    }

    Path kubeconfig(Path file) throws IOException {
        return Files.writeString(file, """
            apiVersion: v1
            kind: Config
            current-context: planner
            contexts: [{name: planner, context: {cluster: here, user: planner}}]
            clusters: [{name: here, cluster: {server: "http://%s"}}]
            users: [{name: planner, user: {token: %s}}]
            """.formatted(relay.endpoint().getAuthority(), TOKEN));
    }

    int requests() {
        return requests.get();
    }

    /// Nothing but reading, and no Secret: the ring has no TLS.
    void demandNothingElse() {
        TrialFailure.unless(refused.isEmpty(), "the planner asked for more than to read: " + refused);
        TrialFailure.unless(secrets.isEmpty(), "the planner read Secrets: " + secrets);
    }

    @Override
    public void close() {
        relay.close();
    }
}
