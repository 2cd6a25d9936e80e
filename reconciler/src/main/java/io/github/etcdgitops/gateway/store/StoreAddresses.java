package io.github.etcdgitops.gateway.store;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.value.IpAddress;
import io.github.etcdgitops.spec.value.StoreEndpoint;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/// Checks the addresses of a host name before anything is sent there. The JVM caches the answer for as long
/// as a connection takes to open, so the client connects to the checked address. A store that stays open
/// longer may later be resolved to another server, which then has no certificate for the name.
final class StoreAddresses {
    private final Resolver resolver;

    @FunctionalInterface
    interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    StoreAddresses(Resolver resolver) {
        this.resolver = resolver;
    }

    static StoreAddresses byDns() {
        return new StoreAddresses(InetAddress::getAllByName);
    }

    /// `host` is the host of the connection: with S3, it may contain the bucket.
    void require(StoreEndpoint endpoint, String host, boolean linkLocal, String title) {
        for (var address : resolve(host)) {
            if (address.noServer()) {
                throw refused(title, host, "an address that cannot belong to a server");
            }
            if (address.linkLocal() && !linkLocal) {
                throw refused(
                        title,
                        host,
                        "a link-local or metadata address; if this is intended, add allow-link-local to the line of"
                                + " this place");
            }
            if (!endpoint.tls() && endpoint.loopback() && !address.loopback()) {
                throw refused(title, host, "another host, and the endpoint is not encrypted");
            }
        }
    }

    /// The client reports an unknown name.
    private List<IpAddress> resolve(String host) {
        try {
            return Arrays.stream(resolver.resolve(host))
                    .map(InetAddress::getAddress)
                    .map(IpAddress::new)
                    .toList();
        } catch (UnknownHostException _) {
            return List.of();
        }
    }

    private static GatewayException refused(String title, String host, String why) {
        return new GatewayException(
                Kind.UNAUTHORIZED, false, title + " may not be used: the name " + host + " leads to " + why);
    }
}
