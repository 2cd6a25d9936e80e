package io.github.etcdgitops.state.journal;

import io.github.etcdgitops.spec.Authorities;
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

/// Version and etcd options that the members' files carry, so that a member joining later is like its
/// siblings, the image that they run, how they are talked to, the CAs that they were started with,
/// and etcd's own switches that are on. Without an image it is the tag of the version.
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

    /// In the clear, from the image of the version's tag.
    public MemberSettings(EtcdVersion version, SortedMap<String, Object> options) {
        this(version, options, Optional.empty(), Transport.PLAIN, Authorities.FIRST, new TreeSet<>());
    }

    /// What the members of a ring that is taken over are configured with: in the clear, without a CA
    /// and without etcd's own switches, whatever the spec asks for next.
    public static MemberSettings adopting(EtcdClusterSpec.Server server) {
        var image = Optional.of(server.imageOf(server.version()));
        return new MemberSettings(
                server.version(), server.options(), image, Transport.PLAIN, Authorities.FIRST, new TreeSet<>());
    }

    /// What the members of a new ring are configured with.
    public static MemberSettings founding(EtcdClusterSpec.Server server, EtcdVersion version) {
        return new MemberSettings(
                version,
                server.options(),
                Optional.of(server.imageOf(version)),
                server.tls().transport(),
                Authorities.of(server.tls().authority().number()),
                server.features().ofMembers(version));
    }

    public MemberSettings with(Transport other) {
        return new MemberSettings(version, options, image, other, trusted, features);
    }

    public MemberSettings with(Authorities others) {
        return new MemberSettings(version, options, image, transport, others, features);
    }

    /// A release that lacks a switch does without it.
    public MemberSettings with(EtcdVersion release, String reference) {
        var known = new TreeSet<>(features);
        known.removeIf(gate -> !gate.isIn(release));
        return new MemberSettings(release, options, Optional.of(reference), transport, trusted, known);
    }

    /// Numbers are compared by value: what was read back from JSON may be of another width than what
    /// was written.
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
