package io.github.etcdgitops.fake;

import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.CertificateCheck;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.spec.time.Validity;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Duration;
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
    private static final int DELIVERY = 5;

    private final FakeWorld world;
    private final Map<String, Secret> secrets = new HashMap<>();
    private final Map<String, Authority> issuers = new HashMap<>();

    /// What cert-manager was asked for, and since which tick.
    private final Map<String, Ordered> orders = new HashMap<>();

    private static final Map<List<Integer>, Boolean> SIGNED = new ConcurrentHashMap<>();
    private final Set<String> forbidden = new HashSet<>();

    FakeSecrets(FakeWorld world) {
        this.world = world;
    }

    private record Ordered(RingSecrets.Order order, long since) {}

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

    /// Whether there is a certificate of `root`.
    boolean hasRoot(ClusterRef ref) {
        return secrets.containsKey(key(ref, RingSecrets.Kind.ROOT));
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

    /// cert-manager is there, and knows an issuer of this name.
    public void installIssuer(ClusterRef ref, String name) {
        issuers.put(name, Authority.create(ref, world.instant(), Duration.ofDays(3650)));
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
        public RingPasswords passwords() {
            return world.passwords().port();
        }

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

        /// Its controller takes a few ticks, and fills the Secret once.
        @Override
        public Optional<String> order(ClusterRef ref, RingSecrets.Kind kind, Order order, long epoch) {
            String key = key(ref, kind);
            return world.change(world.ring(ref), "order Certificate " + key, () -> {
                reach(ref, kind);
                if (issuers.isEmpty()) {
                    throw new GatewayException(
                            GatewayException.Kind.REJECTED, false, "get Certificate " + key + ": install cert-manager");
                }
                var before = orders.get(key);
                if (before == null || !before.order().equals(order)) {
                    orders.put(key, new Ordered(order, world.ticks()));
                    return Optional.of("the Certificate " + kind.secretName(ref) + " is not ready");
                }
                var issuer = issuers.get(order.issuer().name());
                if (issuer == null || world.ticks() < before.since() + DELIVERY) {
                    return Optional.of("the Certificate " + kind.secretName(ref) + " is not ready");
                }
                if (!secrets.containsKey(key)) {
                    fill(ref, kind, order, issuer);
                }
                return Optional.empty();
            });
        }

        private void fill(ClusterRef ref, RingSecrets.Kind kind, Order order, Authority issuer) {
            var made = issuer.issue(Leaf.valueOf(kind.name()), ref, world.instant(), order.duration());
            putByHand(ref, kind, new Content(made.certificatePem(), made.keyPem(), issuer.certificatePem()));
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
