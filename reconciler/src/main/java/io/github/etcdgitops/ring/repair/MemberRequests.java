package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.MemberReplacement;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What documents ask for on the members of a ring of `members`. A request names a member by its ID, and
/// ends once the ring has no member with that ID: an ID never comes back.
public record MemberRequests(EtcdClusterSpec spec, int members, RingState ring) {
    /// The members to replace, by ordinal.
    public SortedMap<Integer, EtcdId> formers() {
        var formers = new TreeMap<Integer, EtcdId>();
        for (var request : requests()) {
            if (meant(request).isPresent()) {
                formers.put(request.ordinal(), id(request));
            }
        }
        return formers;
    }

    /// Why a document has no effect, where that is so.
    public List<Finding> findings() {
        return requests().stream().flatMap(r -> finding(r).stream()).toList();
    }

    private Optional<Finding> finding(MemberReplacement request) {
        String what = "the MemberReplacement " + request.name() + " (" + request.source() + ")";
        if (members == 1) {
            return Optional.of(new Finding(
                    Level.ERROR,
                    FindingCode.MEMBER_REPLACEMENT_OF_ONE,
                    what + " names a ring with one member, so there is no other copy of the data"));
        }
        if (meant(request).isPresent()) {
            return Optional.empty();
        }
        var elsewhere = ring.members().stream()
                .filter(m -> m.id().equals(id(request)))
                .findFirst()
                .map(m -> m.ordinal(spec.ref()).map(spec.ref()::podName).orElse("another one"));
        return Optional.of(elsewhere
                .map(pod -> new Finding(
                        Level.ERROR,
                        FindingCode.MEMBER_REPLACEMENT_UNCLEAR,
                        what + " names the member " + request.memberId() + ", which is " + pod
                                + ", but also the ordinal " + request.ordinal() + ". No member is replaced"))
                .orElseGet(() -> new Finding(
                        Level.NOTE,
                        FindingCode.MEMBER_REPLACEMENT_OVER,
                        what + " has nothing to do. The ring no longer has the member " + request.memberId()
                                + ". Delete the document")));
    }

    private Optional<MemberState> meant(MemberReplacement request) {
        return Optional.ofNullable(ring.byOrdinal(spec.ref()).get(request.ordinal()))
                .filter(member -> request.ordinal() < members && member.id().equals(id(request)));
    }

    private static EtcdId id(MemberReplacement request) {
        return EtcdId.parse(request.memberId());
    }

    private List<MemberReplacement> requests() {
        return spec.declaration().handling().repairs().replacements();
    }
}
