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

/// Has the ring's certificates issued anew before they end, under the CA that the ring has. Nobody is
/// restarted: members read their certificates whenever somebody calls.
///
/// Applies when a third of the time of the one that ends first is left. It needs no ring that answers:
/// members whose certificates have ended refuse everybody, and new ones are what mends that.
///
/// A failure leaves certificates of which some are new; the next run issues the others.
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

    /// Nobody is restarted, and nothing else has to wait where it fails.
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
