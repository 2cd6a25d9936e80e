package io.github.etcdgitops.policy;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.operation.ScaleIn;
import io.github.etcdgitops.operation.ScaleOut;
import io.github.etcdgitops.operation.TakeBackup;
import io.github.etcdgitops.plan.BackupNeeds;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.Destination;
import io.github.etcdgitops.spec.Fleet;
import io.github.etcdgitops.spec.Risk;
import io.github.etcdgitops.step.BackupOrder;
import io.github.etcdgitops.validation.Location;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PolicyEngineTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private final ScaleIn shrink = new ScaleIn(ORDERS, 2, false);

    private static PolicyEngine from(Risk risk, Approval... approvals) {
        return new PolicyEngine(new Fleet(List.of(), new Fleet.Limits(10, 5), risk), List.of(approvals));
    }

    private static Approval approval(ClusterRef ref, String operation, Instant expires) {
        return new Approval("ok", ref, Set.of(operation), "kim", expires, Location.ofFile("approvals/ok.yaml"));
    }

    @Test
    void whatIsBelowTheThresholdNeedsNobody() {
        assertThat(from(Risk.DESTRUCTIVE).gate(shrink, NOW)).isEqualTo(new Verdict.Allow());
        assertThat(from(Risk.MEDIUM).gate(new ScaleOut(ORDERS, 3, true), NOW)).isEqualTo(new Verdict.Allow());
    }

    @Test
    void whatIsAtTheThresholdWaitsForAnApprovalAndSaysHow() {
        assertThat(from(Risk.HIGH).gate(shrink, NOW)).isInstanceOfSatisfying(Verdict.Hold.class, hold -> {
            assertThat(hold.rule()).isEqualTo("approval");
            assertThat(hold.reason()).contains("risk high", "etcd-gitops approve --operation " + shrink.id());
        });
    }

    @Test
    void anApprovalOfExactlyThisOperationLetsItPass() {
        var approval = approval(ORDERS, shrink.id(), NOW.plusSeconds(1));

        assertThat(from(Risk.LOW, approval).gate(shrink, NOW)).isEqualTo(new Verdict.Allow());
    }

    @Test
    void anApprovalOfAnotherRingOrOperationDoesNot() {
        var other = approval(new ClusterRef("demo", "billing"), shrink.id(), NOW.plusSeconds(1));
        var another = approval(ORDERS, new ScaleIn(ORDERS, 1, false).id(), NOW.plusSeconds(1));

        assertThat(from(Risk.LOW, other, another).gate(shrink, NOW).lets()).isFalse();
    }

    @Test
    void anApprovalEndsAtItsInstant() {
        var expired = approval(ORDERS, shrink.id(), NOW);

        assertThat(from(Risk.LOW, expired).gate(shrink, NOW))
                .isInstanceOfSatisfying(
                        Verdict.Hold.class, h -> assertThat(h.reason()).contains("has expired"));
        assertThat(from(Risk.LOW, expired, approval(ORDERS, shrink.id(), NOW.plusSeconds(1)))
                        .gate(shrink, NOW)
                        .lets())
                .isTrue();
    }

    @Test
    void aBackupNeedsNobodysWord() {
        var order = new BackupOrder(
                "prod",
                "nightly",
                new Destination.Directory("/backups", ""),
                new BackupPolicy.Encoding(false, Optional.empty(), Optional.empty()),
                "");

        assertThat(from(Risk.LOW)
                        .gate(new TakeBackup(ORDERS, order, "none", "it is time"), NOW)
                        .lets())
                .isTrue();
    }

    @Test
    void laterOperationsWaitForTheOneThatIsHeld() {
        var state = fresh(Given.ring("demo", "orders").members(5).build(), spec(2));
        var second = new ScaleIn(ORDERS, 3, false);
        var plan = Planner.plan(spec(2), state, BackupNeeds.NONE, NOW);

        var gated = from(Risk.MEDIUM, approval(ORDERS, second.id(), NOW.plusSeconds(9)))
                .gate(plan, NOW);

        assertThat(gated.operations()).hasSize(3).noneMatch(o -> o.verdict().lets());
        assertThat(gated.operations().get(1).verdict())
                .isInstanceOfSatisfying(
                        Verdict.Hold.class, h -> assertThat(h.rule()).isEqualTo("order"));
    }

    @Test
    void advisesAgainstEvenSizes() {
        assertThat(from(Risk.LOW).admit(spec(4))).singleElement().satisfies(f -> {
            assertThat(f.code()).isEqualTo("odd-size");
            assertThat(f.message()).contains("take 3 or 5");
        });
        assertThat(from(Risk.LOW).admit(spec(3))).isEmpty();
    }
}
