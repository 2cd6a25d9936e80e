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

/// Gives members of a ring of `members` new volumes, and with them new IDs and new data directories. The
/// data on the old volumes is given up, because the other members have all of it. `places` are theirs, by
/// ordinal, with the UIDs of the given-up claims, so that a claim created later is never mistaken for one
/// of them.
///
/// A ring of three tolerates no other failure until this ends, as it has since a member went down.
///
/// A failure leaves the ring without some of them, or with a learner in the place of one. The next run
/// continues, also where a new volume is lost as well. `learner` is false on servers before 3.4.
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
        return new Replacements(ref, places, members, learner, blueprint.members());
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
