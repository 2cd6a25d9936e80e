package io.github.etcdgitops.ring.restore;

import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.List;

/// Ends an existing ring, so that a [RestoreCluster] can create it again from a backup: everything written
/// since that backup is given up.
///
/// Applies when an EtcdRestore says `inPlace` and names the ring's cluster ID. It starts only with an
/// approval that names the ID as well. `saved` is whether the current data of the ring can be saved before,
/// where a policy asks for that: not in a ring without quorum.
///
/// A failure leaves a journal that says so; the next run continues. As long as no member was ended,
/// removing the document cancels it.
public record RestoreInPlace(ClusterRef ref, Exchange exchange, boolean saved) implements ExchangeOperation {
    @Override
    public String kind() {
        return "RestoreInPlace";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(RequestedBy.Document.RESTORE);
    }

    @Override
    public String target() {
        var order = exchange.order();
        return "restored in place of clusterId=" + exchange.former() + " from=" + order.from()
                + order.bumpRevision().map(by -> " bump=" + by).orElse("");
    }

    @Override
    public boolean needsBackup() {
        return saved && exchange.stage() == Exchange.Stage.ASKED;
    }

    @Override
    public boolean heals() {
        return exchange.stage() != Exchange.Stage.ASKED;
    }

    @Override
    public String reason() {
        return switch (exchange.stage()) {
            case ASKED -> exchange.order().asker() + " asks for it, in place of the data that the ring has";
            case ENDED ->
                "the ring was stopped to be restored, as " + exchange.order().asker() + " asks for";
            case CALLED_OFF -> "its restore was started, and no document asks for it any longer";
        };
    }

    @Override
    public String summary() {
        return exchange.stage() == Exchange.Stage.CALLED_OFF
                ? "cancel the restore of the ring with cluster ID " + exchange.former() + "; no member was stopped"
                : "stop the ring with cluster ID " + exchange.former()
                        + ", discard what was written since the backup, and replace it with " + exchange.source();
    }
}
