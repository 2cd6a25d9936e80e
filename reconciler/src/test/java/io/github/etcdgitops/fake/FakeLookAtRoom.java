package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import java.util.Optional;

/// A Job that looks at the room on a volume. It goes one phase further whenever it is read, where a machine takes
/// its pod.
final class FakeLookAtRoom {
    final FakeRing ring;
    final String uid;
    private final RestoreJobs.RoomJob wanted;
    private final boolean stuck;
    private Phase phase = new Phase.Pending("");

    FakeLookAtRoom(FakeRing ring, RestoreJobs.RoomJob wanted, String uid, boolean stuck) {
        this.ring = ring;
        this.wanted = wanted;
        this.uid = uid;
        this.stuck = stuck;
    }

    RestoreJobs.State state() {
        phase = next();
        return new RestoreJobs.State(
                uid, "", "", wanted.operation(), Optional.of(new RestoreJobs.PodState(uid, uid, "10.9.9.9")), phase);
    }

    private Phase next() {
        if (!(phase instanceof Phase.Pending)) {
            return phase;
        }
        var claim = ring.claims.entrySet().stream()
                .filter(c -> c.getValue().uid.equals(wanted.room().claimUid()))
                .findFirst();
        boolean placed = !stuck
                && claim.filter(c -> !c.getValue().pending
                                && !c.getValue().lost
                                && !FakeViews.homeless(ring, c.getKey())
                                && !ring.silentSince.containsKey(c.getKey()))
                        .isPresent();
        return placed
                ? new Phase.Measured(FakeVolumes.free(claim.orElseThrow().getValue()))
                : new Phase.Pending(RestoreJobs.Lack.MACHINE, "no node takes the pod");
    }
}
