package io.github.etcdgitops.gateway.store;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.net.URI;
import java.util.Locale;

/// Addresses from documents and files: http and https, a host, and no user and password in them.
final class HttpEndpoint {
    private HttpEndpoint() {}

    static boolean acceptable(URI uri) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        return (scheme.equals("https") || scheme.equals("http"))
                && uri.getHost() != null
                && uri.getRawUserInfo() == null;
    }

    static URI parse(String text, String title) {
        try {
            var uri = URI.create(text);
            if (acceptable(uri)) {
                return uri;
            }
        } catch (IllegalArgumentException _) {
            // said below
        }
        throw new GatewayException(
                Kind.REJECTED, false, "the endpoint of " + title + " is not an http or https address with a host");
    }
}
