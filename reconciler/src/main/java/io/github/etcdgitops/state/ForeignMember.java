package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.member.MemberState;
import java.util.Optional;

/// One member of a foreign ring: the facts from its pod, its claim, its flags and etcd itself.
public record ForeignMember(
        int ordinal, Foreign.Pod pod, ForeignSettings settings, ForeignVolume volume, Optional<MemberState> member) {
    /// Empty where there is no such pod, or where it is not a single container that could be read.
    public static Optional<ForeignMember> of(ClusterState state, Foreign foreign, int ordinal) {
        var pod = foreign.pods().get(ordinal);
        var containers = foreign.template().containers();
        if (pod == null || containers.size() != 1) {
            return Optional.empty();
        }
        ClusterRef ref = state.ref();
        var flags = ForeignFlags.of(containers.getFirst(), pod, ref.namespace());
        var member = state.ring()
                .optional()
                .flatMap(ring -> Optional.ofNullable(ring.byOrdinal(ref).get(ordinal)));
        return Optional.of(new ForeignMember(
                ordinal,
                pod,
                ForeignSettings.of(flags, ref, ordinal),
                ForeignVolume.of(foreign, flags, ordinal),
                member));
    }
}
