package io.github.etcdgitops.ring.membership;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Stage;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState.StatefulSetState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class MembershipTest {
    private final ClusterState green = fresh(Given.ring("demo", "orders").build(), spec(3));

    private static StatefulSetState set(ClusterState state) {
        return state.kube().statefulSet().optional().flatMap(s -> s).orElseThrow();
    }

    private static Journal journal(ClusterState state) {
        return state.kube().journal().optional().flatMap(j -> j).orElseThrow().journal();
    }

    private static RingState ring(ClusterState state) {
        return state.ring().optional().orElseThrow();
    }

    private static Membership of(ClusterState state) {
        return Membership.of(ORDERS, ring(state), set(state), journal(state));
    }

    private Membership withMembers(UnaryOperator<List<MemberState>> change) {
        var members = change.apply(new ArrayList<>(ring(green).members()));
        return Membership.of(
                ORDERS, new RingState(ring(green).clusterId(), members, List.of()), set(green), journal(green));
    }

    private static MemberState member(long id, String peerUrl, boolean learner) {
        return new MemberState(
                new EtcdId(id),
                "",
                List.of(peerUrl),
                List.of(),
                learner,
                io.github.etcdgitops.state.value.Observed.unknown("not started"));
    }

    private static String url(int ordinal) {
        return "http://" + ORDERS.memberHost(ordinal) + ":2380";
    }

    private static void assertBroken(Membership membership, FindingCode code) {
        assertThat(membership)
                .isInstanceOfSatisfying(
                        Membership.Broken.class, b -> assertThat(b.code()).isEqualTo(code));
    }

    @Test
    void greenRingIsSteady() {
        assertThat(of(green)).isEqualTo(new Membership.Steady(3));
    }

    @Test
    void knowsJoinFromJournal() {
        var state = fresh(Given.ring("demo", "orders").learner().build(), spec(5));

        assertThat(of(state)).isEqualTo(new Membership.Joining(3, new TreeMap<>()));
    }

    @Test
    void knowsWhetherLeavingMemberIsStillThere() {
        var begun = Given.ring("demo", "orders").members(4).inLeave(Stage.Leave.BLOCKED);
        var removed = Given.ring("demo", "orders").members(4).inLeave(Stage.Leave.REMOVED);

        assertThat(of(fresh(begun.build(), spec(3)))).isEqualTo(new Membership.Leaving(3, true, new TreeMap<>()));
        assertThat(of(fresh(removed.build(), spec(3)))).isEqualTo(new Membership.Leaving(3, false, new TreeMap<>()));
    }

    @Test
    void anotherClusterIdIsAnotherRing() {
        var other = new RingState(new EtcdId(1), ring(green).members(), List.of());

        assertBroken(Membership.of(ORDERS, other, set(green), journal(green)), FindingCode.CLUSTER_ID_CHANGED);
    }

    @Test
    void memberIdOtherThanJournalledIsBroken() {
        var known = Objects.requireNonNull(journal(green).members().get(1));
        var journal = journal(green)
                .withMember(1, new Journal.Member(known.incarnation(), Optional.of(new EtcdId(7)), known.claimUid()));

        assertBroken(Membership.of(ORDERS, ring(green), set(green), journal), FindingCode.MEMBER_ID_CHANGED);
    }

    @Test
    void peerUrlOfNoPodIsForeign() {
        assertBroken(
                withMembers(m -> {
                    m.add(member(9, "http://10.0.0.9:2380", false));
                    return m;
                }),
                FindingCode.FOREIGN_MEMBER);
    }

    @Test
    void unknownLearnerIsForeign() {
        assertBroken(
                withMembers(m -> {
                    m.add(member(9, url(3), true));
                    return m;
                }),
                FindingCode.FOREIGN_LEARNER);
    }

    @Test
    void twoMembersOfOnePodAreBroken() {
        assertBroken(
                withMembers(m -> {
                    m.add(member(9, url(2), false));
                    return m;
                }),
                FindingCode.MEMBER_ID_CHANGED);
        assertBroken(
                withMembers(m ->
                        List.of(m.get(0), m.get(1), m.get(2), member(9, url(3), false), member(10, url(3), false))),
                FindingCode.MEMBER_TWICE);
    }

    @Test
    void memberRemovedByHandLeavesGap() {
        var former = byOrdinal(ring(green).members(), 1).id();

        assertThat(withMembers(m -> List.of(byOrdinal(m, 0), byOrdinal(m, 2))))
                .isEqualTo(new Membership.Gap(3, new TreeMap<>(Map.of(1, former))));
    }

    /// The journal does not know who was there.
    @Test
    void unknownGapIsBroken() {
        var two = List.of(
                byOrdinal(ring(green).members(), 0), byOrdinal(ring(green).members(), 2));
        var journal = journal(green).withMember(1, new Journal.Member("x", Optional.empty(), Optional.empty()));

        assertBroken(
                Membership.of(ORDERS, new RingState(ring(green).clusterId(), two, List.of()), set(green), journal),
                FindingCode.MEMBER_GAP);
    }

    @Test
    void knowsGapDuringRemoval() {
        var two = List.of(
                byOrdinal(ring(green).members(), 0), byOrdinal(ring(green).members(), 2));
        var journal = journal(green).withIntent(Optional.of(new Intent(Intent.Kind.LEAVE, 2, "0123456789abcdef", 1)));

        var gone = journal.members().get(1).id().orElseThrow();
        assertThat(Membership.of(ORDERS, new RingState(ring(green).clusterId(), two, List.of()), set(green), journal))
                .isEqualTo(new Membership.Leaving(2, true, new TreeMap<>(Map.of(1, gone))));
    }

    private static MemberState byOrdinal(List<MemberState> members, int ordinal) {
        return members.stream()
                .filter(m -> m.ordinal(ORDERS).equals(Optional.of(ordinal)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void intentThatDoesNotFitMembersIsBroken() {
        var intent = new Intent(Intent.Kind.JOIN, 7, "0123456789abcdef", 1);
        var journal = journal(green).withIntent(Optional.of(intent));

        assertBroken(Membership.of(ORDERS, ring(green), set(green), journal), FindingCode.UNEXPECTED_MEMBERS);
    }

    @Test
    void anotherLearnerThanTheOneJoiningIsBroken() {
        var intent = new Intent(Intent.Kind.LEAVE, 2, "0123456789abcdef", 1);
        var members = List.of(
                byOrdinal(ring(green).members(), 0),
                member(9, url(1), true),
                byOrdinal(ring(green).members(), 2));
        var bare = journal(green)
                .withMember(1, new Journal.Member("x", Optional.empty(), Optional.empty()))
                .withIntent(Optional.of(intent));

        assertBroken(
                Membership.of(ORDERS, new RingState(ring(green).clusterId(), members, List.of()), set(green), bare),
                FindingCode.UNEXPECTED_MEMBERS);
    }
}
