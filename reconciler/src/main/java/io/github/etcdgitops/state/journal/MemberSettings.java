package io.github.etcdgitops.state.journal;

import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.auth.TokenKey;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Transport;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What the members' files carry: version, etcd options, image, transport, the CAs at their start, and
/// etcd's own feature gates that are on. So a member that joins later is like the others. Without an image,
/// the image is the tag of the version.
public record MemberSettings(
        EtcdVersion version,
        SortedMap<String, Object> options,
        Optional<String> image,
        Transport transport,
        Authorities trusted,
        SortedSet<FeatureGate> features) {
    public MemberSettings {
        features = Collections.unmodifiableSortedSet(new TreeSet<>(features));
        var normal = new TreeMap<String, Object>();
        options.forEach((name, value) -> normal.put(name, wide(value)));
        options = Collections.unmodifiableSortedMap(normal);
    }

    /// In plain text, with the image tagged with the version.
    public MemberSettings(EtcdVersion version, SortedMap<String, Object> options) {
        this(version, options, Optional.empty(), Transport.PLAIN, Authorities.FIRST, new TreeSet<>());
    }

    /// The configuration of the members of an adopted ring: in plain text, without a CA and without etcd's
    /// own feature gates, whatever the spec asks for next.
    public static MemberSettings adopting(EtcdClusterSpec.Server server) {
        var image = Optional.of(server.imageOf(server.version()));
        return new MemberSettings(
                server.version(), server.options(), image, Transport.PLAIN, Authorities.FIRST, new TreeSet<>());
    }

    /// The configuration of the members of a new ring.
    public static MemberSettings founding(EtcdClusterSpec.Server server, EtcdVersion version) {
        return new MemberSettings(
                version,
                server.options(),
                Optional.of(server.imageOf(version)),
                server.tls().transport(),
                Authorities.of(server.tls().authority().number()),
                server.features().ofMembers(version));
    }

    /// After how many entries a member writes a snapshot of its log; empty where that is left to etcd.
    public Optional<Long> snapshotCount() {
        return options.get("snapshotCount") instanceof Number count ? Optional.of(count.longValue()) : Optional.empty();
    }

    /// Empty where tokens are of the kind `simple`.
    public Optional<TokenKey> tokenKey() {
        return TokenKey.of(options);
    }

    public MemberSettings with(Transport other) {
        return new MemberSettings(version, options, image, other, trusted, features);
    }

    public MemberSettings with(Authorities others) {
        return new MemberSettings(version, options, image, transport, others, features);
    }

    /// Drops feature gates that the release does not have.
    public MemberSettings with(EtcdVersion release, String reference) {
        var known = new TreeSet<>(features);
        known.removeIf(gate -> !gate.isIn(release));
        return new MemberSettings(release, options, Optional.of(reference), transport, trusted, known);
    }

    /// Numbers are compared by value: a number read back from JSON may have another width than the written
    /// one.
    private static Object wide(Object value) {
        return switch (value) {
            case Integer number -> number.longValue();
            case Map<?, ?> map -> {
                var wide = new TreeMap<String, Object>();
                map.forEach((k, v) -> wide.put(String.valueOf(k), wide(v)));
                yield wide;
            }
            default -> value;
        };
    }
}
