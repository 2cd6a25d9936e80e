package io.github.etcdgitops.gateway.kube.manifest;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.CanonicalJson;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.journal.JournalFile;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The ConfigMaps of a ring: the members' files, the journal, and what a consumer needs to connect.
public final class ConfigMapManifests {
    private static final int DIGEST_LENGTH = 12;

    private ConfigMapManifests() {}

    static ConfigMap members(ClusterRef ref, SortedMap<Integer, String> files, long epoch) {
        Map<String, String> data = new TreeMap<>();
        files.forEach((ordinal, text) -> data.put(MemberConfigFile.key(ref, ordinal), text));
        return configMap(ref, Labels.members(ref), epoch, data);
    }

    /// Of what decides, besides a member's own name, what is in its file. A ring in the clear without
    /// any gate has the digest that it had before there was anything else.
    public static String digest(MemberSettings applied) {
        var parts = new TreeMap<String, Object>();
        parts.put("version", applied.version().toString());
        parts.put("options", applied.options());
        if (applied.transport().secured()) {
            parts.put("transport", applied.transport().describe());
        }
        // Members load their CAs only when they are started.
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

    static ConfigMap journal(ClusterRef ref, Journal journal) {
        return configMap(
                ref, Labels.journal(ref), journal.epoch(), Map.of(JournalFile.KEY, JournalFile.write(journal)));
    }

    /// `endpoints` is the client Service, which only ready members stand behind; `memberEndpoints` are
    /// the members one by one, for clients that balance for themselves. `ca.crt` is there as soon as
    /// clients may come over TLS, the scheme is https when they must.
    static ConfigMap connection(RingObjects wanted) {
        ClusterRef ref = wanted.spec().ref();
        var client = wanted.applied().transport().client();
        String scheme = client.plain() ? "http" : "https";
        String members = IntStream.range(0, wanted.voters())
                .mapToObj(ordinal -> url(scheme, ref.memberHost(ordinal)))
                .collect(Collectors.joining(","));
        Map<String, String> data = new TreeMap<>();
        data.put("scheme", scheme);
        data.put("endpoints", url(scheme, ref.name() + "." + ref.namespace() + ".svc"));
        data.put("memberEndpoints", members);
        wanted.authority().filter(_ -> client.secured()).ifPresent(ca -> data.put("ca.crt", ca));
        return configMap(ref, Labels.connection(ref), wanted.epoch(), data);
    }

    private static String url(String scheme, String host) {
        return scheme + "://" + host + ":" + Ports.CLIENT;
    }

    private static ConfigMap configMap(ClusterRef ref, String name, long epoch, Map<String, String> data) {
        return new ConfigMapBuilder()
                .withMetadata(Metadata.of(ref, name, epoch))
                .withData(data)
                .build();
    }
}
