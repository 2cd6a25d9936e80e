package io.github.etcdgitops.spec.value;

import java.util.List;
import java.util.stream.Stream;

/// How members talk to each other, and how clients talk to members.
public record Transport(Mode peer, Mode client) {
    public static final Transport PLAIN = new Transport(Mode.PLAIN, Mode.PLAIN);

    private static final int PEER = 2380;

    /// etcd cannot serve both transports to peers on one port, as it can to clients.
    private static final int PEER_TLS = 2381;

    public enum Mode implements WireName {
        /// In plain text.
        PLAIN,
        /// In plain text, or with certificates on both sides: the caller chooses.
        MIXED,
        /// Only with certificates on both sides.
        MUTUAL;

        public boolean secured() {
            return this != PLAIN;
        }

        public boolean plain() {
            return this != MUTUAL;
        }

        /// Cuts nothing off: between plain and mutual there is always a time of both.
        private Mode towards(Mode wanted) {
            boolean apart = plain() != wanted.plain() && secured() != wanted.secured();
            return apart ? MIXED : wanted;
        }

        @Override
        public String wire() {
            return switch (this) {
                case PLAIN -> "plain";
                case MIXED -> "mixed";
                case MUTUAL -> "mutual";
            };
        }
    }

    /// The next step on the way to the wanted transport.
    public Transport towards(Transport wanted) {
        return new Transport(peer.towards(wanted.peer), client.towards(wanted.client));
    }

    /// Whether certificates are needed.
    public boolean secured() {
        return peer.secured() || client.secured();
    }

    /// Whether it would open again what was closed to callers without a certificate.
    public boolean reopens(Transport wanted) {
        return (!peer.plain() && wanted.peer.plain()) || (!client.plain() && wanted.client.plain());
    }

    /// Whether `wanted` excludes callers without a certificate that are not excluded yet.
    public boolean cutsOffPlainClients(Transport wanted) {
        return client.plain() && !wanted.client.plain();
    }

    /// The member's peer URLs, in etcd's own order: plain-text ones come first, so that a member without
    /// certificates can connect.
    public List<String> peerUrls(ClusterRef ref, int ordinal) {
        return Stream.of(
                        peer.plain()
                                ? Stream.of("http://" + ref.memberHost(ordinal) + ":" + PEER)
                                : Stream.<String>of(),
                        peer.secured()
                                ? Stream.of("https://" + ref.memberHost(ordinal) + ":" + PEER_TLS)
                                : Stream.<String>of())
                .flatMap(urls -> urls)
                .toList();
    }

    /// `peers plain, clients mixed`.
    public String describe() {
        return "peers " + name(peer) + ", clients " + name(client);
    }

    public static String name(Mode mode) {
        return switch (mode) {
            case PLAIN -> "plain";
            case MIXED -> "mixed";
            case MUTUAL -> "mutual";
        };
    }
}
