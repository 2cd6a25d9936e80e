package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Members of a ring of `members` get new volumes, and with them new IDs and new data directories: what
/// was on the old ones is given up, since the other members have it all. `places` are theirs, by ordinal,
/// with the UIDs of the claims that are given up, so that a claim made since is never taken for one of
/// them.
///
/// A ring of three bears no other failure until this has ended, as it did not from the moment a member was
/// down.
///
/// A failure leaves the ring without some of them, or with a learner in the place of one; the next run
/// carries on, also where a new volume is lost as well. `learner` is false on servers before 3.4.
public record ResetVolume(
        ClusterRef ref,
        SortedMap<Integer, ReplacementSlot> places,
        int members,
        boolean learner,
        Operation.Consent consent,
        Blueprint blueprint)
        implements Operation {
    public ResetVolume {
        places = Collections.unmodifiableSortedMap(new TreeMap<>(places));
    }

    private Replacements replacements() {
        return new Replacements(ref, places, members, learner);
    }

    @Override
    public String kind() {
        return "ResetVolume";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(new RequestedBy.Resets(
                places.values().stream().map(place -> place.claim().claimUid()).collect(Collectors.toSet())));
    }

    @Override
    public String target() {
        var uids = new TreeMap<Integer, String>();
        places.forEach((ordinal, place) -> uids.put(ordinal, place.claim().claimUid()));
        return "other claims than " + uids;
    }

    @Override
    public Resolved resolved() {
        return Resolved.members(blueprint);
    }

    @Override
    public Risk risk() {
        return replacements().risk();
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
        return replacements().reason();
    }

    @Override
    public String summary() {
        return replacements().summary();
    }

    @Override
    public List<Step> steps() {
        return replacements().steps(id());
    }
}
