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

/// One member less: always the highest ordinal, as a number. Also backs out a join that the spec no
/// longer asks for.
///
/// The member is removed from the ring before its pod goes, never the other way round: a pod that is gone
/// while its member still counts costs tolerance. Its volume is kept.
///
/// `backsOut` is set when a join or departure under way is ended: then the leaving member itself need not
/// be well.
///
/// `away` are the members down from the top that leave, this one or others, and do not come back: their
/// volumes are lost, or they do not start. To remove them is safe where a majority answers, and nobody
/// waits for them to be well.
///
/// A failure between removal and shrinking leaves a pod whose process exits at once; the next run
/// shrinks.
public record ScaleIn(
        ClusterRef ref, int ordinal, boolean backsOut, SortedSet<Integer> away, Siblings siblings, boolean copy)
        implements Operation {
    /// What the others are like that stay.
    public enum Siblings {
        /// All are, or will be, well at the end.
        WELL,
        /// Some are mended next, and nobody waits for them.
        UNWELL,
        /// The same, and the leaving member's data may be the one that differs: then the alarm about it
        /// goes as well.
        CORRUPT
    }

    public ScaleIn {
        away = Collections.unmodifiableSortedSet(new TreeSet<>(away));
    }

    public ScaleIn(ClusterRef ref, int ordinal, boolean backsOut) {
        this(ref, ordinal, backsOut, new TreeSet<>(), Siblings.WELL, false);
    }

    /// Ends what was begun, with everybody else well.
    public static ScaleIn ending(ClusterRef ref, int ordinal, boolean copy) {
        return new ScaleIn(ref, ordinal, true, new TreeSet<>(), Siblings.WELL, copy);
    }

    /// The same while others are to be mended.
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

    /// What has been begun is ended in any case.
    @Override
    public boolean needsBackup() {
        return !backsOut && !lost();
    }

    /// A voter that does not come back costs tolerance for as long as it is counted.
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
