package io.github.etcdgitops.worlds;

import io.github.etcdgitops.operation.Operation;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.Fleet;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.validation.Location;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Who is on call for a ring, knows nothing of it, and does what plans say.
final class Person {
    private static final Pattern DELETE_CLAIM = Pattern.compile("delete pvc data-orders-(\\d+)");

    private final Play play;
    private final List<Approval> approvals = new ArrayList<>();

    Person(Play play) {
        this.play = play;
    }

    /// Approves what is planned, and types what the findings propose.
    void follow(ClusterPlan plan) {
        approve(plan);
        plan.findings().forEach(finding -> {
            var claim = DELETE_CLAIM.matcher(finding.message());
            while (claim.find()) {
                play.world.faults(Play.REF).deleteClaim(Integer.parseInt(claim.group(1)));
            }
        });
        boolean lost = plan.findings().stream().anyMatch(f -> f.code().equals("quorum-lost"));
        if (lost && plan.operations().isEmpty()) {
            restoreABackup();
        }
    }

    private void approve(ClusterPlan plan) {
        var ids = plan.operations().stream()
                .filter(planned -> !planned.verdict().lets())
                .map(PlannedOperation::operation)
                .map(Operation::id)
                .collect(Collectors.toUnmodifiableSet());
        for (String id : ids) {
            approvals.add(new Approval(
                    "yes-" + approvals.size(),
                    Play.REF,
                    play.ring.clusterId().map(EtcdId::toString),
                    Set.of(id),
                    "an owner",
                    Instant.MAX,
                    Location.ofFile("approvals/yes.yaml")));
        }
        play.policies = new PolicyEngine(Fleet.DEFAULT, approvals);
    }

    private void restoreABackup() {
        play.vault.stored().newest().ifPresent(backup -> play.vault.restoreInPlace(backup.id()));
    }
}
