package io.github.etcdgitops.ring.scale;

import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.ring.repair.ReplaceStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.journal.Intent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// Removes one member: always the one with the highest ordinal, compared as a number. Also backs out a join
/// that the spec no longer asks for.
///
/// The member is removed from the ring before its pod ends, never the other way round: while a member
/// without a pod still counts, the ring has less tolerance. Its volume is retained.
///
/// `backsOut` is set when the operation ends a join or removal under way: then the leaving member itself
/// need not be healthy.
///
/// `away` are the members down from the top, this one or others, that leave and do not come back: their
/// volumes are lost, or they do not start. Removing them is safe where a majority answers, and no step
/// waits for them to be healthy.
///
/// A failure between the removal and the scale-down leaves a pod whose process exits at once; the next run
/// scales down.
public record ScaleIn(
        ClusterRef ref, int ordinal, boolean backsOut, SortedSet<Integer> away, Siblings siblings, boolean copy)
        implements Operation {
    /// The health of the members that stay.
    public enum Siblings {
        /// All are healthy, or will be at the end.
        WELL,
        /// Some are repaired next, and no step waits for them.
        UNWELL,
        /// The same, and the leaving member's data may be the one that differs: then the alarm about it is
        /// disarmed as well.
        CORRUPT
    }

    public ScaleIn {
        away = Collections.unmodifiableSortedSet(new TreeSet<>(away));
    }

    public ScaleIn(ClusterRef ref, int ordinal, boolean backsOut) {
        this(ref, ordinal, backsOut, new TreeSet<>(), Siblings.WELL, false);
    }

    /// Ends a change under way, with all other members healthy.
    public static ScaleIn ending(ClusterRef ref, int ordinal, boolean copy) {
        return new ScaleIn(ref, ordinal, true, new TreeSet<>(), Siblings.WELL, copy);
    }

    /// The same while other members still need repair.
    public static ScaleIn makingWay(ClusterRef ref, int ordinal, Siblings siblings, boolean copy) {
        return new ScaleIn(ref, ordinal, true, new TreeSet<>(Set.of(ordinal)), siblings, copy);
    }

    private boolean lost() {
        return away.contains(ordinal);
    }

    @Override
    public String kind() {
        return "ScaleIn";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(RequestedBy.Part.SIZE);
    }

    @Override
    public String target() {
        return "members=" + ordinal;
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING;
    }

    @Override
    public Risk risk() {
        return new Quorum(ordinal, ordinal).tolerance() == 0 ? Risk.HIGH : Risk.MEDIUM;
    }

    @Override
    public String reason() {
        if (lost() && !backsOut) {
            return "the spec asks for fewer members than the ring has, and this one will not recover";
        }
        return backsOut
                ? "a change of members was started earlier and is finished here"
                : "the spec asks for fewer members than the ring has";
    }

    @Override
    public String summary() {
        return "remove " + ref.podName(ordinal) + ": " + (ordinal + 1) + " → " + ordinal + " members";
    }

    /// A change that has started is completed in any case.
    @Override
    public boolean needsBackup() {
        return !backsOut && !lost();
    }

    /// A voter that does not come back costs tolerance as long as it counts.
    @Override
    public boolean heals() {
        return lost();
    }

    @Override
    public boolean endsWhatWasBegun() {
        return backsOut || heals();
    }

    @Override
    public List<Step> steps() {
        var unwell = new TreeSet<>(away);
        if (backsOut) {
            unwell.add(ordinal);
        }
        var steps = new ArrayList<Step>(List.of(
                new MemberStep.Begin(Intent.Kind.LEAVE, ordinal, id()),
                new MemberStep.YieldLeadership(ordinal),
                new ObjectStep.BlockEvictions(ordinal + 1),
                new MemberStep.RemoveMember(ordinal, Set.copyOf(unwell)),
                new ObjectStep.SetReplicas(ordinal),
                ObjectStep.ApplyObjects.of(ManagedObject.CONNECTION),
                new MemberStep.AwaitPodGone(ordinal),
                new MemberStep.ReleaseMember(ordinal, copy),
                new ObjectStep.SetBudget(Budget.of(ordinal))));
        if (away.headSet(ordinal).isEmpty() && siblings == Siblings.WELL) {
            steps.add(new MemberStep.AwaitGreen());
        }
        steps.add(new MemberStep.Finish(Intent.Kind.LEAVE));
        if (siblings == Siblings.CORRUPT) {
            steps.add(new ReplaceStep.DisarmCorrupt());
        }
        return List.copyOf(steps);
    }
}
