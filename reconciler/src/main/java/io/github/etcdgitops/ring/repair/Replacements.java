package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.adoption.AdoptStep;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.ring.roll.RollStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Replaces members, whatever is wrong with them.
///
/// Members with differing data go first, together with those that are down, and then the alarm about it is
/// disarmed: it blocks all writes, and no pod is ready while it is raised. All members that are down are
/// removed before one is added: etcd adds no member while a voter is away. A member whose process still
/// serves is removed only at its turn: until then it helps the ring. The other members are not restarted.
record Replacements(
        ClusterRef ref,
        SortedMap<Integer, ReplacementSlot> places,
        int members,
        boolean learner,
        MemberSettings target) {
    private SortedMap<Integer, GivenUpClaim> claims() {
        var claims = new TreeMap<Integer, GivenUpClaim>();
        places.forEach((ordinal, place) -> claims.put(ordinal, place.claim()));
        return claims;
    }

    Risk risk() {
        return new Quorum(members, members - places.size()).tolerance() == 0 ? Risk.HIGH : Risk.MEDIUM;
    }

    String reason() {
        var reasons = new ArrayList<String>();
        for (var why : Intent.Why.values()) {
            var names = names(place -> place.claim().why() == why);
            if (!names.isEmpty()) {
                reasons.add(said(why, names.size() > 1, String.join(", ", names)));
            }
        }
        return String.join("; ", reasons);
    }

    private static String said(Intent.Why why, boolean several, String names) {
        return switch (why) {
            case LOST ->
                (several ? "the volumes of " : "the volume of ") + names + (several ? " are lost" : " is lost");
            case GONE -> (several ? "the claims of " : "the claim of ") + names + (several ? " are gone" : " is gone");
            case MACHINE_GONE ->
                (several ? "the only nodes with the volumes of " : "the only node with the volume of ")
                        + names
                        + (several ? " are gone" : " is gone");
            case VOLUME_ASKED ->
                "a document asks for " + (several ? "other volumes" : "another volume") + " for " + names;
            case MEMBER_ASKED ->
                "a document asks for " + (several ? "other members" : "another member") + " in the place of " + names;
            case FAILING -> names + (several ? " do" : " does") + " not start";
            case REMOVED_BY_HAND -> names + (several ? " were" : " was") + " removed from the ring by hand";
            case DIVERGED -> "the data of " + names + " is not what a majority of the voters has";
        };
    }

    String summary() {
        return "replace " + String.join(", ", names(_ -> true))
                + (places.size() == 1 ? " on a new volume" : " on new volumes");
    }

    private List<String> names(Predicate<ReplacementSlot> which) {
        return places.entrySet().stream()
                .filter(place -> which.test(place.getValue()))
                .map(place -> ref.podName(place.getKey()))
                .toList();
    }

    List<Step> steps(String id) {
        var steps = new ArrayList<Step>();
        steps.add(new ReplaceStep.BeginReplacement(claims(), id));
        steps.add(new ObjectStep.BlockEvictions(members));
        if (places.values().stream().anyMatch(Replacements::differs)) {
            of(ReplacementSlot.Standing.DOWN, true).forEach(ordinal -> remove(steps, ordinal));
            of(ReplacementSlot.Standing.DOWN, false).forEach(ordinal -> remove(steps, ordinal));
            of(ReplacementSlot.Standing.SERVING, true).forEach(ordinal -> remove(steps, ordinal));
            steps.add(new ReplaceStep.DisarmCorrupt());
        } else {
            of(ReplacementSlot.Standing.DOWN, false).forEach(ordinal -> remove(steps, ordinal));
        }
        // etcd lets one learner in at a time.
        coming().forEach(ordinal -> add(steps, ordinal));
        places.keySet().stream()
                .filter(ordinal -> !of(ReplacementSlot.Standing.SERVING, false).contains(ordinal))
                .filter(ordinal -> !coming().contains(ordinal))
                .forEach(ordinal -> add(steps, ordinal));
        for (int ordinal : of(ReplacementSlot.Standing.SERVING, false)) {
            remove(steps, ordinal);
            add(steps, ordinal);
        }
        steps.add(ObjectStep.ApplyObjects.of(ManagedObject.CONNECTION));
        steps.add(new ObjectStep.SetBudget(Budget.of(members)));
        steps.add(new MemberStep.Finish(Intent.Kind.REPLACE));
        return List.copyOf(steps);
    }

    private List<Integer> coming() {
        return places.entrySet().stream()
                .filter(place -> place.getValue().former() == ReplacementSlot.Standing.COMING)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static boolean differs(ReplacementSlot place) {
        return place.claim().why() == Intent.Why.DIVERGED;
    }

    private List<Integer> of(ReplacementSlot.Standing standing, boolean differing) {
        return places.entrySet().stream()
                .filter(place -> place.getValue().former() == standing && differs(place.getValue()) == differing)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static void remove(List<Step> steps, int ordinal) {
        steps.add(new ReplaceStep.LeadElsewhere(ordinal));
        steps.add(new ReplaceStep.RemoveFormer(ordinal));
    }

    private void add(List<Step> steps, int ordinal) {
        switch (Objects.requireNonNull(places.get(ordinal)).template()) {
            case NEXT -> {}
            case ROLLED -> steps.add(new ReplaceStep.LowerPartition(ordinal));
            case RESUMED -> {
                steps.add(new RollStep.WriteTemplate(target));
                steps.add(new ReplaceStep.LowerPartition(ordinal));
            }
            case OURS -> steps.add(new AdoptStep.RenewStatefulSet(members));
        }
        steps.add(new ReplaceStep.FreeVolume(ordinal));
        steps.add(new ReplaceStep.AddNewcomer(ordinal, learner));
        steps.add(new MemberStep.WriteJoinConfig(ordinal));
        steps.add(new ReplaceStep.RenewPod(ordinal));
        steps.add(new MemberStep.AwaitStarted(ordinal));
        steps.add(new MemberStep.SealMember(ordinal));
        if (learner) {
            steps.add(new ReplaceStep.PromoteNewcomer(ordinal));
        }
        steps.add(new ReplaceStep.AwaitNewcomer(ordinal));
        steps.add(new MemberStep.AdmitClients(ordinal));
    }
}
