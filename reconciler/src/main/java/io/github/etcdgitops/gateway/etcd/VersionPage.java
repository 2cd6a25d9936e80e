package io.github.etcdgitops.gateway.etcd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.spec.EtcdVersion;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;

/// The page `/version` on a member's client port: the version of the ring as a whole is nowhere else to
/// be had before 3.6. Plain text only.
final class VersionPage {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST = 4096;

    private VersionPage() {}

    static EtcdVersion of(MemberAccess.Route route, Duration deadline) {
        String title = "asking the member at " + Endpoint.name(route) + " for the ring's version";
        try {
            var connection =
                    (HttpURLConnection) new URI("http", null, route.host(), route.port(), "/version", null, null)
                            .toURL()
                            .openConnection();
            connection.setConnectTimeout((int) deadline.toMillis());
            connection.setReadTimeout((int) deadline.toMillis());
            connection.setInstanceFollowRedirects(false);
            return version(title, connection);
        } catch (SocketTimeoutException _) {
            throw new GatewayException(Kind.TIMEOUT, false, title + ": no answer within the deadline");
        } catch (IOException | URISyntaxException _) {
            throw new GatewayException(Kind.UNREACHABLE, false, title + ": there was no answer that could be read");
        }
    }

    private static EtcdVersion version(String title, HttpURLConnection connection) throws IOException {
        try (var body = connection.getInputStream()) {
            JsonNode page = JSON.readTree(body.readNBytes(LONGEST));
            return EtcdVersion.parse(page.path("etcdcluster").asText())
                    .orElseThrow(() ->
                            new GatewayException(Kind.REJECTED, false, title + ": the members have not agreed on one"));
        } finally {
            connection.disconnect();
        }
    }
}
