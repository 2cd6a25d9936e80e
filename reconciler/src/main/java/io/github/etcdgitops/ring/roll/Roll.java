package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.Around;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.ring.tls.TlsStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// How the members 0 to `size`-1 are restarted, the highest first. `from` is the lowest ordinal that
/// was told to restart already: `size` before the first one, 0 once there is none left. `former` is
/// what they are configured with until then. `soak` may be zero.
///
/// Ordinal 0 leads from the first restart on, as long as it can, and hands over right before its own:
/// so the leadership moves twice at most, whatever the size.
public record Roll(int size, int from, MemberSettings former, Blueprint blueprint, Duration soak) {
    /// What the members are configured with afterwards.
    public MemberSettings target() {
        return blueprint.members();
    }

    Resolved resolved() {
        return Resolved.members(blueprint).and("soak", soak);
    }

    /// A ring of one or two has no quorum while a member restarts.
    Risk risk() {
        return new Quorum(size, size - 1).holds() ? Risk.MEDIUM : Risk.HIGH;
    }

    /// Some member was told to restart already.
    boolean begun() {
        return from < size;
    }

    List<Step> steps(ClusterRef ref, String operationId) {
        var steps = new ArrayList<Step>();
        steps.add(new RollStep.BeginRoll(target(), operationId));
        steps.add(new ObjectStep.BlockEvictions(size));
        if (from == size) {
            steps.add(new RollStep.WriteTemplate(target()));
        } else {
            // Once more: a way back that was begun and came too late has written the former ones.
            for (int ordinal = size - 1; ordinal >= from; ordinal--) {
                steps.add(new RollStep.WriteMemberFile(ordinal, target()));
            }
            arrived(steps, from);
            if (meetsOtherwise()) {
                // Those that were done before: whoever came back since may have found another file.
                for (int ordinal = from + 1; ordinal < size; ordinal++) {
                    steps.add(new TlsStep.ProveTransport(ordinal, target().transport()));
                }
            }
        }
        for (int ordinal = from - 1; ordinal >= 0; ordinal--) {
            restart(steps, ordinal);
        }
        steps.add(new RollStep.PinPartition(size));
        if (!target().version().isSameMinorAs(former.version())) {
            steps.add(new RollStep.AwaitClusterVersion(target().version()));
        }
        steps.add(new RollStep.FinishRoll(target()));
        if (meetsOtherwise()) {
            steps.add(Around.addresses());
        }
        steps.add(new ObjectStep.SetBudget(Budget.of(size)));
        return List.copyOf(steps);
    }

    /// Whoever is back is talked to otherwise, or lets others in by other certificates.
    private boolean meetsOtherwise() {
        return !target().transport().equals(former.transport()) || changesTrust();
    }

    boolean changesTrust() {
        return !target().trusted().equals(former.trusted());
    }

    private void restart(List<Step> steps, int ordinal) {
        if (size > 1) {
            steps.add(ordinal > 0 ? new RollStep.LeadFrom(0, ordinal < from - 1) : new MemberStep.YieldLeadership(0));
        }
        if (target().transport().peer() != former.transport().peer()) {
            // Before the restart: the others find it, whichever way it is open then.
            steps.add(new TlsStep.AdvertisePeers(ordinal, target().transport()));
        }
        steps.add(new RollStep.WriteMemberFile(ordinal, target()));
        steps.add(new RollStep.RestartMember(ordinal));
        arrived(steps, ordinal);
    }

    private void arrived(List<Step> steps, int ordinal) {
        steps.add(new RollStep.AwaitRolled(ordinal, target().version()));
        if (meetsOtherwise()) {
            steps.add(new TlsStep.ProveTransport(ordinal, target().transport()));
        }
        if (!target().trusted().settled() && changesTrust()) {
            steps.add(new TlsStep.ProveTrust(ordinal, target().transport()));
        }
        if (size > 1) {
            steps.add(new RollStep.CompareMember(ordinal));
        }
        if (ordinal > 0 && soak.isPositive()) {
            steps.add(new RollStep.Soak(soak));
        }
    }

    /// In words: `orders-2, orders-1, orders-0`.
    String order(ClusterRef ref) {
        var names = new ArrayList<String>();
        for (int ordinal = from - 1; ordinal >= 0; ordinal--) {
            names.add(ref.podName(ordinal));
        }
        return names.isEmpty() ? "no longer a member" : String.join(", ", names);
    }
}
