package io.github.etcdgitops.gateway.kube.manifest;

import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.CanonicalJson;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.journal.JournalFile;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The ConfigMaps of a ring: the members' files, the journal, and the connection data for clients.
public final class ConfigMapManifests {
    /// Every entry that [#binding] may have.
    public static final Set<String> BINDING = Set.of("type", "provider", "host", "port", "uri", "endpoints", "ca.crt");

    private static final int DIGEST_LENGTH = 12;

    private ConfigMapManifests() {}

    static JsonObject members(ClusterRef ref, SortedMap<Integer, String> files, long epoch) {
        Map<String, String> data = new TreeMap<>();
        files.forEach((ordinal, text) -> data.put(MemberConfigFile.key(ref, ordinal), text));
        return configMap(ref, Labels.members(ref), epoch, data);
    }

    /// The digest of everything that determines a member's file, apart from the member's own name. A
    /// plain-text ring without feature gates has the same digest as in versions without TLS and gates.
    public static String digest(MemberSettings applied) {
        var parts = new TreeMap<String, Object>();
        parts.put("version", applied.version().toString());
        parts.put("options", applied.options());
        if (applied.transport().secured()) {
            parts.put("transport", applied.transport().describe());
        }
        // Members load their CAs only at their start.
        if (!applied.trusted().equals(Authorities.FIRST)) {
            parts.put("trusted", applied.trusted().describe());
        }
        if (!applied.features().isEmpty()) {
            parts.put(
                    "features",
                    applied.features().stream().map(FeatureGate::title).toList());
        }
        return CanonicalJson.digest(parts).substring(0, DIGEST_LENGTH);
    }

    static JsonObject journal(ClusterRef ref, Journal journal) {
        return configMap(
                ref, Labels.journal(ref), journal.epoch(), Map.of(JournalFile.KEY, JournalFile.write(journal)));
    }

    /// `endpoints` is the client Service, which selects only ready members; `memberEndpoints` are the
    /// single members, for clients that balance themselves. `ca.crt` is present once clients may use TLS,
    /// and the scheme is https once they must.
    static JsonObject connection(RingObjects wanted) {
        ClusterRef ref = wanted.spec().ref();
        String scheme = scheme(wanted);
        String members = IntStream.range(0, wanted.voters())
                .mapToObj(ordinal -> url(scheme, ref.memberHost(ordinal)))
                .collect(Collectors.joining(","));
        Map<String, String> data = new TreeMap<>();
        data.put("scheme", scheme);
        data.put("endpoints", url(scheme, host(ref)));
        data.put("memberEndpoints", members);
        authority(wanted).ifPresent(ca -> data.put("ca.crt", ca));
        return configMap(ref, Labels.connection(ref), wanted.epoch(), data);
    }

    /// What the Secret of a user tells beside the user: the same endpoints, with the entries of Service Binding.
    public static SortedMap<String, String> binding(RingObjects wanted) {
        String host = host(wanted.spec().ref());
        String url = url(scheme(wanted), host);
        var data = new TreeMap<String, String>();
        data.put("type", "etcd");
        data.put("provider", Labels.MANAGER);
        data.put("host", host);
        data.put("port", String.valueOf(Ports.CLIENT));
        data.put("uri", url);
        data.put("endpoints", url);
        authority(wanted).ifPresent(ca -> data.put("ca.crt", ca));
        return data;
    }

    private static String scheme(RingObjects wanted) {
        return wanted.applied().transport().client().plain() ? "http" : "https";
    }

    private static String host(ClusterRef ref) {
        return ref.name() + "." + ref.namespace() + ".svc";
    }

    private static Optional<String> authority(RingObjects wanted) {
        return wanted.authority()
                .filter(_ -> wanted.applied().transport().client().secured());
    }

    private static String url(String scheme, String host) {
        return scheme + "://" + host + ":" + Ports.CLIENT;
    }

    private static JsonObject configMap(ClusterRef ref, String name, long epoch, Map<String, String> data) {
        return JsonObject.of(ObjectKind.CONFIG_MAP, Metadata.of(ref, name, epoch))
                .put("data", data);
    }
}
