package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.Around;
import io.github.etcdgitops.ring.tls.TlsStep;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Tls;
import java.util.ArrayList;
import java.util.List;

/// Moves a ring from one CA to the next, in two operations. The first restarts its members to trust both.
/// The second has everything signed by the new CA, and then restarts the members to trust only that one.
/// Between the two, clients have time to add the new CA.
///
/// Members load their CAs only at their start, but their certificates at each new connection: hence two
/// rolls, and none in between. The new CA signs nothing until each member has accepted a certificate of it.
/// The former CA is dropped only when each member shows a certificate of the new one.
///
/// Where the Secrets come from outside, one roll is enough: the members load what the Secrets contain.
///
/// A failure leaves members that each trust every CA for which any member has a certificate.
public record RotateAuthority(ClusterRef ref, Roll roll, Tls tls, int attempt) implements Rolling {
    @Override
    public String kind() {
        return "RotateAuthority";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return RequestedBy.again(List.of(RequestedBy.Part.TLS), attempt);
    }

    @Override
    public String target() {
        return "trusted=" + trusted().describe() + " attempt=" + attempt;
    }

    @Override
    public Resolved resolved() {
        return roll.resolved().tls(tls).network(roll.blueprint().network());
    }

    @Override
    public String reason() {
        return trusted().settled() && roll.former().trusted().settled()
                ? "the spec asks for another CA, which the Secrets must already contain"
                : "the ring's CA is to be replaced";
    }

    @Override
    public String summary() {
        return "trust " + trusted().describe() + ": restart " + roll.order(ref);
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        if (!roll.begun() && tls.issuer() == Tls.Issuer.BUILT_IN) {
            if (trusted().settled()) {
                takeOver(steps);
            } else {
                steps.add(new TlsStep.PrepareAuthority(trusted().newest()));
            }
        }
        steps.add(new TlsStep.IssueCertificates(tls, trusted()));
        if (!trusted().settled()) {
            // Clients find the new CA before any member shows a certificate of it.
            steps.add(Around.addresses());
        }
        steps.addAll(roll.steps(ref, id()));
        return List.copyOf(steps);
    }

    private void takeOver(List<Step> steps) {
        for (int ordinal = roll.size() - 1; ordinal >= 0; ordinal--) {
            steps.add(new TlsStep.ProveTrust(ordinal, tls.transport()));
        }
        steps.add(new TlsStep.ReplaceAuthority(trusted().newest()));
        steps.add(new TlsStep.IssueCertificates(tls, roll.former().trusted()));
        for (int ordinal = roll.size() - 1; ordinal >= 0; ordinal--) {
            steps.add(new TlsStep.AwaitAuthority(ordinal, tls.transport()));
        }
    }

    private Authorities trusted() {
        return roll.target().trusted();
    }
}
