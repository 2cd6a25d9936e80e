package io.github.etcdgitops.state;

import io.github.etcdgitops.state.value.Observed;
import java.time.Instant;
import java.util.Optional;

/// The node where a pod runs, or the only node that can mount a volume. `machine` is Unknown where it could
/// not be read, or we may not read it: nothing is concluded from that.
public record Host(String name, Observed<Machine> machine) {
    public boolean gone() {
        return machine.optional().filter(Machine.Gone.class::isInstance).isPresent();
    }

    public Optional<Instant> silentSince() {
        return machine.optional().filter(Machine.Silent.class::isInstance).map(m -> ((Machine.Silent) m).since());
    }
}
