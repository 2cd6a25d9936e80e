package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.FeatureChange;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.ring.tls.TlsStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.ManagedObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Takes the members one after the other to another way of being talked to: from plain text to both
/// that and TLS, and from both to TLS with certificates on both sides alone. Each of the two is an
/// operation of its own, and nobody is cut off in between.
///
/// From both, a ring goes back to plain text as it came. From TLS alone it does not: whoever trusts in
/// that must not find it open again.
///
/// A failure leaves a ring in which one member at most is away, and every other one reached by all; the
/// next run carries on, or takes the roll back where that member cannot come up.
///
/// `features` is the gate that asks for it, where it is not the ring's own document.
public record MigrateTls(ClusterRef ref, Roll roll, Tls tls, int attempt, List<FeatureChange> features)
        implements Rolling {
    public MigrateTls {
        features = List.copyOf(features);
    }

    @Override
    public String kind() {
        return "MigrateTls";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return RequestedBy.again(List.of(RequestedBy.Part.TLS, new RequestedBy.Gates(features())), attempt);
    }

    @Override
    public String target() {
        return "transport=" + roll.target().transport().describe() + " attempt=" + attempt;
    }

    @Override
    public Resolved resolved() {
        return roll.resolved().tls(tls).network(roll.blueprint().network());
    }

    @Override
    public String reason() {
        return features.isEmpty()
                ? "the spec asks for other TLS settings than the ring has"
                : "the ring has other TLS settings than the spec asks for: feature gate "
                        + features.stream().map(FeatureChange::toString).collect(Collectors.joining("; "));
    }

    @Override
    public String summary() {
        return "change TLS from " + roll.former().transport().describe() + " to "
                + roll.target().transport().describe() + ": restart " + roll.order(ref);
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        if (roll.target().transport().secured()) {
            steps.add(new TlsStep.IssueCertificates(tls, roll.target().trusted()));
            // Who proves what peers answer must be let in to them.
            steps.add(ObjectStep.ApplyObjects.of(ManagedObject.NETWORK_POLICY));
        }
        steps.addAll(roll.steps(ref, id()));
        return List.copyOf(steps);
    }
}
