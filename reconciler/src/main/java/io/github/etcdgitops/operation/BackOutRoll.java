package io.github.etcdgitops.operation;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.Risk;
import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.step.RollStep;
import io.github.etcdgitops.step.Step;
import io.github.etcdgitops.step.TlsStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Takes back a roll that came to nothing, or that the spec asks for no more: the former template, and
/// the members that were restarted already, back to what the others still run.
///
/// The `stuck` members come first: the ring has its tolerance back before a healthy one is touched.
/// `others` were rolled and are well. `why` is for people; with a `failure` the roll `abandoned` is not
/// begun again as it was. `readvertised` where it gave members other peer URLs.
///
/// Never once all members run another line of releases: then etcd has raised the version of the whole
/// ring.
public record BackOutRoll(
        ClusterRef ref,
        Members members,
        Journal.Applied applied,
        boolean readvertised,
        String abandoned,
        Optional<String> failure,
        String why)
        implements Operation {
    /// Ordinals, of a ring of `size`.
    public record Members(int size, List<Integer> stuck, List<Integer> others) {
        public Members {
            stuck = List.copyOf(stuck);
            others = List.copyOf(others);
        }
    }

    @Override
    public String target() {
        return "without=" + abandoned;
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING.configuration(applied);
    }

    @Override
    public boolean heals() {
        return true;
    }

    @Override
    public Risk risk() {
        return Risk.MEDIUM;
    }

    @Override
    public String reason() {
        return why;
    }

    @Override
    public String summary() {
        var names = Stream.concat(members.stuck().stream(), members.others().stream())
                .map(ref::podName)
                .toList();
        return "take back the roll under way" + (names.isEmpty() ? "" : ": " + String.join(", ", names));
    }

    @Override
    public List<Step> steps() {
        int size = members.size();
        var steps = new ArrayList<Step>();
        steps.add(new RollStep.BeginUnroll(failure));
        steps.add(new Step.BlockEvictions(size));
        // All of them, and first: a pod that dies by itself and comes back with the former template finds its file.
        for (int ordinal = size - 1; ordinal >= 0; ordinal--) {
            steps.add(new RollStep.WriteMemberFile(ordinal, applied));
        }
        steps.add(new RollStep.ReinstateTemplate(size));
        // In a ring of two without one of them, nobody leads and nobody could.
        members.stuck().forEach(ordinal -> replace(steps, ordinal, size > 2));
        members.stuck().forEach(ordinal -> arrived(steps, ordinal));
        for (int ordinal : members.others()) {
            replace(steps, ordinal, size > 1);
            arrived(steps, ordinal);
        }
        // At the end: until then each is reached at one of its addresses, whichever way it is open.
        for (int ordinal = size - 1; ordinal >= 0 && readvertised; ordinal--) {
            steps.add(new TlsStep.AdvertisePeers(ordinal, applied.transport()));
        }
        steps.add(new RollStep.FinishUnroll(size));
        steps.add(new Step.SetBudget(Budget.of(size)));
        return List.copyOf(steps);
    }

    private static void replace(List<Step> steps, int ordinal, boolean mayLead) {
        if (mayLead) {
            steps.add(new Step.YieldLeadership(ordinal));
        }
        steps.add(new RollStep.ReplacePod(ordinal));
    }

    private void arrived(List<Step> steps, int ordinal) {
        steps.add(new RollStep.AwaitRolled(ordinal, applied.version()));
        if (members.size() > 1) {
            steps.add(new RollStep.CompareMember(ordinal));
        }
    }
}
