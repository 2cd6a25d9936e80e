package io.github.etcdgitops.fake;

import io.github.etcdgitops.certificate.CertificateCheck;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.Validity;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// The Secrets of rings' certificates in a [FakeWorld].
public final class FakeSecrets {
    private final FakeWorld world;
    private final Map<String, Secret> secrets = new HashMap<>();
    private static final Map<List<Integer>, Boolean> SIGNED = new ConcurrentHashMap<>();
    private final Set<String> forbidden = new HashSet<>();

    FakeSecrets(FakeWorld world) {
        this.world = world;
    }

    /// `incomplete` lacks an entry.
    private record Secret(RingSecrets.Content content, String version, boolean ours, boolean incomplete, long epoch) {}

    public RingSecrets port() {
        return new Port();
    }

    /// Whether members can be started with them.
    boolean complete(ClusterRef ref) {
        return Stream.of(RingSecrets.Kind.PEER, RingSecrets.Kind.SERVER, RingSecrets.Kind.CLIENT)
                .allMatch(kind -> secrets.containsKey(key(ref, kind)));
    }

    /// When the one that members show ends: they read it whenever somebody calls.
    Optional<Instant> end(ClusterRef ref) {
        return Optional.ofNullable(secrets.get(key(ref, RingSecrets.Kind.PEER)))
                .flatMap(secret -> CertificateCheck.validity(secret.content().certificate()))
                .map(Validity::end);
    }

    /// What members load that are started now.
    byte[] trusted(ClusterRef ref) {
        return Optional.ofNullable(secrets.get(key(ref, RingSecrets.Kind.PEER)))
                .map(secret -> secret.content().ca())
                .orElseGet(() -> new byte[0]);
    }

    /// Whether whoever trusts in these lets in the members with the certificate that they show now.
    boolean taken(ClusterRef ref, byte[] trusts) {
        return Optional.ofNullable(secrets.get(key(ref, RingSecrets.Kind.PEER)))
                .filter(secret -> signed(ref, Leaf.PEER, secret.content(), trusts))
                .isPresent();
    }

    /// The same of a caller's certificate, out of its time or not.
    static boolean signed(ClusterRef ref, Leaf leaf, RingSecrets.Content shown, byte[] trusts) {
        return SIGNED.computeIfAbsent(
                List.of(Arrays.hashCode(shown.certificate()), Arrays.hashCode(trusts)),
                _ ->
                        CertificateCheck.problems(
                                        leaf,
                                        ref,
                                        new Credential(shown.certificate(), shown.key()),
                                        trusts,
                                        Instant.EPOCH)
                                .stream()
                                .noneMatch(p -> p.contains("not signed by") || p.contains("cannot be read")));
    }

    // --- by other hands

    /// Somebody else makes one, or renews theirs.
    public void putByHand(ClusterRef ref, RingSecrets.Kind kind, RingSecrets.Content content) {
        secrets.put(key(ref, kind), new Secret(content, world.nextVersion(), false, false, 0));
    }

    /// Somebody else writes over one of ours.
    public void putOurs(ClusterRef ref, RingSecrets.Kind kind, RingSecrets.Content content) {
        secrets.put(key(ref, kind), new Secret(content, world.nextVersion(), true, false, 0));
    }

    /// The same, and it lacks an entry.
    public void putIncomplete(ClusterRef ref, RingSecrets.Kind kind) {
        var nothing = new RingSecrets.Content(new byte[0], new byte[0], new byte[0]);
        secrets.put(key(ref, kind), new Secret(nothing, world.nextVersion(), false, true, 0));
    }

    public void lose(ClusterRef ref, RingSecrets.Kind kind) {
        secrets.remove(key(ref, kind));
    }

    /// Nobody here may touch this one any more.
    public void forbid(ClusterRef ref, RingSecrets.Kind kind) {
        forbidden.add(key(ref, kind));
    }

    private static String key(ClusterRef ref, RingSecrets.Kind kind) {
        return ref.namespace() + "/" + kind.secretName(ref);
    }

    private final class Port implements RingSecrets {
        @Override
        public Optional<Stored> read(ClusterRef ref, RingSecrets.Kind kind) {
            return world.call(world.ring(ref), () -> {
                reach(ref, kind);
                return Optional.ofNullable(secrets.get(key(ref, kind))).map(secret -> {
                    if (secret.incomplete()) {
                        throw new GatewayException(
                                GatewayException.Kind.REJECTED,
                                false,
                                "get Secret " + key(ref, kind) + ": it has no tls.crt");
                    }
                    return new Stored(secret.content(), secret.version(), secret.ours());
                });
            });
        }

        @Override
        public String write(
                ClusterRef ref, RingSecrets.Kind kind, Content content, Optional<String> resourceVersion, long epoch) {
            String key = key(ref, kind);
            return world.change(world.ring(ref), "write Secret " + key, () -> {
                reach(ref, kind);
                var live = Optional.ofNullable(secrets.get(key));
                if (resourceVersion.isPresent()) {
                    live.ifPresent(secret -> FakePreconditions.guard(secret.ours(), secret.epoch(), epoch));
                }
                FakePreconditions.expect(live.map(Secret::version), resourceVersion);
                var written = new Secret(content, world.nextVersion(), true, false, epoch);
                secrets.put(key, written);
                return written.version();
            });
        }

        private void reach(ClusterRef ref, RingSecrets.Kind kind) {
            if (world.isApiDown()) {
                throw new GatewayException(
                        GatewayException.Kind.UNREACHABLE, false, "the API server cannot be reached");
            }
            if (forbidden.contains(key(ref, kind))) {
                throw new GatewayException(
                        GatewayException.Kind.UNAUTHORIZED, false, "not allowed to touch Secret " + key(ref, kind));
            }
        }
    }
}
