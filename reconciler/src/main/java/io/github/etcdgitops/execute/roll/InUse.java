package io.github.etcdgitops.execute.roll;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.ring.roll.UnusedSettings;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.member.MemberState;
import java.util.Optional;

/// Asks a member that has restarted in a roll whether it runs with its new settings.
record InUse(StepContext context) {
    /// What it does not use, as far as it tells. Empty where the roll could not be taken back any more: then a
    /// failure would only keep the ring from all else, and a finding tells it afterwards.
    Optional<String> missing(int ordinal) {
        return context.journal()
                .intent()
                .filter(intent -> intent.kind() == Intent.Kind.ROLL && ordinal > 0 && formerRuns())
                .flatMap(Intent::roll)
                .flatMap(roll -> unused(ordinal, roll.target()));
    }

    /// Whether a voter on the former version keeps etcd from raising the cluster version.
    private boolean formerRuns() {
        var former = context.journal().applied().version();
        return context.state().ring().optional().stream()
                .flatMap(ring -> ring.voters().stream())
                .flatMap(voter -> voter.status().optional().stream())
                .map(MemberState.Status::version)
                .anyMatch(former::equals);
    }

    private Optional<String> unused(int ordinal, MemberSettings target) {
        try {
            return context.member(ordinal)
                    .map(member ->
                            context.calls().onMetrics(member, (etcd, route) -> etcd.settings(route, StepContext.CALL)))
                    .flatMap(told -> UnusedSettings.of(target, told));
        } catch (GatewayException _) {
            return Optional.empty();
        }
    }
}
