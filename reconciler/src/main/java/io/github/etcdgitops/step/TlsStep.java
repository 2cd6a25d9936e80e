package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.Tls;
import io.github.etcdgitops.spec.Transport;
import io.github.etcdgitops.state.Quorum;
import java.time.Duration;

/// Steps by which a ring is given certificates and another way to be talked to.
public sealed interface TlsStep extends Step.OfTls {
    /// Makes the Secrets of the ring's certificates, or those of them that are not as they should be,
    /// with the CAs in them that are `trusted`, and journals these and when the first certificate ends.
    /// Secrets that others keep are only looked at, cert-manager's after it was asked for them.
    record IssueCertificates(Tls tls, Authorities trusted) implements TlsStep {}

    /// Tells the ring under which URLs the member is reached by the others. etcd looks at nothing
    /// before it does so.
    record AdvertisePeers(int ordinal, Transport transport) implements TlsStep {}

    /// Calls the member every way there is: what shall be open answers, what shall be closed does not,
    /// and the member and each of the others have a stream to each other.
    record ProveTransport(int ordinal, Transport transport) implements TlsStep {}

    /// Waits until the member shows certificates that end no earlier than the journal says. etcd reads
    /// them anew whenever somebody calls, so that it is not restarted for that.
    record AwaitCertificates(int ordinal, Transport transport) implements TlsStep {}

    /// Makes the CA that is to take over, and signs nothing by it.
    record PrepareAuthority(int number) implements TlsStep {}

    /// Calls the member with a certificate of the CA that is to take over: it must let us in. A member
    /// that was not started with that CA would refuse its peers as soon as these have such certificates.
    record ProveTrust(int ordinal, Transport transport) implements TlsStep {}

    /// From here on what is issued is signed by the CA that was prepared. The former one's key is gone
    /// with that.
    record ReplaceAuthority(int number) implements TlsStep {}

    /// Waits until the member shows a certificate of the ring's CA to whoever trusts in that one alone.
    record AwaitAuthority(int ordinal, Transport transport) implements TlsStep {}

    @Override
    default Gate gate() {
        return switch (this) {
            case IssueCertificates _, PrepareAuthority _ -> Gate.UNSUSPENDED;
            case AdvertisePeers _, ReplaceAuthority _ -> Gate.GREEN;
            case ProveTransport _, AwaitCertificates _, ProveTrust _, AwaitAuthority _ -> Gate.NONE;
        };
    }

    /// Generous where the kubelet has to bring new certificates to every member.
    @Override
    default Duration deadline() {
        return switch (this) {
            case IssueCertificates(var tls, var _) ->
                Duration.ofMinutes(tls.issuer() == Tls.Issuer.CERT_MANAGER ? 5 : 2);
            case AdvertisePeers _, PrepareAuthority _, ReplaceAuthority _ -> Duration.ofMinutes(2);
            case ProveTransport _, AwaitCertificates _, ProveTrust _, AwaitAuthority _ -> Duration.ofMinutes(5);
        };
    }

    @Override
    default RingModel apply(RingModel ring) {
        return ring;
    }

    @Override
    default Quorum during(RingModel before) {
        return before.quorum();
    }
}
