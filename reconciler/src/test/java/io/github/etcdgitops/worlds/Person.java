package io.github.etcdgitops.worlds;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.repair.InspectVolume;
import io.github.etcdgitops.ring.restore.RestoreCluster;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.underway.Recovery;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.validation.Location;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Who is on call for a ring, knows nothing of it, and does what plans say.
final class Person {
    private static final Pattern DELETE_CLAIM = Pattern.compile("delete pvc data(?:dir)?-orders-(\\d+)");

    private static final Pattern VERSION =
            Pattern.compile("Set (?:the version|spec\\.version) to (\\S+) (?:again|or later)");

    /// So many plans may say that the ring has lost its quorum, and what they propose may bring it back.
    private static final int PATIENCE = 4;

    private final Play play;
    private int lost;
    private int restoring;
    private final List<Approval> approvals = new ArrayList<>();

    Person(Play play) {
        this.play = play;
    }

    /// Approves what is planned, and types what the findings propose.
    void follow(ClusterPlan plan) {
        approve(plan);
        if (plan.findings().stream().anyMatch(f -> f.message().contains("delete statefulset orders"))) {
            play.world.faults(Play.REF).deleteStatefulSet(false);
        }
        plan.findings().forEach(finding -> {
            var claim = DELETE_CLAIM.matcher(finding.message());
            while (claim.find()) {
                play.world.faults(Play.REF).deleteClaim(Integer.parseInt(claim.group(1)));
            }
        });
        if (says(plan, "adopt-refused")) {
            play.world.faults(Play.REF).repairForeign();
        }
        if (says(plan, "taken-back")) {
            tryAgain();
        }
        if (plan.findings().stream().anyMatch(f -> f.message().contains("--in-place"))) {
            restoreABackup();
        }
        if (plan.findings().stream().anyMatch(f -> f.message().contains("(etcdctl alarm disarm)"))) {
            play.world.faults(Play.REF).disarmAll();
        }
        if (plan.findings().stream().anyMatch(f -> f.message().contains("Restore with 3.4 or later"))) {
            ask("3.4.23");
        }
        if (plan.findings().stream().anyMatch(f -> f.message().contains("Upgrade to 3.4 or later first"))) {
            ask("3.4.23");
        }
        plan.findings().forEach(finding -> {
            var version = VERSION.matcher(finding.message());
            if (version.find()) {
                ask(version.group(1));
            }
        });
        restoring =
                plan.operations().stream().anyMatch(o -> o.operation() instanceof RestoreCluster) ? restoring + 1 : 0;
        if (restoring > PATIENCE) {
            beginTheRestoreAnew();
            restoring = 0;
        }
        lost = says(plan, "quorum-lost") ? lost + 1 : 0;
        boolean nothingElse = plan.operations().stream().allMatch(o -> lookedBefore(o.operation()));
        if (lost > 0 && (nothingElse || lost > PATIENCE)) {
            restoreABackup();
        }
    }

    private static boolean says(ClusterPlan plan, String code) {
        return plan.findings().stream().anyMatch(f -> f.code().equals(code));
    }

    /// The reason is gone: whatever passes has passed.
    private void tryAgain() {
        var rollout = play.spec.declaration().rollout();
        play.spec = Specs.rollout(
                play.spec,
                new EtcdClusterSpec.Rollout(rollout.via(), rollout.soak(), rollout.attempt() + 1, rollout.catalog()));
    }

    private void ask(String version) {
        var server = play.spec.server();
        play.spec = Specs.with(
                play.spec,
                new EtcdClusterSpec.Server(
                        EtcdVersion.parse(version).orElseThrow(),
                        server.image(),
                        server.options(),
                        server.tls(),
                        server.features()));
    }

    private static boolean lookedBefore(Operation operation) {
        return operation instanceof InspectVolume look && look.before().isPresent();
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

    /// The backup is not what its manifest says, which the step says in each run.
    private void beginTheRestoreAnew() {
        boolean recovery = play.ring
                .journal()
                .flatMap(Journal::origin)
                .filter(origin -> Recovery.is(origin.request()))
                .isPresent();
        restoreTheFirstSnapshot();
        if (recovery) {
            play.world.faults(Play.REF).deleteRing();
        } else {
            play.world.faults(Play.REF).deleteStatefulSet(false);
            play.world.faults(Play.REF).deleteClaim(0);
        }
    }

    private void restoreABackup() {
        play.vault
                .stored()
                .newest()
                .ifPresentOrElse(backup -> play.vault.restoreInPlace(backup.id()), this::restoreTheFirstSnapshot);
    }

    /// Of the ring's first days, taken by hand.
    private void restoreTheFirstSnapshot() {
        String version = play.ring.journal().orElseThrow().applied().version().toString();
        var first = new Play(Worlds.ring().version(version).members(1).build(), Given.spec(Play.REF, 1, version));
        first.vault.keep(Duration.ofDays(1), 1);
        first.once(FaultHook.NONE);
        play.vault.restoreInPlace(first.vault);
    }
}
