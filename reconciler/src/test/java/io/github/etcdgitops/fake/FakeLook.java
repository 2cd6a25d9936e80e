package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.state.journal.Inspection;
import java.util.Optional;

/// A Job that looks into a volume. It goes one phase further whenever it is read. What it copies while a
/// process runs on the data is no state that there ever was.
final class FakeLook {
    /// Of a copy that was torn.
    static final long TORN = 987_654_321;

    final FakeRing ring;
    final String uid;
    private final RestoreJobs.InspectionJob wanted;
    private final boolean stuck;
    private Phase phase = new Phase.Pending("");
    private boolean torn;

    FakeLook(FakeRing ring, RestoreJobs.InspectionJob wanted, String uid, boolean stuck) {
        this.ring = ring;
        this.wanted = wanted;
        this.uid = uid;
        this.stuck = stuck;
    }

    RestoreJobs.State state() {
        phase = next();
        return new RestoreJobs.State(
                uid,
                wanted.look().incarnation(),
                wanted.look().seen(),
                wanted.operation(),
                Optional.of(new RestoreJobs.PodState(uid, uid, "10.9.9.9")),
                phase);
    }

    private Phase next() {
        torn |= data().map(d -> d.cluster.members.get(d.member))
                .filter(m -> m.running)
                .isPresent();
        return switch (phase) {
            case Phase.Pending _ ->
                stuck ? new Phase.Pending(RestoreJobs.Lack.MACHINE, "no machine has room") : new Phase.Copying();
            case Phase.Copying _ ->
                data().filter(d -> d.sent && wanted.look().witness().isPresent())
                                .isPresent()
                        ? new Phase.Failed(
                                "copy", 1, "it ended with exit code 1", "a leader sent the member a snapshot")
                        : data().isPresent()
                                ? new Phase.Serving()
                                : new Phase.Failed("copy", 1, "the volume has no data", "");
            case Phase.Serving _ ->
                data().filter(d -> !d.spoilt)
                        .<Phase>map(d -> new Phase.Told(told(d)))
                        .orElseGet(() -> new Phase.Failed("serve", 2, "it ended with exit code 2", "panic"));
            case Phase.Told _, Phase.Failed _ -> phase;
            case Phase.Receiving _, Phase.Restoring _, Phase.Settling _, Phase.Measured _, Phase.Succeeded _ ->
                throw new IllegalStateException(phase + " is none of a look");
        };
    }

    private Inspection.Outcome.Told told(FakeRing.DataDir data) {
        var keys = data.cluster.keys;
        long revision = Math.min(data.newest, keys.revision());
        long compacted = data.newest == Long.MAX_VALUE ? keys.compacted() : data.compacted;
        long alike = wanted.look()
                .witness()
                .map(RestoreJobs.Witness::compacted)
                .filter(wished -> wished <= revision)
                .map(wished -> Math.max(wished, compacted))
                .orElse(compacted);
        long hash = keys.kept(revision) ^ (data.corrupt ? 1 : 0);
        return new Inspection.Outcome.Told(
                torn ? TORN : revision, Optional.of(new Inspection.Hash(alike, torn ? TORN : hash)));
    }

    private Optional<FakeRing.DataDir> data() {
        for (var claim : ring.claims.entrySet()) {
            String name = ring.claimTemplate + "-" + ring.ref.podName(claim.getKey());
            if (name.equals(wanted.look().claim())
                    && claim.getValue().uid.equals(wanted.look().claimUid())) {
                return Optional.ofNullable(
                        claim.getValue().dirs.get(wanted.look().incarnation()));
            }
        }
        return Optional.empty();
    }
}
