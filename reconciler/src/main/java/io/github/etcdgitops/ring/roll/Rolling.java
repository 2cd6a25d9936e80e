package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.value.Risk;

/// What restarts all members, one after the other.
public sealed interface Rolling extends Operation permits RollMembers, UpgradeVersion, MigrateTls, RotateAuthority {
    Roll roll();

    @Override
    default Risk risk() {
        return roll().risk();
    }

    @Override
    default boolean heals() {
        return roll().begun();
    }

    /// What has been begun goes on in any case.
    @Override
    default boolean needsBackup() {
        return !roll().begun();
    }
}
