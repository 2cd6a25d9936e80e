package io.github.etcdgitops.certificate;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.WireName;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The purpose of a ring's certificate. One certificate serves all members, also future ones.
public enum Leaf implements WireName {
    /// Between members, in both directions.
    PEER,
    /// Members towards clients. etcd also calls itself with it, for its JSON gateway.
    SERVER,
    /// For callers of the members; without names, because nothing connects to it.
    CLIENT,
    /// The same for etcd's user `root`: a member with authentication takes the common name for the user.
    ROOT;

    private static final int COMMON_NAME = 64;
    private static final String LOCALHOST = "localhost";
    private static final String LOOPBACK = "127.0.0.1";

    /// Not every Kubernetes cluster has this domain: names with it are included and never required.
    private static final String DEFAULT_DOMAIN = ".cluster.local";

    /// The purposes of the certificate, in cert-manager's words.
    public List<String> purposes() {
        return Stream.concat(Stream.of("digital signature"), usages().stream().map(usage -> switch (usage) {
                    case SERVER -> "server auth";
                    case CLIENT -> "client auth";
                }))
                .toList();
    }

    List<Usage> usages() {
        return switch (this) {
            case PEER, SERVER -> List.of(Usage.SERVER, Usage.CLIENT);
            case CLIENT, ROOT -> List.of(Usage.CLIENT);
        };
    }

    public String commonName(ClusterRef ref) {
        String end = "-" + wire();
        return switch (this) {
            case PEER, SERVER, CLIENT -> cut(ref.name(), COMMON_NAME - end.length()) + end;
            case ROOT -> wire();
        };
    }

    static String cut(String text, int length) {
        return text.substring(0, Math.min(length, text.length()));
    }

    /// Subject alternative names. etcd resolves a caller's names one after the other until one gives the
    /// caller's address, so existing names come first. The names are exact: for a wildcard etcd needs a
    /// reverse lookup, and a pod need not have such an entry.
    public List<String> dnsNames(ClusterRef ref) {
        var members = members(ref);
        var service = service(ref);
        var local = List.of(LOCALHOST);
        return switch (this) {
            case PEER -> joined(Stream.of(members, local, inDefaultDomain(members)));
            case SERVER ->
                joined(Stream.of(
                        members, local, service, inDefaultDomain(members), inDefaultDomain(service.subList(0, 1))));
            case CLIENT, ROOT -> List.of();
        };
    }

    private static List<String> joined(Stream<List<String>> lists) {
        return lists.flatMap(List::stream).toList();
    }

    private static List<String> inDefaultDomain(List<String> names) {
        return names.stream().map(name -> name + DEFAULT_DOMAIN).toList();
    }

    public List<String> addresses() {
        return switch (this) {
            case PEER, SERVER -> List.of(LOOPBACK, "::1");
            case CLIENT, ROOT -> List.of();
        };
    }

    /// The names and addresses that a ring needs; a certificate from another issuer may have fewer than
    /// ours.
    List<String> required(ClusterRef ref) {
        return switch (this) {
            case PEER -> members(ref);
            case SERVER -> joined(Stream.of(members(ref), List.of(service(ref).getFirst(), LOCALHOST, LOOPBACK)));
            case CLIENT, ROOT -> List.of();
        };
    }

    /// Whether a wildcard may replace the names that it covers, as for clients that call a server.
    boolean wildcards() {
        return switch (this) {
            case PEER -> false;
            case SERVER, CLIENT, ROOT -> true;
        };
    }

    private static List<String> members(ClusterRef ref) {
        return IntStream.range(0, EtcdClusterSpec.MAX_SIZE)
                .mapToObj(ref::memberHost)
                .toList();
    }

    private static List<String> service(ClusterRef ref) {
        String name = ref.name() + "." + ref.namespace();
        return List.of(name + ".svc", name, ref.name());
    }

    /// Extended key usage.
    enum Usage {
        SERVER("1.3.6.1.5.5.7.3.1", "server authentication"),
        CLIENT("1.3.6.1.5.5.7.3.2", "client authentication");

        static final String ANY = "2.5.29.37.0";

        private final String oid;
        private final String words;

        Usage(String oid, String words) {
            this.oid = oid;
            this.words = words;
        }

        String oid() {
            return oid;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    @Override
    public String wire() {
        return switch (this) {
            case PEER -> "peer";
            case SERVER -> "server";
            case CLIENT -> "client";
            case ROOT -> "root";
        };
    }
}
