package io.github.etcdgitops.ring.tls;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.journal.Journal;
import java.time.Instant;
import java.util.Optional;

/// When the first of a ring's certificates expires, and when its CA expires, as the journal says.
public record CertificateEnds(Instant first, Optional<Instant> authority) {
    /// Empty for a ring in plain text, or one whose journal could not be read.
    public static Optional<CertificateEnds> of(ClusterState state) {
        return state.kube()
                .knownJournal()
                .filter(journal -> journal.applied().transport().secured())
                .flatMap(journal -> journal.past().certificates())
                .filter(certificates -> certificates.first().known())
                .map(CertificateEnds::of);
    }

    private static CertificateEnds of(Journal.Certificates certificates) {
        return new CertificateEnds(certificates.first().end(), certificates.authorityEnd());
    }
}
