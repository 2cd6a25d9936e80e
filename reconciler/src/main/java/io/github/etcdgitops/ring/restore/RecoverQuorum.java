package io.github.etcdgitops.ring.restore;

import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.List;

/// Ends what is left of a ring that has lost its quorum, so that a [RestoreCluster] can create it again
/// with all data of its best survivor, which was saved and verified before.
///
/// Applies only while the quorum is certainly lost, a survivor answers, and a verified backup has exactly
/// its data. It starts only with an approval that names the cluster ID: a node that we cannot reach may
/// still run a member, and writes that the missing members agreed on without the survivor are given up.
///
/// A failure leaves a journal that says so; the next run continues. As long as no member was ended, a ring
/// that regains its quorum stays as it is.
public record RecoverQuorum(ClusterRef ref, Exchange exchange) implements ExchangeOperation {
    @Override
    public String kind() {
        return "RecoverQuorum";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of();
    }

    @Override
    public String target() {
        return "recovered clusterId=" + exchange.former() + " from="
                + exchange.order().from();
    }

    @Override
    public boolean heals() {
        return true;
    }

    @Override
    public String reason() {
        return switch (exchange.stage()) {
            case ASKED -> "the ring has lost its quorum, and the data of its most recent survivor is saved";
            case ENDED -> "the ring had lost its quorum and was stopped to be recovered";
            case CALLED_OFF -> "its recovery was started and is no longer requested";
        };
    }

    @Override
    public String summary() {
        return exchange.stage() == Exchange.Stage.CALLED_OFF
                ? "cancel the recovery of the ring with cluster ID " + exchange.former() + "; no member was stopped"
                : "stop the ring with cluster ID " + exchange.former() + ", which has no quorum, and replace it with "
                        + exchange.source();
    }
}
