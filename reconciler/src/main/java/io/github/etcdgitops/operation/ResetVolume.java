package io.github.etcdgitops.operation;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.Risk;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.Quorum;
import io.github.etcdgitops.step.ReplaceStep;
import io.github.etcdgitops.step.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/// Members of a ring of `members` whose volumes are lost get new volumes, and with them new IDs and new
/// data directories: what was on the old ones is given up, since the other members have it all. `lost` are
/// they by ordinal, with the UIDs of the claims that are given up, so that a claim made since is never
/// taken for one of them.
///
/// Those that are down are all removed before anybody is added: etcd adds nobody while a voter is away.
/// Whose process still serves, with the files that it has open, goes only when its turn has come: the ring
/// is better off with it until then. Their siblings are not restarted. A ring of three bears no other
/// failure until this has ended, as it did not from the moment a member was down.
///
/// A failure leaves the ring without some of them, or with a learner in the place of one; the next run
/// carries on, also where a new volume is lost as well. `learner` is false on servers before 3.4. `asked`
/// is set where somebody must have let it be done.
public record ResetVolume(
        ClusterRef ref, SortedMap<Integer, Lost> lost, int members, boolean learner, boolean asked)
        implements Operation {
    public ResetVolume {
        lost = Collections.unmodifiableSortedMap(new TreeMap<>(lost));
    }

    /// A member whose volume is lost, and the claim that has it.
    public record Lost(String claimUid, Standing standing) {}

    /// What has become of the member.
    public enum Standing {
        SERVING,
        DOWN,
        /// An earlier run took it out of the ring.
        REMOVED
    }

    /// UIDs of the claims that are given up, by ordinal.
    public SortedMap<Integer, String> claims() {
        var claims = new TreeMap<Integer, String>();
        lost.forEach((ordinal, l) -> claims.put(ordinal, l.claimUid()));
        return claims;
    }

    @Override
    public String target() {
        return "other claims than " + claims();
    }

    @Override
    public Risk risk() {
        return new Quorum(members, members - lost.size()).tolerance() == 0 ? Risk.HIGH : Risk.MEDIUM;
    }

    @Override
    public Consent consent() {
        return asked ? Consent.NEEDED : Consent.GIVEN;
    }

    @Override
    public boolean heals() {
        return true;
    }

    @Override
    public String reason() {
        return lost.size() == 1 ? "the volume of " + names() + " is lost" : "the volumes of " + names() + " are lost";
    }

    @Override
    public String summary() {
        return "replace " + names() + (lost.size() == 1 ? " on a new volume" : " on new volumes");
    }

    private String names() {
        return String.join(", ", lost.keySet().stream().map(ref::podName).toList());
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        steps.add(new ReplaceStep.BeginReplacement(claims(), id()));
        steps.add(new Step.BlockEvictions(members));
        lost.keySet().stream().filter(o -> standing(o) == Standing.DOWN).forEach(o -> remove(steps, o));
        for (int ordinal : lost.keySet()) {
            if (standing(ordinal) == Standing.SERVING) {
                remove(steps, ordinal);
            }
            add(steps, ordinal);
        }
        steps.add(Step.ApplyObjects.of(ManagedObject.CONNECTION));
        steps.add(new Step.SetBudget(Budget.of(members)));
        steps.add(new ReplaceStep.FinishReplacement());
        return List.copyOf(steps);
    }

    private Standing standing(int ordinal) {
        return Objects.requireNonNull(lost.get(ordinal)).standing();
    }

    private static void remove(List<Step> steps, int ordinal) {
        steps.add(new ReplaceStep.LeadElsewhere(ordinal));
        steps.add(new ReplaceStep.RemoveFormer(ordinal));
    }

    private void add(List<Step> steps, int ordinal) {
        steps.add(new ReplaceStep.FreeVolume(ordinal));
        steps.add(new ReplaceStep.AddNewcomer(ordinal, learner));
        steps.add(new Step.WriteJoinConfig(ordinal));
        steps.add(new ReplaceStep.RenewPod(ordinal));
        steps.add(new Step.AwaitStarted(ordinal));
        steps.add(new Step.SealMember(ordinal));
        if (learner) {
            steps.add(new ReplaceStep.PromoteNewcomer(ordinal));
        }
        steps.add(new ReplaceStep.AwaitNewcomer(ordinal));
        steps.add(new Step.AdmitClients(ordinal));
    }
}
