package io.github.etcdgitops.gateway.etcd;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.PeerConnections;
import io.github.etcdgitops.gateway.PeerConnections.Heard;
import io.github.etcdgitops.gateway.bounded.WholeAnswer;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.state.member.SettingsInUse;
import io.github.etcdgitops.state.value.EtcdId;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The Prometheus page at a member's metrics port, in plain text. Only there does etcd report the cluster
/// version, the connections between its members and its feature gates without a certificate. A metric that no
/// longer applies stays on the page with the value 0.
///
/// `title` starts messages.
record MetricsPage(String title, String text) {
    private static final int LARGEST = 4 << 20;
    private static final int OK = 200;

    private static final Pattern CLUSTER_VERSION =
            Pattern.compile("(?m)^etcd_cluster_version\\{cluster_version=\"([0-9.]{3,12})\"} 1$");
    private static final Pattern SERVER_VERSION =
            Pattern.compile("(?m)^etcd_server_version\\{server_version=\"([0-9.]{5,14})\"} 1$");
    private static final Pattern ACTIVE_PEER = Pattern.compile(
            "(?m)^etcd_network_active_peers\\{Local=\"[0-9a-f]{1,16}\",Remote=\"([0-9a-f]{1,16})\"} 1$");
    /// From a million on, Prometheus prints an exponent.
    private static final String NUMBER = " ([0-9]{1,18}(?:[.][0-9]{1,18})?(?:e[+][0-9]{1,2})?)$";

    private static final Pattern PROBES =
            Pattern.compile("(?m)^etcd_network_peer_round_trip_time_seconds_count\\{To=\"([0-9a-f]{1,16})\"}" + NUMBER);
    private static final Pattern HEARD =
            Pattern.compile("(?m)^etcd_network_peer_received_bytes_total\\{From=\"([0-9a-f]{1,16})\"}" + NUMBER);
    private static final Pattern LEADS = Pattern.compile("(?m)^etcd_server_is_leader 1$");
    private static final Pattern QUOTA = Pattern.compile("(?m)^etcd_server_quota_backend_bytes" + NUMBER);
    private static final Pattern FEATURE = Pattern.compile(
            "(?m)^etcd_server_feature_enabled\\{name=\"([A-Za-z]{1,60})\",stage=\"[A-Z]{0,20}\"} ([01])$");
    /// etcd counts a request of its v2 API by method. A look at its keys is a GET, also ours.
    private static final Pattern V2_WRITES =
            Pattern.compile("(?m)^etcd_http_received_total\\{method=\"(?:PUT|POST|DELETE)\"}" + NUMBER);
    private static final Pattern REVISION = Pattern.compile("(?m)^etcd_debugging_mvcc_current_revision" + NUMBER);
    private static final Pattern LEADERS = Pattern.compile("(?m)^etcd_server_leader_changes_seen_total" + NUMBER);

    /// Each read uses its own connection and closes it.
    static MetricsPage read(String what, MemberAccess.Route route, Duration deadline) {
        String title = "asking the member at " + Endpoint.name(route) + " for " + what;
        try (var client =
                HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build()) {
            try {
                var request = HttpRequest.newBuilder(
                                new URI("http", null, route.host(), route.port(), "/metrics", null, null))
                        .version(HttpClient.Version.HTTP_1_1)
                        .build();
                var body = BodyHandlers.limiting(BodyHandlers.ofString(StandardCharsets.UTF_8), LARGEST);
                return page(title, WholeAnswer.within(deadline, client, request, body));
            } finally {
                client.shutdownNow();
            }
        } catch (HttpTimeoutException _) {
            throw new GatewayException(Kind.TIMEOUT, false, title + ": no answer within the deadline");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new GatewayException(Kind.TIMEOUT, false, title + ": it was interrupted");
        } catch (IOException e) {
            throw new GatewayException(Kind.UNREACHABLE, false, title + ": " + why(e));
        } catch (URISyntaxException _) {
            throw new GatewayException(Kind.UNREACHABLE, false, title + ": its address is invalid");
        }
    }

    private static MetricsPage page(String title, HttpResponse<String> answer) {
        if (answer.statusCode() != OK) {
            throw new GatewayException(Kind.REJECTED, false, title + ": it answered HTTP " + answer.statusCode());
        }
        return new MetricsPage(title, answer.body());
    }

    private static String why(IOException failure) {
        return failure instanceof ConnectException ? "connection refused" : "the answer could not be read";
    }

    EtcdVersion clusterVersion() {
        return values(CLUSTER_VERSION)
                .flatMap(line -> EtcdVersion.parse(line.replaceFirst("^([0-9]+[.][0-9]+).*$", "$1.0")).stream())
                .max(Comparator.naturalOrder())
                .orElseThrow(() ->
                        new GatewayException(Kind.REJECTED, false, title + ": the members have not agreed on one"));
    }

    /// A server that supports these metrics also shows no line of them until it has met a peer.
    Optional<PeerConnections> connections() {
        boolean counted = values(SERVER_VERSION)
                .flatMap(version -> EtcdVersion.parse(version).stream())
                .anyMatch(version -> version.atLeast(3, 4, 0));
        if (!counted) {
            return Optional.empty();
        }
        var active = values(ACTIVE_PEER).map(EtcdId::parse).collect(Collectors.toUnmodifiableSet());
        return Optional.of(new PeerConnections(active, byPeer(PROBES)));
    }

    long revision() {
        return values(REVISION)
                .mapToLong(MetricsPage::count)
                .max()
                .orElseThrow(() -> new GatewayException(Kind.REJECTED, false, title + ": it shows none"));
    }

    long v2Writes() {
        return values(V2_WRITES).mapToLong(MetricsPage::count).sum();
    }

    Heard heard() {
        long leaders = values(LEADERS).mapToLong(MetricsPage::count).sum();
        return new Heard(byPeer(HEARD), LEADS.matcher(text).find(), leaders);
    }

    /// A quota of 0 is one that is not set yet.
    SettingsInUse settings() {
        var features = new EnumMap<FeatureGate, Boolean>(FeatureGate.class);
        FEATURE.matcher(text)
                .results()
                .forEach(found -> FeatureGate.named(found.group(1))
                        .ifPresent(gate -> features.put(gate, found.group(2).equals("1"))));
        var quota = values(QUOTA).map(MetricsPage::count).filter(bytes -> bytes > 0);
        return new SettingsInUse(quota.findFirst(), features);
    }

    private Map<EtcdId, Long> byPeer(Pattern sample) {
        var counts = new HashMap<EtcdId, Long>();
        sample.matcher(text)
                .results()
                .forEach(found -> counts.put(EtcdId.parse(found.group(1)), count(found.group(2))));
        return counts;
    }

    private static long count(String number) {
        return (long) Double.parseDouble(number);
    }

    private Stream<String> values(Pattern sample) {
        return sample.matcher(text).results().map((MatchResult found) -> found.group(1));
    }
}
