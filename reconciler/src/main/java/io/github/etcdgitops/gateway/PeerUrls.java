package io.github.etcdgitops.gateway;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;

/// Peer URLs as etcd can use them: `http` or `https`, a host and a port, and nothing more. etcd stores any
/// URL for a member, and releases without their own check exit when they read an invalid one again: all
/// members at once, and at every later start.
public final class PeerUrls {
    private static final int LARGEST_PORT = 65_535;

    private PeerUrls() {}

    /// All of them, in order. Throws IllegalArgumentException when there is none, a duplicate, or an
    /// invalid one.
    public static List<URI> parse(List<String> urls) {
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("a member has at least one peer URL, and none was given");
        }
        if (new HashSet<>(urls).size() < urls.size()) {
            throw new IllegalArgumentException("a peer URL is given twice: " + String.join(", ", urls));
        }
        return urls.stream().map(PeerUrls::parse).toList();
    }

    private static URI parse(String url) {
        try {
            var uri = new URI(url);
            if (isPeerUrl(uri) && url.equals(uri.getScheme() + "://" + uri.getHost() + ":" + uri.getPort())) {
                return uri;
            }
        } catch (URISyntaxException _) {
            // The reason is the same as for the others.
        }
        throw new IllegalArgumentException(
                "'" + url + "' is not a peer URL of etcd, such as http://HOST:PORT or https://HOST:PORT");
    }

    private static boolean isPeerUrl(URI uri) {
        boolean scheme = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        return scheme && uri.getHost() != null && uri.getPort() > 0 && uri.getPort() <= LARGEST_PORT;
    }
}
