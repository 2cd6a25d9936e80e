package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.value.Risk;

/// Operations that restart all members, one after the other.
public sealed interface Rolling extends Operation permits RollMembers, VersionChange, MigrateTls, RotateAuthority {
    Roll roll();

    @Override
    default Risk risk() {
        return roll().risk();
    }

    @Override
    default boolean heals() {
        return roll().begun();
    }

    /// A roll that has started continues in any case.
    @Override
    default boolean needsBackup() {
        return !roll().begun();
    }
}
