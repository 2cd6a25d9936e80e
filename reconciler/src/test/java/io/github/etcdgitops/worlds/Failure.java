package io.github.etcdgitops.worlds;

import io.github.etcdgitops.fake.Faults;
import java.util.function.ObjIntConsumer;

/// One more thing that goes wrong while a plan is carried out.
enum Failure {
    KILL(Faults::killPod),
    DELETE(Faults::deletePod),
    DISK_LOST(Faults::loseDisk),
    VOLUME_LOST(Faults::loseVolume),
    DOWN(Faults::stop),
    CUT_OFF(Faults::cutOff),
    SEVERED(Faults::sever),
    HIDE(Faults::hideFromUs),
    EVICT(Faults::evict),
    /// Machines are emptied, as far as the budget lets them be, this one first.
    DRAIN((faults, first) -> {
        for (int i = 0; i < Worlds.LARGEST + 1; i++) {
            faults.evict((first + i) % (Worlds.LARGEST + 1));
        }
    });

    private final ObjIntConsumer<Faults> fault;

    Failure(ObjIntConsumer<Faults> fault) {
        this.fault = fault;
    }

    void strike(Faults faults, int ordinal) {
        fault.accept(faults, ordinal);
    }

    boolean passes() {
        return this != DISK_LOST && this != VOLUME_LOST;
    }
}
