package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import java.util.List;

/// The only node with the volume of a member's claim is gone, or is back. The journal notes it, so that the
/// time counts from the first run that saw it, whichever run checks later and however many runs die.
///
/// It touches nothing else, and a failure does no harm: the next run notes it. The time then counts from
/// there, which is later and never earlier.
public record NoteMachine(ClusterRef ref, int ordinal, String claimUid, String machine, boolean gone)
        implements Operation {
    @Override
    public String kind() {
        return "NoteMachine";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of();
    }

    @Override
    public String target() {
        return "machine " + machine + " of claim " + claimUid + (gone ? " gone" : " there") + " ordinal=" + ordinal;
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING;
    }

    @Override
    public Risk risk() {
        return Risk.LOW;
    }

    @Override
    public Consent consent() {
        return Consent.GIVEN;
    }

    @Override
    public boolean changesRing() {
        return false;
    }

    @Override
    public boolean heals() {
        return true;
    }

    @Override
    public String reason() {
        return gone
                ? "the node " + machine + ", the only one with the volume of " + ref.podName(ordinal) + ", is gone"
                : "the node " + machine + " is back, or " + ref.podName(ordinal) + " has another volume claim";
    }

    @Override
    public String summary() {
        return gone
                ? "record since when the node of " + ref.podName(ordinal) + " is gone"
                : "record that the node of " + ref.podName(ordinal) + " is back";
    }

    @Override
    public List<Step> steps() {
        return List.of(new NodeStep.NoteMachine(ordinal, claimUid, machine, gone));
    }
}
