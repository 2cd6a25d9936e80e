package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Replaces members of a ring of `members` that are no longer of use: `formers` are their IDs, by ordinal.
/// The data on their volumes is given up with them: the other members have all of it, and the cause of the
/// failure is unknown. Their IDs are removed first, so that none comes back, whatever happens to its disk
/// and its node.
///
/// `places` are those of the formers, and of members whose volume is also lost: etcd adds no member while
/// one of them is away. A failure leaves the same state as a failed [ResetVolume]; the next run continues.
public record ReplaceMember(
        ClusterRef ref,
        SortedMap<Integer, ReplacementSlot> places,
        SortedMap<Integer, EtcdId> formers,
        int members,
        boolean learner,
        Operation.Consent consent,
        Blueprint blueprint)
        implements Operation {
    public ReplaceMember {
        places = Collections.unmodifiableSortedMap(new TreeMap<>(places));
        formers = Collections.unmodifiableSortedMap(new TreeMap<>(formers));
    }

    private Replacements replacements() {
        return new Replacements(ref, places, members, learner, blueprint.members());
    }

    /// A claim is named only where the claim is what is wrong with its member. If the claim of a former
    /// member is recreated in the meantime, the operation stays the same.
    @Override
    public String kind() {
        return "ReplaceMember";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(new RequestedBy.Replacements(Set.copyOf(formers.values())));
    }

    @Override
    public String target() {
        var uids = new TreeMap<Integer, String>();
        places.forEach((ordinal, place) -> {
            if (!formers.containsKey(ordinal)) {
                uids.put(ordinal, place.claim().claimUid());
            }
        });
        return "other members than " + formers + (uids.isEmpty() ? "" : " and other claims than " + uids);
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
        return places.values().stream()
                .anyMatch(place -> place.claim().lost()
                        || place.claim().why() == Intent.Why.DIVERGED
                        || place.claim().why() == Intent.Why.FAILING);
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
