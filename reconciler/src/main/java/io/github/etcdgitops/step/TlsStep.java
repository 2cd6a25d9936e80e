package io.github.etcdgitops.step;

import io.github.etcdgitops.spec.Tls;
import io.github.etcdgitops.spec.Transport;
import io.github.etcdgitops.state.Quorum;
import java.time.Duration;

/// Steps by which a ring is given certificates and another way to be talked to.
public sealed interface TlsStep extends Step.OfTls {
    /// Makes the Secrets of the ring's certificates, or those of them that are not as they should be,
    /// and journals their CA and when the first of them ends. Secrets that others keep are only looked
    /// at.
    record IssueCertificates(Tls tls) implements TlsStep {}

    /// Tells the ring under which URLs the member is reached by the others. etcd looks at nothing
    /// before it does so.
    record AdvertisePeers(int ordinal, Transport transport) implements TlsStep {}

    /// Calls the member every way there is: what shall be open answers, what shall be closed does not,
    /// and the member and each of the others have a stream to each other.
    record ProveTransport(int ordinal, Transport transport) implements TlsStep {}

    /// Waits until the member shows certificates that end no earlier than the journal says. etcd reads
    /// them anew whenever somebody calls, so that it is not restarted for that.
    record AwaitCertificates(int ordinal, Transport transport) implements TlsStep {}

    @Override
    default Gate gate() {
        return switch (this) {
            case IssueCertificates _ -> Gate.UNSUSPENDED;
            case AdvertisePeers _ -> Gate.GREEN;
            case ProveTransport _, AwaitCertificates _ -> Gate.NONE;
        };
    }

    /// Generous where the kubelet has to bring new certificates to every member.
    @Override
    default Duration deadline() {
        return switch (this) {
            case IssueCertificates _, AdvertisePeers _ -> Duration.ofMinutes(2);
            case ProveTransport _, AwaitCertificates _ -> Duration.ofMinutes(5);
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
