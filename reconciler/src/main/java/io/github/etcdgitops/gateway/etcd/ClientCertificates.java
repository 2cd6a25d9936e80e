package io.github.etcdgitops.gateway.etcd;

import io.github.etcdgitops.certificate.CertificateCheck;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.gateway.ClientIdentityGone;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.spec.time.Validity;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Our identity at a ring that requires certificates: the content of its Secret `NAME-client-tls`, the only
/// Secret that is read without a change to the ring. It is read again after ten seconds, so that members
/// asked one after the other cost one read, and a renewed certificate is used soon.
public final class ClientCertificates implements Function<MemberAccess.Route, EndpointAccess> {
    private static final Duration KEPT = Duration.ofSeconds(10);

    private final RingSecrets secrets;
    private final InstantSource clock;
    private final Map<ClusterRef, Read> known = new ConcurrentHashMap<>();

    private record Read(EndpointAccess access, Instant until) {}

    public ClientCertificates(RingSecrets secrets, InstantSource clock) {
        this.secrets = secrets;
        this.clock = clock;
    }

    @Override
    public EndpointAccess apply(MemberAccess.Route route) {
        return switch (route.door()) {
            case CLIENT, PEER, METRICS -> EndpointAccess.PLAIN;
            case CLIENT_TLS, PEER_TLS -> route.ring().map(this::of).orElse(EndpointAccess.PLAIN);
        };
    }

    private EndpointAccess of(ClusterRef ref) {
        var now = clock.instant();
        return known.compute(
                        ref,
                        (_, earlier) -> earlier != null && now.isBefore(earlier.until()) ? earlier : read(ref, now))
                .access();
    }

    private Read read(ClusterRef ref, Instant now) {
        var content = secrets.read(ref, RingSecrets.Kind.CLIENT)
                .orElseThrow(() -> new ClientIdentityGone(
                        "the Secret " + RingSecrets.Kind.CLIENT.secretName(ref) + " in namespace " + ref.namespace()
                                + " does not exist: without it the ring's members cannot be called"))
                .content();
        var ours = new Credential(content.certificate(), content.key()).inPkcs8();
        var material = new TlsMaterial(content.ca(), ours.certificatePem(), ours.keyPem());
        var latest = now.plus(KEPT);
        var until = CertificateCheck.validity(content.certificate())
                .map(Validity::end)
                .filter(latest::isAfter)
                .orElse(latest);
        return new Read(new EndpointAccess(Optional.of(material), Optional.empty()), until);
    }
}
