package io.github.etcdgitops.ring.tls;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Certificates that expire soon, by the journal: those that were last issued or inspected. Also our own
/// client certificate for the ring, where it is gone and can be issued again.
public final class Renewal {
    private Renewal() {}

    public static List<Operation> due(EtcdClusterSpec spec, ClusterState state, Journal journal, Instant now) {
        var transport = journal.applied().transport();
        boolean lockedOut = spec.server().tls().issuer() == Tls.Issuer.BUILT_IN && state.lockedOut();
        return journal.past()
                .certificates()
                .filter(_ -> transport.secured())
                .filter(certificates ->
                        lockedOut || !now.isBefore(certificates.first().renewal()))
                .map(certificates -> List.<Operation>of(new RotateCertificates(
                        spec.ref(),
                        journal.members().size(),
                        certificates
                                .issuer()
                                .map(spec.server().tls()::with)
                                .orElse(spec.server().tls())
                                .with(transport),
                        // A member that the roll under way restarts needs the certificates for that roll's
                        // target.
                        journal.roll()
                                .map(Intent.Roll::target)
                                .orElse(journal.applied())
                                .trusted(),
                        certificates.first().end())))
                .orElseGet(List::of);
    }

    /// When the first of them expires, and the CA: a warning where whoever issues them should have renewed
    /// them by now, an error where hardly any time is left.
    public static Optional<Finding> finding(EtcdClusterSpec spec, Journal journal, Instant now) {
        return seen(journal).filter(c -> c.first().known()).map(certificates -> {
            var first = certificates.first();
            String ends = "the first of the ring's certificates expires " + first.end()
                    + certificates.authorityEnd().map(end -> ", its CA " + end).orElse("");
            if (now.isBefore(first.renewal()) || spec.server().tls().issuer() == Tls.Issuer.BUILT_IN) {
                return new Finding(
                        Level.NOTE,
                        FindingCode.CERTIFICATES_END,
                        ends + ". It is renewed from " + first.renewal() + " on");
            }
            boolean late = overdue(spec, journal, now).isPresent();
            return new Finding(
                    late ? Level.ERROR : Level.WARNING,
                    FindingCode.CERTIFICATES_END,
                    ends + ", and it was not renewed in time. etcd-gitops does not renew it (spec.tls.issuer)."
                            + " Have it renewed now"
                            + (late ? ". Until then no other change that restarts a member starts" : ""));
        });
    }

    /// Why no member should restart for a change: it might come back with a certificate that expires before
    /// it is renewed. Where we renew certificates ourselves, the renewal goes first anyway.
    public static Optional<String> overdue(EtcdClusterSpec spec, Journal journal, Instant now) {
        return spec.server().tls().issuer() == Tls.Issuer.BUILT_IN
                ? Optional.empty()
                : seen(journal)
                        .map(Journal.Certificates::first)
                        .filter(first -> !now.isBefore(first.last()))
                        .map(first -> "the first of the ring's certificates expires " + first.end()
                                + ", and it was not renewed");
    }

    /// Members would get certificates of two CAs, one after the other.
    public static Optional<String> otherIssuer(EtcdClusterSpec spec, Journal journal) {
        return seen(journal)
                .flatMap(Journal.Certificates::issuer)
                .filter(has -> has != spec.server().tls().issuer())
                .map(has -> "/spec/tls/issuer: the issuer of the ring's certificates is " + has.words()
                        + ", and the spec asks for "
                        + spec.server().tls().issuer().words() + ". After a change members would refuse each other"
                        + " one by one. Set it back, or create another ring from a backup of this one");
    }

    private static Optional<Journal.Certificates> seen(Journal journal) {
        return journal.past()
                .certificates()
                .filter(_ -> journal.applied().transport().secured());
    }
}
