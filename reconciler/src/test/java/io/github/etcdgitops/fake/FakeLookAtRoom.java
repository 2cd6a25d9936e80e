package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import java.util.Optional;
import java.util.function.Function;

/// A Job that reads something on a volume beside the member, such as its room. It goes one phase further whenever it is
/// read, where a machine takes
/// its pod.
final class FakeLookAtRoom {
    final FakeRing ring;
    final String uid;
    private final RestoreJobs.Room room;
    private final String operation;
    private final Function<FakeRing.Claim, Phase> answer;
    private final boolean stuck;
    private Phase phase = new Phase.Pending("");

    FakeLookAtRoom(FakeRing ring, RestoreJobs.RoomJob wanted, String uid, boolean stuck) {
        this(ring, wanted.room(), wanted.operation(), uid, stuck, claim -> new Phase.Measured(FakeVolumes.free(claim)));
    }

    /// Of keys of the v2 API, as `etcdutl` tells them.
    FakeLookAtRoom(FakeRing ring, RestoreJobs.V2KeysJob wanted, String uid, boolean stuck) {
        this(
                ring,
                wanted.room(),
                wanted.operation(),
                uid,
                stuck,
                claim -> !claim.dirs.containsKey(wanted.incarnation())
                        ? failed("open member/wal: no such file or directory")
                        : ring.current.oldRecords.keys
                                ? failed("detected custom content in v2store")
                                : new Phase.Succeeded());
    }

    private static Phase failed(String said) {
        return new Phase.Failed("v2-keys", 1, "it ended with exit code 1", "Error: " + said);
    }

    private FakeLookAtRoom(
            FakeRing ring,
            RestoreJobs.Room room,
            String operation,
            String uid,
            boolean stuck,
            Function<FakeRing.Claim, Phase> answer) {
        this.ring = ring;
        this.room = room;
        this.operation = operation;
        this.answer = answer;
        this.uid = uid;
        this.stuck = stuck;
    }

    RestoreJobs.State state() {
        phase = next();
        return new RestoreJobs.State(
                uid, "", "", operation, Optional.of(new RestoreJobs.PodState(uid, uid, "10.9.9.9")), phase);
    }

    private Phase next() {
        if (!(phase instanceof Phase.Pending)) {
            return phase;
        }
        var claim = ring.claims.entrySet().stream()
                .filter(c -> c.getValue().uid.equals(room.claimUid()))
                .findFirst();
        boolean placed = !stuck
                && claim.filter(c -> !c.getValue().pending
                                && !c.getValue().lost
                                && !FakeViews.homeless(ring, c.getKey())
                                && !ring.silentSince.containsKey(c.getKey()))
                        .isPresent();
        return placed
                ? answer.apply(claim.orElseThrow().getValue())
                : new Phase.Pending(RestoreJobs.Lack.MACHINE, "no node takes the pod");
    }
}
