package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.Around;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.ring.roll.v2.FindOldKeys;
import io.github.etcdgitops.ring.roll.v2.PassOldRecords;
import io.github.etcdgitops.ring.roll.v2.V2Data;
import io.github.etcdgitops.ring.tls.TlsStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// How the members 0 to `size`-1 restart, the highest first. `from` is the lowest ordinal that was already
/// told to restart: `size` before the first one, 0 when none is left. `former` is their configuration until
/// then. `soak` may be zero.
///
/// Ordinal 0 leads from the first restart on, as long as it can, and hands over right before its own
/// restart. So the leadership moves at most twice, whatever the size.
///
/// `behind` are members that do not start, because their pods have the former template and the cluster
/// version is raised. They alone get the new template first, without a leader; the rest follows in the
/// next plan.
public record Roll(
        int size, int from, List<Integer> behind, MemberSettings former, Blueprint blueprint, Duration soak) {
    public Roll {
        behind = List.copyOf(behind);
    }

    public Roll(int size, int from, MemberSettings former, Blueprint blueprint, Duration soak) {
        this(size, from, List.of(), former, blueprint, soak);
    }

    public Roll ofThoseBehind(List<Integer> members) {
        return new Roll(size, from, members, former, blueprint, soak);
    }

    /// The members' configuration after the roll.
    public MemberSettings target() {
        return blueprint.members();
    }

    Resolved resolved() {
        return Resolved.members(blueprint).and("soak", soak);
    }

    /// A ring of one or two members has no quorum while a member restarts.
    Risk risk() {
        return new Quorum(size, size - 1).holds() ? Risk.MEDIUM : Risk.HIGH;
    }

    /// Whether the members move to an earlier minor version.
    boolean downgrades() {
        return target().version().isOlderMinorThan(former.version());
    }

    /// Whether some member was already told to restart.
    boolean begun() {
        return from < size || !behind.isEmpty();
    }

    List<Step> steps(ClusterRef ref, String operationId) {
        var steps = new ArrayList<>(look(operationId));
        steps.add(new RollStep.BeginRoll(target(), operationId));
        steps.add(new ObjectStep.BlockEvictions(size));
        if (!behind.isEmpty()) {
            catchUp(steps);
            return List.copyOf(steps);
        }
        if (from == size) {
            steps.addAll(preparation());
            steps.add(new RollStep.WriteTemplate(target()));
        } else {
            // Written again: a rollback that started and came too late has written the former files.
            for (int ordinal = size - 1; ordinal >= from; ordinal--) {
                steps.add(new RollStep.WriteMemberFile(ordinal, target()));
            }
            arrived(steps, from);
            if (meetsOtherwise()) {
                // The members that are done: one that came back since may have found another file.
                for (int ordinal = from + 1; ordinal < size; ordinal++) {
                    steps.add(new TlsStep.ProveTransport(ordinal, target().transport()));
                }
            }
        }
        for (int ordinal = from - 1; ordinal >= 0; ordinal--) {
            restart(steps, ordinal);
        }
        steps.add(new RollStep.PinPartition(size));
        steps.addAll(agreement());
        steps.add(new RollStep.FinishRoll(target()));
        if (meetsOtherwise()) {
            steps.add(Around.addresses());
        }
        steps.add(new ObjectStep.SetBudget(Budget.of(size)));
        return List.copyOf(steps);
    }

    /// What no member of 3.6 must find. Nothing is under way while it holds the upgrade, and evictions are not blocked.
    private List<Step> look(String operationId) {
        return from == size && behind.isEmpty() && V2Data.inTheWay(former.version(), target().version())
                ? List.of(PassOldRecords.of(former), new FindOldKeys(operationId))
                : List.of();
    }

    /// etcd learns of a downgrade before any member does.
    private List<Step> preparation() {
        var minor = target().version().line();
        return downgrades()
                ? List.of(new DowngradeStep.AnnounceDowngrade(minor), new DowngradeStep.AwaitPrepared(minor))
                : List.of();
    }

    /// The cluster version follows by itself.
    private List<Step> agreement() {
        if (downgrades()) {
            return List.of(
                    new DowngradeStep.AwaitDowngradeEnded(target().version().line()));
        }
        return target().version().isSameMinorAs(former.version())
                ? List.of()
                : List.of(new RollStep.AwaitClusterVersion(target().version()));
    }

    private void catchUp(List<Step> steps) {
        int lowest = Collections.min(behind);
        for (int ordinal = size - 1; ordinal >= lowest; ordinal--) {
            steps.add(new RollStep.WriteMemberFile(ordinal, target()));
        }
        steps.add(new RollStep.WriteTemplate(target()));
        steps.add(new RollStep.OpenPartition(lowest));
        // The StatefulSet's controller waits for members above that are not ready without a quorum.
        behind.forEach(ordinal -> steps.add(new UnrollStep.ReplacePod(ordinal)));
        behind.forEach(ordinal -> steps.add(new RollStep.AwaitRolled(ordinal, target().version())));
    }

    /// Whether restarted members use another transport, or accept other certificates.
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
            // Before the restart: then the others find the member with either transport.
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

    /// The order as text: `orders-2, orders-1, orders-0`.
    String order(ClusterRef ref) {
        var names = new ArrayList<String>();
        behind.forEach(ordinal -> names.add(ref.podName(ordinal)));
        for (int ordinal = from - 1; ordinal >= 0 && behind.isEmpty(); ordinal--) {
            names.add(ref.podName(ordinal));
        }
        return names.isEmpty() ? "no longer a member" : String.join(", ", names);
    }
}
