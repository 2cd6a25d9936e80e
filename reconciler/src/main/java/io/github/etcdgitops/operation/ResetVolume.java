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
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Members of a ring of `members` whose volumes are lost get new volumes, and with them new IDs and new
/// data directories: what was on the old ones is given up, since the other members have it all. `claims`
/// are the UIDs of the claims that are given up, by ordinal, so that a claim made since is never taken
/// for one of them. `removed` are those that an earlier run has taken out of the ring already.
///
/// All of them are removed first and then added one by one: etcd adds nobody while a voter is away, and
/// while both counted, one more failure could end the ring. Their siblings are not restarted. A ring of
/// three bears no other failure until this has ended, as it did not from the moment the volume was lost.
///
/// A failure leaves the ring without some of them, or with a learner in the place of one; the next run
/// carries on, also where a new volume is lost as well. `learner` is false on servers before 3.4. `asked`
/// is set where somebody must have let it be done.
public record ResetVolume(
        ClusterRef ref,
        SortedMap<Integer, String> claims,
        SortedSet<Integer> removed,
        int members,
        boolean learner,
        boolean asked)
        implements Operation {
    public ResetVolume {
        claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
        removed = Collections.unmodifiableSortedSet(new TreeSet<>(removed));
    }

    @Override
    public String target() {
        return "other claims than " + claims;
    }

    @Override
    public Risk risk() {
        return new Quorum(members, members - claims.size()).tolerance() == 0 ? Risk.HIGH : Risk.MEDIUM;
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
        return claims.size() == 1 ? "the volume of " + names() + " is lost" : "the volumes of " + names() + " are lost";
    }

    @Override
    public String summary() {
        return "replace " + names() + (claims.size() == 1 ? " on a new volume" : " on new volumes");
    }

    private String names() {
        return String.join(", ", claims.keySet().stream().map(ref::podName).toList());
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        steps.add(new ReplaceStep.BeginReplacement(claims, id()));
        steps.add(new Step.BlockEvictions(members));
        for (int ordinal :
                claims.keySet().stream().filter(o -> !removed.contains(o)).toList()) {
            steps.add(new ReplaceStep.LeadElsewhere(ordinal));
            steps.add(new ReplaceStep.RemoveFormer(ordinal));
        }
        claims.keySet().forEach(ordinal -> add(steps, ordinal));
        steps.add(Step.ApplyObjects.of(ManagedObject.CONNECTION));
        steps.add(new Step.SetBudget(Budget.of(members)));
        steps.add(new ReplaceStep.FinishReplacement());
        return List.copyOf(steps);
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
