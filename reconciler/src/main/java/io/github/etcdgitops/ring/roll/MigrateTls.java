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

/// Moves the members one after the other to another transport: from plain text to plain text and TLS
/// together, and from both to mutual TLS only. Each of the two is its own operation, and no client or
/// member is cut off in between.
///
/// From both, a ring can go back to plain text. From TLS only it cannot: clients that rely on it must not
/// find it open again.
///
/// A failure leaves a ring in which at most one member is away, and all can reach every other one. The next
/// run continues, or rolls back where that member cannot start.
///
/// `features` is the gate that asks for it, where the ring's own document does not.
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
            // The pod that checks the peers' answers must be let in to them.
            steps.add(ObjectStep.ApplyObjects.of(ManagedObject.NETWORK_POLICY));
        }
        steps.addAll(roll.steps(ref, id()));
        return List.copyOf(steps);
    }
}
