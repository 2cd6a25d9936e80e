package io.github.etcdgitops.ring.tls;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Tls;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Issues the ring's certificates again before they expire, under the ring's current CA. No member
/// restarts: members read their certificates at each new connection.
///
/// Applies when a third of the lifetime of the certificate that expires first is left. The ring need not
/// answer: members with expired certificates refuse all connections, and new certificates fix that.
///
/// A failure leaves some certificates new; the next run issues the others.
public record RotateCertificates(ClusterRef ref, int size, Tls tls, Authorities trusted, Instant end)
        implements Operation {
    @Override
    public String kind() {
        return "RotateCertificates";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(RequestedBy.Part.TLS);
    }

    @Override
    public String target() {
        return "certificates renewed before=" + end;
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING.tls(tls).trusted(trusted);
    }

    @Override
    public Risk risk() {
        return Risk.LOW;
    }

    @Override
    public boolean heals() {
        return true;
    }

    /// No member restarts, and no other operation has to wait where it fails.
    @Override
    public boolean changesRing() {
        return false;
    }

    @Override
    public String reason() {
        return "the first of the ring's certificates expires " + end;
    }

    @Override
    public String summary() {
        return "renew the certificates that expire " + end + " without a restart";
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        steps.add(new TlsStep.IssueCertificates(tls, trusted));
        for (int ordinal = size - 1; ordinal >= 0; ordinal--) {
            steps.add(new TlsStep.AwaitCertificates(ordinal, tls.transport()));
        }
        return List.copyOf(steps);
    }
}
