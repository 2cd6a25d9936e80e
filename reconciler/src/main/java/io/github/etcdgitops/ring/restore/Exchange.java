package io.github.etcdgitops.ring.restore;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Ends a ring of `members`, so that a new ring of its name can start from the data of a backup. `former`
/// is etcd's own ID of the ring that ends. `lost` are claims without a volume, with their UIDs: they are
/// deleted; all others keep their data.
///
/// Before anything of the ring is ended, the backup is verified, and so is the room for it on the volume
/// that receives it. Before anything is put in their place, the former members are certainly gone. From
/// then on no former member can start any more: their files are deleted.
public record Exchange(
        EtcdId former,
        RestoreOrder order,
        EtcdVersion version,
        int members,
        SortedMap<Integer, String> lost,
        Stage stage) {
    public enum Stage {
        /// Nothing is ended yet.
        ASKED,
        /// An earlier run has ended the former ring: this cannot be undone.
        ENDED,
        /// An earlier run has journalled it and ended no member, and it is no longer wanted.
        CALLED_OFF
    }

    public Exchange {
        lost = Collections.unmodifiableSortedMap(new TreeMap<>(lost));
    }

    /// `lost` describes the ring before: these volumes hold nothing.
    Resolved resolved() {
        return Resolved.restore(order).and("version", version);
    }

    Risk risk() {
        return switch (stage) {
            case ASKED, ENDED -> Risk.DESTRUCTIVE;
            case CALLED_OFF -> Risk.LOW;
        };
    }

    /// Once the former ring has ended, the run brings the ring back, even if the approval is gone since.
    Operation.Consent consent() {
        return switch (stage) {
            case ASKED -> Operation.Consent.NEEDED;
            case ENDED, CALLED_OFF -> Operation.Consent.GIVEN;
        };
    }

    String source() {
        return order.backup().map(id -> "backup " + id + " from ").orElse("")
                + order.source().title()
                + order.contents().map(c -> ", up to revision " + c.revision()).orElse("");
    }

    List<Step> steps(String id) {
        if (stage == Stage.CALLED_OFF) {
            return List.of(new RecoverStep.CallOff());
        }
        var steps = new ArrayList<Step>();
        steps.add(new RestoreStep.VerifySource(order));
        if (stage == Stage.ASKED) {
            steps.add(new RecoverStep.ProveRoom(order, id));
        }
        steps.add(new RecoverStep.BeginExchange(order, former, id));
        steps.add(new RecoverStep.EndFormers(order));
        steps.add(new RecoverStep.AwaitEnded(members));
        steps.add(new RecoverStep.LeadClientsAway());
        steps.add(new RecoverStep.RemoveFormerSet());
        steps.add(new RecoverStep.UnseatFormers());
        if (!lost.isEmpty()) {
            steps.add(new RecoverStep.FreeLostClaims(lost));
        }
        steps.add(new RecoverStep.OpenExchanged(order, version, id));
        return List.copyOf(steps);
    }
}
