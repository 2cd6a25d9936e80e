package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.state.journal.Intent;

/// A volume claim that a replacement gives up, and why.
public record GivenUpClaim(String claimUid, Intent.Why why) {
    public boolean lost() {
        return why == Intent.Why.LOST || why == Intent.Why.GONE || why == Intent.Why.MACHINE_GONE;
    }
}
