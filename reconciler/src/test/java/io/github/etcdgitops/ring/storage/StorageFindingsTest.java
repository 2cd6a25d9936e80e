package io.github.etcdgitops.ring.storage;

import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Departure;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.value.Observed;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// A ring of three that was larger once.
class StorageFindingsTest {
    private static final ClusterState FIVE =
            fresh(Given.ring("demo", "orders").members(5).build(), spec(5));

    /// The claims of five members, of which those of the last two are marked as `released` or not.
    private static ClusterState left(boolean third, boolean fourth) {
        var claims =
                new TreeMap<Integer, ClaimState>(FIVE.kube().claims().optional().orElseThrow());
        claims.computeIfPresent(3, (_, claim) -> released(claim, third));
        claims.computeIfPresent(4, (_, claim) -> released(claim, fourth));
        return with(claims);
    }

    private static ClusterState with(SortedMap<Integer, ClaimState> claims) {
        var kube = FIVE.kube();
        return new ClusterState(
                FIVE.ref(),
                new KubeState(
                        kube.statefulSet(),
                        kube.journal(),
                        kube.pods(),
                        new Observed.Known<>(claims),
                        kube.budget(),
                        kube.configs(),
                        kube.objects()),
                FIVE.ring(),
                FIVE.drift(),
                FIVE.templateWanted(),
                FIVE.classes());
    }

    private static ClaimState released(ClaimState claim, boolean released) {
        return new ClaimState(
                claim.name(),
                claim.uid(),
                claim.phase(),
                claim.ours(),
                claim.terminating(),
                released ? Optional.of(Departure.UNDATED) : Optional.empty(),
                claim.volume());
    }

    @Test
    void namesClaimsOfMembersThatHaveLeft() {
        assertThat(StorageFindings.leftOver(spec(3), left(true, true), 3)).hasValueSatisfying(finding -> {
            assertThat(finding.code()).isEqualTo("claims-kept");
            assertThat(finding.level()).isEqualTo(Finding.Level.NOTE);
            assertThat(finding.message()).startsWith("data-orders-3 (").contains("data-orders-4 (");
        });
    }

    @Test
    void warnsOfClaimOfNoMember() {
        assertThat(StorageFindings.leftOver(spec(3), left(true, false), 3))
                .hasValueSatisfying(finding -> assertThat(finding.code()).isEqualTo("claims-of-nobody"));
    }

    @Test
    void saysNothingOfClaimsThatMembersHaveOrJoinsWillTake() {
        assertThat(StorageFindings.leftOver(spec(3), FIVE, 5)).isEmpty();
        assertThat(StorageFindings.leftOver(spec(5), left(true, true), 3)).isEmpty();
    }
}
