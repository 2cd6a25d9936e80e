package io.github.etcdgitops.doctor.fact;

import io.github.etcdgitops.gateway.MemberAccess.Way;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.value.Observed;
import java.util.List;

/// The rings that are there, and how each of their members answered. `everyEnvironment` is set where nobody knows
/// which of them are meant.
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
