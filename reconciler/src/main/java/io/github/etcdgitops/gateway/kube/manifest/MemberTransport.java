package io.github.etcdgitops.gateway.kube.manifest;

import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.spec.value.Transport.Mode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Where a member listens, and with which certificates, as keys of etcd's own file.
///
/// Peers have a port for each transport. Clients have one for both: etcd distinguishes TLS from plain text
/// by the first bytes that a client sends, provided that the https address is named first.
final class MemberTransport {
    private static final String ANY = "0.0.0.0";

    private MemberTransport() {}

    static void put(Map<String, Object> file, String host, Transport transport) {
        var peers = new ArrayList<String>();
        if (transport.peer().plain()) {
            peers.add("http://" + ANY + ":" + Ports.PEER);
        }
        if (transport.peer().secured()) {
            peers.add("https://" + ANY + ":" + Ports.PEER_TLS);
        }
        file.put("listen-peer-urls", String.join(",", peers));
        file.put("listen-client-urls", clients(ANY, transport.client()));
        file.put("listen-metrics-urls", "http://" + ANY + ":" + Ports.METRICS);
        file.put("advertise-client-urls", clients(host, transport.client()));
        if (transport.peer().secured()) {
            file.put("peer-transport-security", security(PodPaths.PEER));
        }
        if (transport.client().secured()) {
            file.put("client-transport-security", security(PodPaths.SERVER));
        }
    }

    private static String clients(String host, Mode mode) {
        return String.join(
                ",",
                schemes(mode).stream()
                        .map(s -> s + "://" + host + ":" + Ports.CLIENT)
                        .toList());
    }

    private static List<String> schemes(Mode mode) {
        return switch (mode) {
            case PLAIN -> List.of("http");
            case MIXED -> List.of("https", "http");
            case MUTUAL -> List.of("https");
        };
    }

    /// Required of every TLS caller, also while plain text is still open: problems appear before plain text
    /// is closed.
    private static Map<String, Object> security(String kind) {
        var files = new LinkedHashMap<String, Object>();
        files.put("cert-file", PodPaths.tlsFile(kind, "tls.crt"));
        files.put("key-file", PodPaths.tlsFile(kind, "tls.key"));
        files.put("client-cert-auth", true);
        files.put("trusted-ca-file", PodPaths.tlsFile(kind, "ca.crt"));
        return files;
    }
}
