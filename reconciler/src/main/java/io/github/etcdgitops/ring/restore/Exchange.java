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

/// A ring of `members` makes room for another one of its name, which begins with the data of a backup.
/// `former` is etcd's own ID of the ring that goes. `lost` are claims without a volume, with their UIDs:
/// they are deleted, all others keep what is on them.
///
/// What comes out of the backup is proven before anything of the ring is ended, and so is the room for
/// it on the volume that receives it; its members are gone for certain before anything is put in their
/// place. Nobody of the former ring can start any more from then on: its members' files are taken away.
public record Exchange(
        EtcdId former,
        RestoreOrder order,
        EtcdVersion version,
        int members,
        SortedMap<Integer, String> lost,
        Stage stage) {
    public enum Stage {
        /// Nothing was ended yet.
        ASKED,
        /// An earlier run has ended the former ring: there is no way back.
        ENDED,
        /// An earlier run has journalled it and has ended nobody, and it is not wanted any more.
        CALLED_OFF
    }

    public Exchange {
        lost = Collections.unmodifiableSortedMap(new TreeMap<>(lost));
    }

    /// `lost` is what the ring is like before: there is nothing on these volumes.
    Resolved resolved() {
        return Resolved.restore(order).and("version", version);
    }

    Risk risk() {
        return switch (stage) {
            case ASKED, ENDED -> Risk.DESTRUCTIVE;
            case CALLED_OFF -> Risk.LOW;
        };
    }

    /// Once the ring was ended it is brought back, whatever became of the word that let that be done.
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
