package io.github.etcdgitops.execute;

import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.step.StepResult;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// Leaves etcd's comparison at the start (InitialCorruptCheck) out of a member's file, where it is certain that
/// the comparison cannot succeed: two members that it is compared with have different data.
record StartChecks(StepContext context, OddMembers odd, LeaveSteps leading) {
    Optional<String> leftOut(int ordinal) {
        return context.config(ordinal)
                .filter(MemberConfig.Unchecked.class::isInstance)
                .map(_ -> "switched off");
    }

    StepResult leaveOut(int ordinal, Set<EtcdId> wrong, Duration deadline) {
        var sealed = context.config(ordinal).filter(MemberConfig.Sealed.class::isInstance);
        if (sealed.isEmpty()) {
            return new StepResult.Held(context.ref().podName(ordinal) + " is not sealed");
        }
        var agreeing = odd.agreeing();
        if (agreeing.isPresent()) {
            return new StepResult.Held(agreeing.get());
        }
        var led = leading.leadInsteadOf(wrong, deadline);
        if (!(led instanceof StepResult.Done)) {
            return led;
        }
        var unchecked = new MemberConfig.Unchecked(sealed.get().incarnation());
        context.kube().writeMemberConfig(context.objectsAtRest(), ordinal, Optional.of(unchecked));
        return new StepResult.Done("written");
    }
}
