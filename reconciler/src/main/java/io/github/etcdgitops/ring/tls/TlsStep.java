package io.github.etcdgitops.ring.tls;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import java.time.Duration;

/// Steps that give a ring certificates and another transport.
public sealed interface TlsStep extends Step {
    /// Creates the Secrets of the ring's certificates, or corrects them, with the CAs that are `trusted`.
    /// Journals these CAs and when the first certificate expires. Secrets that others maintain are only
    /// checked; those of cert-manager are requested first. With `root`, also the certificate of etcd's user
    /// `root`; a ring whose users are in the journal or in its document gets it in any case.
    record IssueCertificates(Tls tls, Authorities trusted, boolean root) implements TlsStep {
        public IssueCertificates(Tls tls, Authorities trusted) {
            this(tls, trusted, false);
        }

        @Override
        public Facts facts() {
            return Facts.of("IssueCertificates", Gate.UNSUSPENDED)
                    .undo("yes")
                    .within(Duration.ofMinutes(tls.issuer() == Tls.Issuer.CERT_MANAGER ? 5 : 2));
        }

        @Override
        public String text(ClusterRef ref) {
            return switch (tls.issuer()) {
                case BUILT_IN ->
                    "Issue the missing certificates of " + ref.name() + ofRoot()
                            + " with the ring's own CA in the Secret " + ref.name() + "-ca"
                            + (trusted.equals(Authorities.FIRST) ? "" : "; trust in " + trusted.describe());
                case CERT_MANAGER ->
                    "Request the certificates of " + ref.name() + ofRoot() + " from cert-manager"
                            + tls.reference()
                                    .map(r -> "'s " + r.kind() + " " + r.name())
                                    .orElse("") + " and check them";
                case SECRET ->
                    "Check the certificates in the Secrets " + ref.name() + "-peer-tls, " + ref.name()
                            + "-server-tls and " + ref.name() + "-client-tls"
                            + (root ? ", and in " + ref.name() + "-root-tls if it exists" : "");
            };
        }

        private String ofRoot() {
            return root ? " and of etcd's user root" : "";
        }
    }

    /// Tells the ring the URLs under which other members reach this member. etcd checks nothing before it
    /// accepts them.
    record AdvertisePeers(int ordinal, Transport transport) implements TlsStep {
        @Override
        public Facts facts() {
            return Facts.of("AdvertisePeers", Gate.GREEN).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Set the peer URLs of " + ref.podName(ordinal) + " to "
                    + String.join(" and ", transport.peerUrls(ref, ordinal));
        }
    }

    /// Calls the member over every transport. What must be open answers, what must be closed does not, and
    /// the member and each of the others have a stream to each other.
    record ProveTransport(int ordinal, Transport transport) implements TlsStep {
        @Override
        public Facts facts() {
            return Facts.of("ProveTransport", Gate.NONE).undo("changes nothing").within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Check by connecting to " + ref.podName(ordinal) + " that its ports are: " + transport.describe();
        }
    }

    /// Waits until the member shows certificates that expire no earlier than the journal says. etcd reads
    /// them again at each new connection, so it does not restart for that.
    record AwaitCertificates(int ordinal, Transport transport) implements TlsStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitCertificates", Gate.NONE)
                    .undo("changes nothing")
                    .within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until " + ref.podName(ordinal) + " presents the renewed certificates";
        }
    }

    /// Creates the CA that is to take over, and signs nothing with it yet.
    record PrepareAuthority(int number) implements TlsStep {
        @Override
        public Facts facts() {
            return Facts.of("PrepareAuthority", Gate.UNSUSPENDED).undo("yes");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Create CA " + number + " in the Secret " + ref.name() + "-ca-next; it signs nothing yet";
        }
    }

    /// Calls the member with a certificate of the CA that is to take over: it must accept it. A member that
    /// was not started with that CA would refuse its peers as soon as they have such certificates.
    record ProveTrust(int ordinal, Transport transport) implements TlsStep {
        @Override
        public Facts facts() {
            return Facts.of("ProveTrust", Gate.NONE).undo("changes nothing").within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Check by connecting to " + ref.podName(ordinal) + " that it accepts certificates of the new CA";
        }
    }

    /// From here on the prepared CA signs all certificates. This deletes the key of the former CA.
    record ReplaceAuthority(int number) implements TlsStep {
        @Override
        public Facts facts() {
            return Facts.of("ReplaceAuthority", Gate.GREEN)
                    .undo("no: the former CA's key is gone; both CAs are still trusted");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Store CA " + number + " in the Secret " + ref.name() + "-ca: from now on it signs";
        }
    }

    /// Waits until the member shows a certificate of the ring's CA to a client that trusts only that CA.
    record AwaitAuthority(int ordinal, Transport transport) implements TlsStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitAuthority", Gate.NONE).undo("changes nothing").within(Duration.ofMinutes(5));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until " + ref.podName(ordinal) + " presents certificates of the new CA";
        }
    }
}
