package io.github.etcdgitops.doctor.fact;

import io.github.etcdgitops.gateway.MemberAccess.Way;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.value.Observed;
import java.util.List;

/// The existing rings, and each member's answer. `everyEnvironment` is set where it is unknown which of
/// them belong to the environment.
public record MemberFacts(List<Ring> rings, boolean everyEnvironment) {
    public MemberFacts {
        rings = List.copyOf(rings);
    }

    /// `pods` is Unknown where they could not be listed.
    public record Ring(ClusterRef ref, Observed<List<Member>> pods) {}

    public record Member(String pod, Observed<Answer> answer) {}

    /// A learner does not list members.
    public record Answer(Way way, String version, boolean lists) {}
}
