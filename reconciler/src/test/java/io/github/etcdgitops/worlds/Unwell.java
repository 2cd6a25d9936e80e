package io.github.etcdgitops.worlds;

import io.github.etcdgitops.fake.Faults;
import java.util.function.ObjIntConsumer;

/// What can be wrong with a member while nobody works on the ring.
enum Unwell {
    DOWN(Faults::stop),
    CUT_OFF(Faults::cutOff),
    SEVERED(Faults::sever),
    HIDDEN(Faults::hideFromUs),
    DISK_LOST(Faults::loseDisk);

    private final ObjIntConsumer<Faults> fault;

    Unwell(ObjIntConsumer<Faults> fault) {
        this.fault = fault;
    }

    void strike(Faults faults, int ordinal) {
        fault.accept(faults, ordinal);
    }

    boolean passes() {
        return this != DISK_LOST;
    }
}
