package io.github.etcdgitops.worlds;

import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.state.member.Alarm;
import java.util.function.ObjIntConsumer;

/// What happens to one member of a ring, or to the run that works on it.
enum Fault {
    /// The volume is gone for good.
    VOLUME_LOST(Faults::loseVolume),
    /// The claim stays, and the disk behind it is empty.
    DISK_EMPTIED(Faults::loseDisk),
    /// The machine is no Node any more, and the volume was on it.
    MACHINE_GONE(Faults::loseMachine),
    /// The machine does not run until somebody starts it.
    MACHINE_AWAY(Faults::stop),
    /// Nobody reaches the member until somebody mends the network.
    CUT_OFF(Faults::cutOff),
    /// No process comes up on the data.
    DATA_SPOILT(Faults::spoil),
    /// The member has no space, and the ring takes no writes.
    NO_SPACE((faults, ordinal) -> faults.alarm(Alarm.Kind.NOSPACE, ordinal)),
    /// The member's data differs from that of the others, and etcd has found it.
    DATA_DIFFERS(Faults::diverge),
    /// Somebody deletes the pod past the budget.
    POD_DELETED(Faults::deletePod),
    /// Somebody removes the member with etcdctl.
    MEMBER_REMOVED(Fault::remove),
    /// The run is killed.
    RUN_KILLED((_, ordinal) -> {
        throw new Crash("a fault of the run, beside member " + ordinal);
    });

    private final ObjIntConsumer<Faults> strike;

    Fault(ObjIntConsumer<Faults> strike) {
        this.strike = strike;
    }

    /// etcd refuses some removals, and whoever asks for one reads why.
    private static void remove(Faults faults, int ordinal) {
        try {
            faults.removeMemberByHand(ordinal);
        } catch (GatewayException _) {
            // The member stays.
        }
    }

    /// Nothing where there is no such member.
    void strike(FakeWorld world, int ordinal) {
        var ring = world.look(Play.REF);
        boolean there = ring.voters().contains(ordinal) || ring.learners().contains(ordinal);
        // A ring of one has nobody to differ from.
        boolean possible = this != DATA_DIFFERS || ring.voters().size() > 1;
        if (this == RUN_KILLED || there && possible && ring.claims().contains(ordinal)) {
            strike.accept(world.faults(Play.REF), ordinal);
        }
    }
}
