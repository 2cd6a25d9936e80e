package io.github.etcdgitops.state;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.health.Divergence;
import io.github.etcdgitops.state.member.DataHashes;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DivergenceTest {
    private static final DataHashes.Hash RIGHT = new DataHashes.Hash(7, 0xaL);
    private static final DataHashes.Hash OTHER = new DataHashes.Hash(7, 0xbL);

    private static MemberState member(int ordinal, long revision) {
        var status = new MemberState.Status(
                EtcdVersion.parse("3.5.16").orElseThrow(),
                Optional.empty(),
                new MemberState.Position(3, 100, revision),
                0,
                0,
                List.of());
        return new MemberState(
                new EtcdId(ordinal + 1),
                ORDERS.podName(ordinal),
                List.of("http://" + ORDERS.memberHost(ordinal) + ":2380"),
                List.of(),
                false,
                Observed.known(status));
    }

    private static List<MemberState> members(int size) {
        var members = new ArrayList<MemberState>();
        for (int ordinal = 0; ordinal < size; ordinal++) {
            members.add(member(ordinal, 41));
        }
        return members;
    }

    private static DataHashes read(DataHashes.Hash... hashes) {
        var read = new TreeMap<EtcdId, Observed<DataHashes.Hash>>();
        for (int ordinal = 0; ordinal < hashes.length; ordinal++) {
            read.put(new EtcdId(ordinal + 1), Observed.known(hashes[ordinal]));
        }
        return new DataHashes(41, read);
    }

    private static Divergence of(DataHashes.Hash... hashes) {
        return Divergence.of(ORDERS, members(hashes.length), hashes.length, read(hashes));
    }

    private static String unclear(Divergence found) {
        assertThat(found).isInstanceOf(Divergence.Unclear.class);
        return ((Divergence.Unclear) found).why();
    }

    @Test
    void memberThatDiffersFromMajorityIsCorrupt() {
        assertThat(of(RIGHT, OTHER, RIGHT)).isEqualTo(differs(2, 2));
        assertThat(of(OTHER, RIGHT, RIGHT, RIGHT)).isEqualTo(differs(3, 1));
        assertThat(of(RIGHT, OTHER, RIGHT, new DataHashes.Hash(7, 0xcL), RIGHT)).isEqualTo(differs(3, 2, 4));
    }

    private static Divergence.Differs differs(int alike, int... ids) {
        var odd = new TreeSet<EtcdId>();
        for (int id : ids) {
            odd.add(new EtcdId(id));
        }
        return new Divergence.Differs(41, odd, alike);
    }

    /// Half of them is no majority, and neither are two of five that agree while the rest is silent.
    @Test
    void namesNoMemberWithoutMajority() {
        assertThat(unclear(of(RIGHT, OTHER)))
                .isEqualTo("no majority of the 2 voters has the same data at revision 41: orders-0 a, orders-1 b");
        assertThat(unclear(of(RIGHT, RIGHT, OTHER, OTHER))).contains("no majority of the 4 voters");
        assertThat(unclear(of(RIGHT, OTHER, new DataHashes.Hash(7, 0xcL)))).contains("no majority");
        assertThat(unclear(Divergence.of(ORDERS, members(3), 5, read(RIGHT, RIGHT, OTHER))))
                .contains("no majority of the 5 voters");
    }

    /// The leader may have sent it what it has.
    @Test
    void memberStartedWithoutCheckIsNoWitness() {
        var read = read(RIGHT, OTHER, OTHER);
        var copied = new DataHashes(41, read.read(), Set.of(new EtcdId(3)));

        assertThat(unclear(Divergence.of(ORDERS, members(3), 3, copied)))
                .startsWith("orders-2 may have a copy of the leader's data and does not count")
                .contains("no majority of the 3 voters");
        assertThat(Divergence.of(ORDERS, members(3), 3, copied.vouchedFor())).isEqualTo(differs(2, 1));
        var ofFive = read(RIGHT, OTHER, OTHER, RIGHT, RIGHT);
        assertThat(Divergence.of(ORDERS, members(5), 5, new DataHashes(41, ofFive.read(), Set.of(new EtcdId(3)))))
                .isEqualTo(differs(3, 2, 3));
    }

    /// Its volume had shown it before, and what it has now bears that out.
    @Test
    void countsUncomparedMemberWhereItsVolumeMatched() {
        var read = read(RIGHT, OTHER, RIGHT).read();
        var copied = Set.of(new EtcdId(3));

        assertThat(Divergence.of(ORDERS, members(3), 3, new DataHashes(41, read, copied, Set.of(new EtcdId(2)))))
                .isEqualTo(differs(2, 2));
        assertThat(unclear(
                        Divergence.of(ORDERS, members(3), 3, new DataHashes(41, read, copied, Set.of(new EtcdId(1))))))
                .contains("no majority of the 3 voters");
    }

    @Test
    void oneThatWasNotReadLeavesItOpen() {
        var read = new TreeMap<>(read(RIGHT, RIGHT, OTHER).read());
        read.put(new EtcdId(1), Observed.unknown("no hash in time"));

        assertThat(unclear(Divergence.of(ORDERS, members(3), 3, new DataHashes(41, read))))
                .isEqualTo("the data of orders-0 could not be compared at revision 41: no hash in time");
        read.remove(new EtcdId(1));
        assertThat(unclear(Divergence.of(ORDERS, members(3), 3, new DataHashes(41, read))))
                .contains("it was not asked");
    }

    @Test
    void comparesNoHashOfAnotherCompaction() {
        assertThat(unclear(of(RIGHT, RIGHT, new DataHashes.Hash(9, 0xaL)))).contains("compacted");
    }

    /// What a member has beyond the revision that all have does not show in the hashes.
    @Test
    void alikeAreOnlyThoseThatEndAtTheSameRevision() {
        assertThat(of(RIGHT, RIGHT, RIGHT)).isEqualTo(new Divergence.Alike(41));
        var ahead = List.of(member(0, 41), member(1, 43), member(2, 41));

        assertThat(unclear(Divergence.of(ORDERS, ahead, 3, read(RIGHT, RIGHT, RIGHT))))
                .endsWith("different newest revisions: orders-0 41, orders-1 43, orders-2 41");
    }

    @Test
    void comparesAtLowestCommonRevision() {
        assertThat(DataHashes.revision(List.of(member(0, 41), member(1, 39)))).hasValue(39);
        var silent = new MemberState(
                new EtcdId(9), "x", List.of(), List.of(), false, Observed.unknown("it does not answer"));
        assertThat(DataHashes.revision(List.of(member(0, 41), silent))).isEmpty();
    }
}
