package io.github.etcdgitops.state;

import io.github.etcdgitops.state.value.Observed;
import java.time.Instant;
import java.util.Optional;

/// Where a pod runs, or where a volume is that no other machine can mount. `machine` is Unknown where it could
/// not be read, or is not ours to read: nothing is concluded from that.
public record Host(String name, Observed<Machine> machine) {
    public boolean gone() {
        return machine.optional().filter(Machine.Gone.class::isInstance).isPresent();
    }

    public Optional<Instant> silentSince() {
        return machine.optional().filter(Machine.Silent.class::isInstance).map(m -> ((Machine.Silent) m).since());
    }
}
