package io.github.etcdgitops.ring.roll;

import static io.github.etcdgitops.observe.Reading.fresh;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.member.MemberState.Storage;
import io.github.etcdgitops.state.value.Observed;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DowngradeGateTest {
    private static final ClusterRef REF = new ClusterRef("demo", "orders");
    private static final EtcdVersion EARLIER = new EtcdVersion(3, 5, 0);
    private static final EtcdVersion LATER = new EtcdVersion(3, 6, 0);

    private static final Member UNTOUCHED = new Member("3.6.14", told(LATER, Optional.empty()));
    private static final Member ANNOUNCED = new Member("3.6.14", told(LATER, Optional.of(EARLIER)));
    private static final Member PREPARED = new Member("3.6.14", told(EARLIER, Optional.of(EARLIER)));
    private static final Member PREPARED_AND_ENDED = new Member("3.6.14", told(EARLIER, Optional.empty()));
    private static final Member RESTARTED = new Member("3.5.30", Storage.UNTOLD);

    private record Member(String version, Storage storage) {}

    private static Storage told(EtcdVersion version, Optional<EtcdVersion> downgradeTo) {
        return new Storage(Optional.of(version), downgradeTo, Optional.empty());
    }

    @Test
    void everyMemberMustBePrepared() {
        assertThat(DowngradeGate.unprepared(EARLIER, state(PREPARED, ANNOUNCED, PREPARED)))
                .contains("orders-1 has not prepared its data for etcd 3.5");
        assertThat(DowngradeGate.unprepared(EARLIER, state(PREPARED, PREPARED, PREPARED)))
                .isEmpty();
    }

    @Test
    void cancelledDowngradeStopsBeforeTheFirstRestart() {
        assertThat(DowngradeGate.unprepared(EARLIER, state(UNTOUCHED, UNTOUCHED, UNTOUCHED)))
                .hasValueSatisfying(why -> assertThat(why).contains("take the commit back"));
        assertThat(DowngradeGate.unprepared(EARLIER, state(PREPARED_AND_ENDED, PREPARED_AND_ENDED, PREPARED_AND_ENDED)))
                .isPresent();
    }

    /// A leader of 3.5 has ended it.
    @Test
    void endedDowngradeGoesOnOnceAMemberRunsTheEarlierVersion() {
        assertThat(DowngradeGate.unprepared(EARLIER, state(PREPARED_AND_ENDED, PREPARED_AND_ENDED, RESTARTED)))
                .isEmpty();
        assertThat(DowngradeGate.unprepared(EARLIER, state(PREPARED_AND_ENDED, UNTOUCHED, RESTARTED)))
                .contains("orders-1 has not prepared its data for etcd 3.5");
    }

    @Test
    void silentMemberIsNotPrepared() {
        var silent = Given.ring(REF.namespace(), REF.name())
                .version("3.6.14")
                .down(2)
                .build();

        assertThat(DowngradeGate.unready(fresh(silent, Given.spec(REF, 3, "3.5.30"))))
                .hasValueSatisfying(why -> assertThat(why).contains("orders-2 does not run etcd 3.6.14"));
    }

    @Test
    void startsFromOneVersionWithoutLearners() {
        var learner = Given.ring(REF.namespace(), REF.name())
                .version("3.6.14")
                .learner()
                .build();

        assertThat(DowngradeGate.unready(state(UNTOUCHED, UNTOUCHED, UNTOUCHED)))
                .isEmpty();
        assertThat(DowngradeGate.unready(state(UNTOUCHED, RESTARTED, UNTOUCHED)))
                .hasValueSatisfying(why -> assertThat(why).contains("orders-1 does not run etcd 3.6.14"));
        assertThat(DowngradeGate.unready(fresh(learner, Given.spec(REF, 3, "3.5.30"))))
                .hasValueSatisfying(why -> assertThat(why).contains("learner"));
    }

    private static ClusterState state(Member... members) {
        var world = Given.ring(REF.namespace(), REF.name()).version("3.6.14").build();
        var state = fresh(world, Given.spec(REF, 3, "3.5.30"));
        var ring = state.ring().optional().orElseThrow();
        var byOrdinal = ring.byOrdinal(REF);
        var told = IntStream.range(0, 3)
                .mapToObj(ordinal -> told(byOrdinal.get(ordinal), members[ordinal]))
                .toList();
        return new ClusterState(
                state.ref(),
                state.kube(),
                Observed.known(new RingState(ring.clusterId(), told, List.of())),
                state.drift(),
                state.templateWanted(),
                state.supply(),
                state.foreign());
    }

    private static MemberState told(MemberState member, Member told) {
        var status = member.status().optional().orElseThrow();
        return new MemberState(
                member.id(),
                member.name(),
                member.peerUrls(),
                member.clientUrls(),
                member.learner(),
                Observed.known(new MemberState.Status(
                        EtcdVersion.parse(told.version()).orElseThrow(),
                        status.leader(),
                        status.at(),
                        status.dbSize(),
                        status.dbSizeInUse(),
                        status.errors(),
                        told.storage())));
    }
}
