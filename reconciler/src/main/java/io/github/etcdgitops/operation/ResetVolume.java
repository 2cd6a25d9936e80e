package io.github.etcdgitops.operation;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.Risk;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.Quorum;
import io.github.etcdgitops.step.ReplaceStep;
import io.github.etcdgitops.step.ReplaceStep.GivenUp;
import io.github.etcdgitops.step.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Members of a ring of `members` get new volumes, and with them new IDs and new data directories: what
/// was on the old ones is given up, since the other members have it all. `places` are theirs, by ordinal,
/// with the UIDs of the claims that are given up, so that a claim made since is never taken for one of
/// them.
///
/// Those that are down are all removed before anybody is added: etcd adds nobody while a voter is away.
/// Whose process still serves goes only when its turn has come: the ring is better off with it until
/// then. Their siblings are not restarted. A ring of three bears no other failure until this has ended,
/// as it did not from the moment a member was down.
///
/// A failure leaves the ring without some of them, or with a learner in the place of one; the next run
/// carries on, also where a new volume is lost as well. `learner` is false on servers before 3.4.
public record ResetVolume(
        ClusterRef ref, SortedMap<Integer, Place> places, int members, boolean learner, Operation.Consent consent)
        implements Operation {
    public ResetVolume {
        places = Collections.unmodifiableSortedMap(new TreeMap<>(places));
    }

    /// Where a new member comes to, and what is given up there.
    public record Place(GivenUp claim, Standing former) {}

    /// What has become of the member whose place it was.
    public enum Standing {
        SERVING,
        DOWN,
        /// An earlier run took it out of the ring.
        REMOVED
    }

    private SortedMap<Integer, GivenUp> claims() {
        var claims = new TreeMap<Integer, GivenUp>();
        places.forEach((ordinal, place) -> claims.put(ordinal, place.claim()));
        return claims;
    }

    @Override
    public String target() {
        var uids = new TreeMap<Integer, String>();
        places.forEach((ordinal, place) -> uids.put(ordinal, place.claim().claimUid()));
        return "other claims than " + uids;
    }

    @Override
    public Risk risk() {
        return new Quorum(members, members - places.size()).tolerance() == 0 ? Risk.HIGH : Risk.MEDIUM;
    }

    @Override
    public boolean heals() {
        return true;
    }

    @Override
    public boolean mendsLosses() {
        return places.values().stream().anyMatch(place -> place.claim().lost());
    }

    @Override
    public String reason() {
        var lost = names(place -> place.claim().lost());
        var asked = names(place -> !place.claim().lost());
        var reasons = new ArrayList<String>();
        if (!lost.isEmpty()) {
            reasons.add("the volume" + (lost.size() == 1 ? "" : "s") + " of " + String.join(", ", lost)
                    + (lost.size() == 1 ? " is lost" : " are lost"));
        }
        if (!asked.isEmpty()) {
            reasons.add("somebody asks for " + (asked.size() == 1 ? "another volume" : "other volumes") + " for "
                    + String.join(", ", asked));
        }
        return String.join("; ", reasons);
    }

    @Override
    public String summary() {
        return "replace " + String.join(", ", names(_ -> true))
                + (places.size() == 1 ? " on a new volume" : " on new volumes");
    }

    private List<String> names(Predicate<Place> which) {
        return places.entrySet().stream()
                .filter(place -> which.test(place.getValue()))
                .map(place -> ref.podName(place.getKey()))
                .toList();
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        steps.add(new ReplaceStep.BeginReplacement(claims(), id()));
        steps.add(new Step.BlockEvictions(members));
        of(Standing.DOWN).forEach(ordinal -> remove(steps, ordinal));
        places.keySet().stream()
                .filter(ordinal -> !of(Standing.SERVING).contains(ordinal))
                .forEach(ordinal -> add(steps, ordinal));
        for (int ordinal : of(Standing.SERVING)) {
            remove(steps, ordinal);
            add(steps, ordinal);
        }
        steps.add(Step.ApplyObjects.of(ManagedObject.CONNECTION));
        steps.add(new Step.SetBudget(Budget.of(members)));
        steps.add(new ReplaceStep.FinishReplacement());
        return List.copyOf(steps);
    }

    private List<Integer> of(Standing standing) {
        return places.entrySet().stream()
                .filter(place -> place.getValue().former() == standing)
                .map(Map.Entry::getKey)
                .toList();
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
