package io.github.etcdgitops.gateway.store;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.value.IpAddress;
import io.github.etcdgitops.spec.value.StoreEndpoint;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/// Looks where a name leads before anything is sent there. The JVM keeps the answer for as long as a connection takes
/// to be made, so that the client connects to what was looked at; a store that stays open for longer may be led
/// elsewhere later, to a server that then has no certificate for the name.
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

    /// `host` is the one that is connected to: with S3, the bucket may be part of it.
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

    /// A name that is not known is the client's to report.
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
