package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.ring.tls.TlsStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Rolls back a roll that failed, or that the spec no longer asks for. The template returns to the former
/// one, and the members that were already restarted return to what the others still run.
///
/// The `stuck` members come first: the ring regains its tolerance before a healthy member is touched.
/// `others` were rolled and are healthy. `why` is for people. With a `failure`, the same roll `abandoned`
/// is not started again. `also` is what the roll did besides restarting members.
///
/// Never applies once all members run another minor version, or etcd has raised the cluster version: then
/// no member starts on the former one. A downgrade is different: the former version is the later one, and it
/// starts in any case.
public record BackOutRoll(
        ClusterRef ref,
        Members members,
        MemberSettings applied,
        Also also,
        String abandoned,
        Optional<String> failure,
        String why)
        implements Operation {
    /// Ordinals, in a ring of `size`: `stuck` do not run. `ends` is false where something else is wrong
    /// with the ring: then only the stuck members get the former template, and the rest follows once the
    /// ring is healthy. `replaced` are places that new members take in the meantime; this operation does
    /// not touch their files.
    public record Members(
            int size, List<Integer> stuck, List<Integer> others, boolean ends, SortedSet<Integer> replaced) {
        public Members {
            stuck = List.copyOf(stuck);
            others = List.copyOf(others);
            replaced = Collections.unmodifiableSortedSet(new TreeSet<>(replaced));
        }

        public Members(int size, List<Integer> stuck, List<Integer> others) {
            this(size, stuck, others, true, Collections.emptySortedSet());
        }
    }

    /// What is rolled back besides the members.
    public enum Also {
        NOTHING,
        /// Members have other peer URLs.
        PEER_URLS,
        /// A downgrade is announced at etcd.
        DOWNGRADE
    }

    @Override
    public String kind() {
        return "BackOutRoll";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of();
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
        return "roll back the rollout in progress" + (names.isEmpty() ? "" : ": " + String.join(", ", names));
    }

    @Override
    public List<Step> steps() {
        int size = members.size();
        var steps = new ArrayList<Step>();
        steps.add(new UnrollStep.BeginUnroll(failure));
        steps.add(new ObjectStep.BlockEvictions(size));
        // All files, and first: a pod that dies by itself and comes back with the former template finds its
        // file.
        for (int ordinal = size - 1; ordinal >= 0; ordinal--) {
            if (!members.replaced().contains(ordinal)) {
                steps.add(new RollStep.WriteMemberFile(ordinal, applied));
            }
        }
        steps.add(new UnrollStep.ReinstateTemplate(size));
        // They are not leaders, and the ring may have no leader at all without them.
        members.stuck().forEach(ordinal -> steps.add(new UnrollStep.ReplacePod(ordinal)));
        members.stuck().forEach(ordinal -> arrived(steps, ordinal));
        if (!members.ends()) {
            return List.copyOf(steps);
        }
        if (also == Also.DOWNGRADE) {
            // Not before the stuck members: without them the ring may agree on nothing.
            steps.add(new DowngradeStep.CancelDowngrade());
        }
        for (int ordinal : members.others()) {
            if (size > 1) {
                steps.add(new MemberStep.YieldLeadership(ordinal));
            }
            steps.add(new UnrollStep.ReplacePod(ordinal));
            arrived(steps, ordinal);
        }
        // Last: until then each member is reachable at one of its addresses, whichever transport is open.
        for (int ordinal = size - 1; ordinal >= 0 && also == Also.PEER_URLS; ordinal--) {
            steps.add(new TlsStep.AdvertisePeers(ordinal, applied.transport()));
        }
        steps.add(new UnrollStep.FinishUnroll(size));
        steps.add(new ObjectStep.SetBudget(Budget.of(size)));
        return List.copyOf(steps);
    }

    private void arrived(List<Step> steps, int ordinal) {
        steps.add(new RollStep.AwaitRolled(ordinal, applied.version()));
        if (members.size() > 1) {
            steps.add(new RollStep.CompareMember(ordinal));
        }
    }
}
