package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.journal.Inspection;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.underway.Inspections;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Inspects the volume of a member that does not answer, in a ring that has lost its quorum. So the person
/// who chooses a way out knows what each of them gives up.
///
/// A Job reads the volume once: it copies its data and starts etcd on the copy. Nothing is written to the
/// volume, and no member is started or ended. If the volume could not be read, or the member was started
/// since, the inspection is offered again as another operation: `before` is the time of the last
/// inspection.
///
/// A failure leaves a Job that ends by itself; the next run continues with it.
public record InspectVolume(
        ClusterRef ref,
        EtcdId clusterId,
        int ordinal,
        String claimUid,
        Optional<Instant> before,
        Optional<String> image)
        implements Operation {
    /// With an image that no journal names.
    public InspectVolume(ClusterRef ref, EtcdId clusterId, int ordinal, String claimUid, Optional<Instant> before) {
        this(ref, clusterId, ordinal, claimUid, before, Optional.empty());
    }

    /// One for each volume that can be inspected and whose contents are unknown; none where the ring has
    /// quorum.
    public static List<InspectVolume> detect(ClusterState state) {
        var clusterId = state.kube().knownJournal().flatMap(Journal::clusterId);
        var found = new ArrayList<InspectVolume>();
        QuorumLoss.of(state)
                .ifPresent(loss -> loss.missing().forEach((ordinal, missing) -> {
                    var known = Inspections.of(state, ordinal);
                    var claim = missing.claim()
                            .map(KubeState.ClaimState::uid)
                            .filter(uid ->
                                    Inspections.obstacle(state, ordinal, uid).isEmpty());
                    if (clusterId.isPresent()
                            && claim.isPresent()
                            && known.filter(k -> Inspections.stands(state, ordinal, k))
                                    .isEmpty()) {
                        found.add(new InspectVolume(
                                state.ref(),
                                clusterId.get(),
                                ordinal,
                                claim.get(),
                                known.map(Inspection::at),
                                Blueprint.running(state.kube())));
                    }
                }));
        return found;
    }

    @Override
    public String kind() {
        return "InspectVolume";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of();
    }

    @Override
    public String target() {
        return "volume inspected clusterId=" + clusterId + " claim=" + claimUid
                + before.map(at -> " after=" + at).orElse("");
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING.image(image);
    }

    @Override
    public Risk risk() {
        return Risk.LOW;
    }

    /// It uses resources of a node for some minutes, and blocks the volume as long.
    @Override
    public Consent consent() {
        return Consent.NEEDED;
    }

    @Override
    public boolean changesRing() {
        return false;
    }

    @Override
    public String reason() {
        return "the ring has lost its quorum, and what is on the volume of " + ref.podName(ordinal) + " is unknown"
                + before.map(at -> "; its inspection at " + at + " is out of date or found nothing")
                        .orElse("");
    }

    @Override
    public String summary() {
        return "inspect a copy of the volume of " + ref.podName(ordinal);
    }

    @Override
    public List<Step> steps() {
        return List.of(new InspectStep(ordinal, claimUid, before, id()));
    }
}
