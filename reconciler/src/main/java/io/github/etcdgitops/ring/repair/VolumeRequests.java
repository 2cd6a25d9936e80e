package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.VolumeReset;
import io.github.etcdgitops.state.KubeState.ClaimState;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What documents ask for on the volumes of a ring of `members`, whose claims are `current`. A request
/// names a claim by its UID, and ends once the member has another one.
public record VolumeRequests(EtcdClusterSpec spec, int members, SortedMap<Integer, ClaimState> current) {
    /// Claims that a document names and that currently exist, by ordinal.
    public SortedMap<Integer, ClaimState> claims() {
        var asked = new TreeMap<Integer, ClaimState>();
        for (var reset : requests()) {
            Optional.ofNullable(current.get(reset.ordinal()))
                    .filter(claim -> reset.ordinal() < members && claim.uid().equals(reset.claimUid()))
                    .ifPresent(claim -> asked.put(reset.ordinal(), claim));
        }
        return asked;
    }

    /// Why a document has no effect, where that is so.
    public List<Finding> findings() {
        return requests().stream().flatMap(r -> finding(r).stream()).toList();
    }

    private Optional<Finding> finding(VolumeReset reset) {
        String what = "the VolumeReset " + reset.name() + " (" + reset.source() + ")";
        var claim = Optional.ofNullable(current.get(reset.ordinal()));
        if (members == 1) {
            return Optional.of(new Finding(
                    Level.ERROR,
                    FindingCode.VOLUME_RESET_OF_ONE,
                    what + " names a ring with one member, so there is no other copy of the data"));
        }
        return claim.filter(c -> c.uid().equals(reset.claimUid())).isPresent()
                ? Optional.empty()
                : Optional.of(new Finding(
                        Level.NOTE,
                        FindingCode.VOLUME_RESET_OVER,
                        what + " has nothing to do. "
                                + claim.map(c -> c.name() + " has the UID " + c.uid())
                                        .orElse("the ring has no member " + reset.ordinal())
                                + ". Delete the document"));
    }

    private List<VolumeReset> requests() {
        return spec.declaration().handling().repairs().resets();
    }
}
