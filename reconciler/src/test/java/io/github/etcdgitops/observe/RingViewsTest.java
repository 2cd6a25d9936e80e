package io.github.etcdgitops.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.EtcdGateway.View;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What the members say, read while it changes.
class RingViewsTest {
    private static final ClusterRef REF = new ClusterRef("demo", "orders");
    private static final EtcdId RING = new EtcdId(7);
    private static final String PLAIN = "http://orders-1:2379";
    private static final String BOTH = "https://orders-1:2379";

    /// A member that is back tells the ring its client URLs by itself, and the others hear of it one
    /// after the other.
    @Test
    void newerViewOfMemberIsNoContradiction() {
        var merged = merged(
                view(0, 41, member(0, false, ""), member(1, false, BOTH)),
                view(1, 42, member(0, false, ""), member(1, false, PLAIN)));

        assertThat(merged.optional().orElseThrow().members())
                .filteredOn(m -> m.id().equals(id(1)))
                .allMatch(m -> m.clientUrls().equals(List.of(PLAIN)));
    }

    @Test
    void anotherPeerUrlDoes() {
        var other = new MemberState(id(1), "orders-1", List.of("http://elsewhere:2380"), List.of(), false, unasked());

        var merged = merged(
                view(0, 41, member(0, false, ""), member(1, false, "")), view(1, 41, member(0, false, ""), other));

        assertThat(merged.unknownReason()).contains("the members report different member lists");
    }

    @Test
    void learnerThatOthersReportAsVoterIsContradiction() {
        var merged = merged(
                view(0, 41, member(0, false, ""), member(1, true, "")),
                view(1, 42, member(0, false, ""), member(1, false, "")));

        assertThat(merged.unknownReason()).contains("the members report different member lists");
    }

    @Test
    void anotherClusterIdDoes() {
        var alien = new View(new EtcdId(8), id(1), List.of(member(1, false, "")), status(3), List.of());

        var merged = RingViews.merge(
                REF,
                new TreeMap<>(Map.of(0, Observed.known(view(0, 41, member(0, false, ""))), 1, Observed.known(alien))));

        assertThat(merged.unknownReason()).contains("the members report different cluster IDs");
    }

    /// Its list is of before, and what it says of the leader is no contradiction.
    @Test
    void ignoresViewOfMemberWithoutPeers() {
        var old = view(2, 30, Optional.empty(), member(0, false, ""), member(1, false, ""), member(2, false, ""));
        var now = List.of(member(0, false, ""), member(1, false, ""), member(2, false, ""), member(3, true, ""));

        var ring = merged(view(0, 41, now), view(1, 41, now), old).optional().orElseThrow();

        assertThat(ring.leader()).contains(id(0));
        assertThat(ring.members()).hasSize(4);
        assertThat(ring.members())
                .filteredOn(m -> m.id().equals(id(2)))
                .singleElement()
                .matches(m ->
                        m.status().unknownReason().orElse("").contains("has no leader, while 2 of 3 voters have one"));
    }

    @Test
    void removedMemberIsNoLongerAMember() {
        var old = view(2, 30, Optional.empty(), member(0, false, ""), member(1, false, ""), member(2, false, ""));
        var now = List.of(member(0, false, ""), member(1, false, ""));

        var ring = merged(view(0, 41, now), view(1, 41, now), old).optional().orElseThrow();

        assertThat(ring.members()).hasSize(2);
    }

    /// An election may be under way, or the ring has lost its quorum.
    @Test
    void usesAllViewsWithoutMajorityLeader() {
        var all = List.of(member(0, false, ""), member(1, false, ""), member(2, false, ""));

        var ring = merged(view(0, 41, all), view(1, 41, Optional.empty(), all), view(2, 41, Optional.empty(), all))
                .optional()
                .orElseThrow();

        assertThat(ring.members()).allMatch(MemberState::answers);
        assertThat(ring.leader()).isEmpty();
    }

    @Test
    void memberWithAnotherLeaderIsContradiction() {
        var all = List.of(member(0, false, ""), member(1, false, ""), member(2, false, ""));

        var ring = merged(view(0, 41, all), view(1, 41, all), view(2, 41, Optional.of(id(2)), all))
                .optional()
                .orElseThrow();

        assertThat(ring.leader()).isEmpty();
        assertThat(ring.members()).allMatch(MemberState::answers);
    }

    private static Observed<RingState> merged(View first, View second, View third) {
        return RingViews.merge(
                REF, Map.of(0, Observed.known(first), 1, Observed.known(second), 2, Observed.known(third)));
    }

    private static View view(int ordinal, long applied, List<MemberState> members) {
        return view(ordinal, applied, Optional.of(id(0)), members);
    }

    private static View view(int ordinal, long applied, Optional<EtcdId> leader, MemberState... members) {
        return view(ordinal, applied, leader, List.of(members));
    }

    private static View view(int ordinal, long applied, Optional<EtcdId> leader, List<MemberState> members) {
        return new View(RING, id(ordinal), members, status(applied, leader), List.of());
    }

    private static Observed<RingState> merged(View first, View second) {
        return RingViews.merge(REF, Map.of(0, Observed.known(first), 1, Observed.known(second)));
    }

    private static View view(int ordinal, long applied, MemberState... members) {
        return new View(RING, id(ordinal), List.of(members), status(applied), List.of());
    }

    private static MemberState.Status status(long applied) {
        return status(applied, Optional.of(id(0)));
    }

    private static MemberState.Status status(long applied, Optional<EtcdId> leader) {
        return new MemberState.Status(
                EtcdVersion.parse("3.5.30").orElseThrow(),
                leader,
                new MemberState.Position(2, applied, applied),
                20_480,
                20_480,
                List.of());
    }

    private static MemberState member(int ordinal, boolean learner, String clientUrl) {
        return new MemberState(
                id(ordinal),
                "orders-" + ordinal,
                List.of("http://" + REF.memberHost(ordinal) + ":2380"),
                clientUrl.isEmpty() ? List.of() : List.of(clientUrl),
                learner,
                unasked());
    }

    private static Observed<MemberState.Status> unasked() {
        return Observed.unknown("not asked");
    }

    private static EtcdId id(int ordinal) {
        return new EtcdId(100 + ordinal);
    }
}
