package io.github.etcdgitops.gateway.etcd;

import io.github.etcdgitops.certificate.CertificateCheck;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.gateway.ClientIdentityGone;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.RingSecrets.Kind;
import io.github.etcdgitops.spec.time.Validity;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.value.Observed;
import io.github.etcdgitops.state.value.Observed.Cause;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Our identities from the Secrets of each ring: `NAME-client-tls` where it requires certificates, and those
/// of `root`, `NAME-root-tls` and `NAME-root-auth`, which are read only where etcd refuses the ordinary one. A
/// Secret is read again after ten seconds, also one that was missing, so that members asked one after the
/// other cost one read, and a renewed certificate is used soon.
public final class RingIdentities implements Identities {
    private static final Duration KEPT = Duration.ofSeconds(10);

    private final RingSecrets secrets;
    private final RingPasswords passwords;
    private final InstantSource clock;
    private final Map<ClusterRef, Read<TlsMaterial>> ordinary = new ConcurrentHashMap<>();
    private final Map<ClusterRef, Read<Observed<TlsMaterial>>> certificates = new ConcurrentHashMap<>();
    private final Map<ClusterRef, Read<Observed<RingPasswords.Stored>>> signIns = new ConcurrentHashMap<>();

    private record Read<T>(T value, Instant until) {}

    public RingIdentities(RingSecrets secrets, RingPasswords passwords, InstantSource clock) {
        this.secrets = secrets;
        this.passwords = passwords;
        this.clock = clock;
    }

    @Override
    public Optional<TlsMaterial> ordinary(MemberAccess.Route route) {
        return switch (route.door()) {
            case CLIENT, PEER, METRICS -> Optional.empty();
            case CLIENT_TLS, PEER_TLS -> route.ring().map(ref -> kept(ordinary, ref, this::client));
        };
    }

    @Override
    public Observed<TlsMaterial> rootCertificate(MemberAccess.Route route) {
        return route.ring()
                .map(ref -> kept(certificates, ref, this::certificate))
                .orElseGet(() -> Identities.super.rootCertificate(route));
    }

    @Override
    public Observed<RingPasswords.Stored> rootPassword(MemberAccess.Route route) {
        return route.ring()
                .map(ref -> kept(signIns, ref, this::password))
                .orElseGet(() -> Identities.super.rootPassword(route));
    }

    @Override
    public Observed<RingPasswords.Stored> rootPasswordAgain(MemberAccess.Route route) {
        route.ring().ifPresent(signIns::remove);
        return rootPassword(route);
    }

    private <T> T kept(Map<ClusterRef, Read<T>> known, ClusterRef ref, Function<ClusterRef, Read<T>> read) {
        var now = clock.instant();
        return known.compute(
                        ref,
                        (_, earlier) -> earlier != null && now.isBefore(earlier.until()) ? earlier : read.apply(ref))
                .value();
    }

    private Read<TlsMaterial> client(ClusterRef ref) {
        var content = secrets.read(ref, Kind.CLIENT)
                .orElseThrow(() -> new ClientIdentityGone(
                        absent(ref, Kind.CLIENT.secretName(ref)) + ": without it the ring's members cannot be called"))
                .content();
        return read(material(content), CertificateCheck.validity(content.certificate()));
    }

    private Read<Observed<TlsMaterial>> certificate(ClusterRef ref) {
        String name = Kind.ROOT.secretName(ref);
        try {
            var stored = secrets.read(ref, Kind.ROOT);
            if (stored.isEmpty()) {
                return read(unusable(absent(ref, name)), Optional.empty());
            }
            var content = stored.get().content();
            var validity = CertificateCheck.validity(content.certificate());
            return validity.filter(v -> clock.instant().isBefore(v.end())).isPresent()
                    ? read(Observed.known(material(content)), validity)
                    : read(unusable(useless(ref, name, validity)), Optional.empty());
        } catch (GatewayException e) {
            return read(unread(e), Optional.empty());
        }
    }

    private Read<Observed<RingPasswords.Stored>> password(ClusterRef ref) {
        try {
            return read(
                    passwords
                            .root(ref)
                            .map(Observed::known)
                            .orElseGet(() -> Observed.unknown(
                                    absent(ref, RingPasswords.rootSecret(ref)), Cause.ROOT_PASSWORD_GONE)),
                    Optional.empty());
        } catch (GatewayException e) {
            return read(unread(e), Optional.empty());
        }
    }

    /// A Secret without what it must have is rejected.
    private static <T> Observed<T> unread(GatewayException e) {
        String why = String.valueOf(e.getMessage());
        return e.kind() == GatewayException.Kind.REJECTED ? unusable(why) : Observed.unknown(why);
    }

    private static <T> Observed<T> unusable(String why) {
        return Observed.unknown(why, Cause.ROOT_UNUSABLE);
    }

    private <T> Read<T> read(T value, Optional<Validity> validity) {
        var latest = clock.instant().plus(KEPT);
        return new Read<>(
                value, validity.map(Validity::end).filter(latest::isAfter).orElse(latest));
    }

    private static TlsMaterial material(RingSecrets.Content content) {
        var ours = new Credential(content.certificate(), content.key()).inPkcs8();
        return new TlsMaterial(content.ca(), ours.certificatePem(), ours.keyPem());
    }

    private static String absent(ClusterRef ref, String name) {
        return "the Secret " + name + " in namespace " + ref.namespace() + " does not exist";
    }

    private static String useless(ClusterRef ref, String name, Optional<Validity> validity) {
        return "the certificate in the Secret " + name + " in namespace " + ref.namespace()
                + validity.map(v -> " expired " + v.end()).orElse(" cannot be read");
    }
}
