package io.github.etcdgitops.gateway.store.credential;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.value.StoreEndpoint;
import java.net.URI;
import java.util.Optional;

/// Addresses from documents, files and answers, as URIs.
public final class HttpEndpoint {
    private HttpEndpoint() {}

    /// The server of an address that may have a path and a query. Empty where it is not an address, or has
    /// a user in it.
    public static Optional<StoreEndpoint> server(String text) {
        try {
            var uri = URI.create(text);
            return uri.getRawFragment() != null
                    ? Optional.empty()
                    : StoreEndpoint.parse(uri.getScheme() + "://" + uri.getRawAuthority());
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    public static URI parse(String text, String title) {
        return StoreEndpoint.parse(text)
                .map(endpoint -> URI.create(endpoint.toString()))
                .orElseThrow(() -> new GatewayException(
                        Kind.REJECTED,
                        false,
                        "the endpoint of " + title + " is invalid; expected " + StoreEndpoint.EXPECTED));
    }
}
