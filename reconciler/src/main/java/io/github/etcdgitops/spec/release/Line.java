package io.github.etcdgitops.spec.release;

import io.github.etcdgitops.spec.value.EtcdVersion;
import java.time.LocalDate;
import java.util.Optional;

/// A minor version of etcd. A ring that passes through it pauses at `newest`, unless its spec names another
/// release; `enterUpTo` is the highest release that a ring of an earlier line may come to first; `leaveFrom` is the
/// lowest release from which the next minor version may be entered. After `ends`
/// there are no more fixes.
public record Line(
        int major,
        int minor,
        EtcdVersion newest,
        Optional<EtcdVersion> enterUpTo,
        Optional<EtcdVersion> leaveFrom,
        Optional<LocalDate> ends) {
    boolean holds(EtcdVersion version) {
        return version.major() == major && version.minor() == minor;
    }

    public boolean endedAt(LocalDate day) {
        return ends.filter(day::isAfter).isPresent();
    }

    /// As people write it: `3.5`.
    @Override
    public String toString() {
        return major + "." + minor;
    }
}
