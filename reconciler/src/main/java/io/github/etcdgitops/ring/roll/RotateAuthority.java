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

/// Takes a ring from one CA to the next, in two operations. By the first its members are restarted to
/// trust in both. By the second everything is signed by the new one, and then they are restarted to
/// trust in that alone. Between the two clients have time to take up the new one.
///
/// Members load their CAs only when they are started, and their certificates whenever somebody calls:
/// hence the two rolls, and none in between. Nothing is signed by the new CA before each member has let
/// in a certificate of it; the former one is dropped only when each member shows one of the new.
///
/// Where somebody else makes the Secrets, it is one roll: what they put into them is loaded.
///
/// A failure leaves members of which each trusts in every CA that any of them has a certificate of.
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
            // Clients find the new one before anybody shows a certificate of it.
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
