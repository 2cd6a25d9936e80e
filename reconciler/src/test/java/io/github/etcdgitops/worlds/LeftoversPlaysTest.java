package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.report.table.RetainedTable;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.validation.Location;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What a deletion leaves in Kubernetes: named before, named afterwards, and removable.
class LeftoversPlaysTest {
    @Test
    void snapshotThenDeleteNamesAndKeepsVolumesOfMembersThatHadLeft() {
        var play = asking(shrunk(), DeletedRing.withData(shrunk()));
        String third = play.ring.claimUid(3);

        String before = said(play.plan(), "left-behind");
        assertThat(before)
                .contains("volumes of former members: data-orders-3 (UID " + third + "), data-orders-4")
                .contains("deleteRetained", "ConfigMap orders-journal", "ConfigMap orders-members")
                .contains("Lease orders-etcd-gitops")
                .doesNotContain("are deleted with it");

        assertThat(approved(play).once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        play.world.tick(20);

        assertThat(play.ring.claims()).containsExactly(3, 4);
        assertThat(said(play.plan(), "ring-deleted")).contains("data-orders-3 (UID " + third + ")");
        assertThat(listed(play.world))
                .contains("data-orders-3", "data-orders-4", "its member has left")
                .contains("ConfigMap orders-journal", "Lease orders-etcd-gitops")
                .contains("kubectl -n demo delete configmap,secret,lease -l ");
    }

    @Test
    void deleteRetainedDeletesVolumesOfMembersThatHadLeftByTheirUids() {
        var gone = asking(shrunk(), DeletedRing.withData(shrunk()));
        approved(gone).once(FaultHook.NONE);
        gone.world.tick(20);
        var play = asking(gone.world, DeletedRing.purge(gone.world));
        var operation = play.plan().operations().getFirst().operation();
        assertThat(operation.target()).contains(play.ring.claimUid(3), play.ring.claimUid(4));
        assertThat(said(play.plan(), "left-behind"))
                .contains("the volumes of former members are deleted with it: data-orders-3 (UID ");

        assertThat(approved(play).once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        play.world.tick(20);

        assertThat(play.ring.claims()).isEmpty();
        assertThat(play.plan().operations()).isEmpty();
        assertThat(listed(play.world)).contains("ConfigMap orders-journal").doesNotContain("data-orders");
    }

    /// The approval names the claims, and holds until the last of them is gone.
    @Test
    void killedAnywhereTheSameClaimsGoByTheSameApproval() {
        var boundaries = new LinkedHashSet<String>();
        approved(kept()).once(boundaries::add);
        assertThat(boundaries).hasSize(8);
        for (String boundary : boundaries) {
            var play = approved(kept());
            String id = play.plan().operations().getFirst().operation().id();
            play.killAt(boundary);
            play.world.tick(20);
            assertThat(play.plan().operations())
                    .allSatisfy(planned ->
                            assertThat(planned.operation().id()).as(boundary).isEqualTo(id));

            play.untilQuiet(3);

            assertThat(play.ring.claims()).as(boundary).isEmpty();
            assertThat(play.breaches()).as(boundary).isEmpty();
        }
    }

    /// A volume of that name that turns up later is in no approval.
    @Test
    void keepsClaimThatAppearsMeanwhile() {
        var play = approved(kept());
        play.killAt("DeleteVolumes/BeginPurge/after");
        play.world.faults(Play.REF).copyClaim(4);
        play.world.tick(20);

        play.untilQuiet(3);

        assertThat(play.ring.claims()).containsExactly(4);
    }

    @Test
    void keptVolumesOfMembersThatHadLeftAreNamedInAPlainDeletionToo() {
        var play = asking(shrunk(), DeletedRing.tombstone(shrunk()));

        assertThat(said(play.plan(), "left-behind"))
                .contains("the ring's 3 volumes", "data-orders-3 (UID ", "data-orders-4 (UID ");
    }

    @Test
    void namesSecretWithKeyOfCa() {
        var world = SecuredRing.of(3);
        var play = asking(world, DeletedRing.tombstone(world));

        assertThat(said(play.plan(), "left-behind"))
                .contains("Secret orders-ca (with the CA's private key)", "Secret orders-peer-tls")
                .contains("Secret orders-server-tls", "Secret orders-client-tls")
                .contains("delete configmap,secret,lease");
    }

    /// A ring of 5 that was made one of 3.
    private static FakeWorld shrunk() {
        var world = Worlds.ring().members(5).leader(0).build();
        new Play(world, Given.spec(Play.REF, 3, "3.5.16")).untilQuiet(6);
        assertThat(world.look(Play.REF).claims()).hasSize(5);
        assertThat(world.look(Play.REF).voters()).hasSize(3);
        return world;
    }

    /// A ring of 3, once of 5, that was deleted and whose volumes were kept, and that shall go.
    private static Play kept() {
        var world = shrunk();
        asking(world, DeletedRing.tombstone(world)).once(FaultHook.NONE);
        world.tick(20);
        return asking(world, DeletedRing.purge(world));
    }

    private static Play asking(FakeWorld world, Tombstone tombstone) {
        var play = new Play(world, Given.spec(Play.REF, 3, "3.5.16"));
        play.vault.keep(Duration.ofDays(1), 2);
        play.tombstones = Optional.of(List.of(tombstone));
        return play;
    }

    private static Play approved(Play play) {
        play.policies = new PolicyEngine(
                Fleet.DEFAULT,
                List.of(new Approval(
                        "orders",
                        Play.REF,
                        Set.of(play.plan().operations().getFirst().operation().id()),
                        "kim",
                        play.world.instant().plusSeconds(36_000),
                        Location.ofFile("approvals/orders.yaml"))));
        return play;
    }

    private static String said(ClusterPlan plan, String code) {
        return plan.findings().stream()
                .filter(finding -> finding.code().equals(code))
                .map(Finding::message)
                .findFirst()
                .orElseThrow(() -> new AssertionError(plan.situation() + " " + plan.findings()));
    }

    private static String listed(FakeWorld world) {
        return RetainedTable.of(world.kubernetes().list(_ -> true))
                .human(Style.PLAIN)
                .toString();
    }
}
