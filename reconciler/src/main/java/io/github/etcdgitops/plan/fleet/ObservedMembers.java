package io.github.etcdgitops.plan.fleet;

import io.github.etcdgitops.ring.auth.AuthStanding;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.member.MemberState;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The members that were observed when the plan was made, and a summary of the ring's users. For readers only:
/// leader and store size change by themselves, so no decision depends on them and no plan's hash covers them.
public record ObservedMembers(List<Member> members, Optional<AuthStanding> users) {
    public ObservedMembers {
        members = members.stream()
                .sorted(Comparator.comparing(Member::name).thenComparing(Member::id))
                .toList();
    }

    /// Of a ring without users.
    public ObservedMembers(List<Member> members) {
        this(members, Optional.empty());
    }

    /// `version` and `dbSize`, in bytes, are empty for a member that does not answer.
    public record Member(
            String id, String name, boolean learner, boolean leads, Optional<String> version, Optional<Long> dbSize) {
        public boolean answers() {
            return version.isPresent();
        }
    }

    /// Empty for a ring that could not be read.
    public static Optional<ObservedMembers> of(ClusterState state) {
        return state.ring().optional().map(ring -> {
            // Members mostly have the same version, whose text is kept once.
            var versions = new HashMap<EtcdVersion, Optional<String>>();
            return new ObservedMembers(
                    ring.members().stream().map(m -> member(ring, m, versions)).toList(), AuthStanding.of(state));
        });
    }

    private static Member member(RingState ring, MemberState member, Map<EtcdVersion, Optional<String>> versions) {
        var status = member.status().optional();
        return new Member(
                member.id().toString(),
                member.name(),
                member.learner(),
                ring.leader().filter(member.id()::equals).isPresent(),
                status.flatMap(s -> versions.computeIfAbsent(s.version(), version -> Optional.of(version.toString()))),
                status.map(MemberState.Status::dbSize));
    }
}
