package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.policy.PolicyEngine;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// A rule by which a ring is changed only where a backup of it is young, from the plan to the end.
class FreshBackupPlaysTest {
    private static PolicyEngine hourly() {
        var files = new TreeMap<String, byte[]>();
        files.put(
                "policies/p.yaml",
                ("apiVersion: etcdgitops.dev/v1alpha1\nkind: Policy\nmetadata: {name: all}\n"
                                + "spec: {rules: {backup-freshness: {maxAge: 1h}}}\n")
                        .getBytes(StandardCharsets.UTF_8));
        files.put(
                "clusters/o.yaml",
                ("apiVersion: etcdgitops.dev/v1alpha1\nkind: EtcdCluster\nmetadata: {name: orders, namespace: demo}\n"
                                + "spec: {size: 2, version: \"3.5.16\"}\n")
                        .getBytes(StandardCharsets.UTF_8));
        return PolicyEngine.of(SpecLoader.load(new SourceTree("0", files, List.of(), "digest")));
    }

    /// A ring of one whose last backup is two hours old, and that shall have two members: nothing else asks for a
    /// backup before that.
    private static Play old() {
        var world = Worlds.ring().members(1).build();
        var before = new Play(world, Given.spec(Play.REF, 1, "3.5.16"));
        before.vault.keep(Duration.ofDays(1), 3);
        before.untilQuiet(2);
        world.tick(2 * 60 * 60);
        var play = new Play(world, Given.spec(Play.REF, 2, "3.5.16"));
        play.vault.keep(Duration.ofDays(1), 3);
        play.vault.store = before.vault.store;
        play.policies = hourly();
        return play;
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    @Test
    void takesBackupBeforeChange() {
        var play = old();
        assertThat(kinds(play.plan())).containsExactly("TakeBackup", "ScaleOut");
        assertThat(play.plan().operations()).allMatch(o -> o.verdict().lets());

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);

        assertThat(play.vault.stored().backups()).hasSize(2);
        assertThat(play.notAtRest(play.plan())).isEmpty();
    }

    /// The plan said that there would be one.
    @Test
    void makesNoChangeIfBackupFails() {
        var play = old();
        var run = play.run();
        var plan = run.plan();
        play.vault.store.failAll(GatewayException.Kind.UNREACHABLE);

        var result = run.execute(plan, FaultHook.NONE, _ -> true);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(play.ring.voters()).hasSize(1);
        play.vault.store.heal();
        play.world.tick(120);
        assertThat(play.notAtRest(play.untilQuiet(3))).isEmpty();
    }

    /// A place that cannot be read holds the change, and no backup is planned for it either.
    @Test
    void changeWaitsIfStoreIsUnreadable() {
        var play = old();
        play.vault.store.failAll(GatewayException.Kind.UNREACHABLE);

        var plan = play.plan();

        assertThat(kinds(plan)).containsExactly("ScaleOut");
        assertThat(plan.operations()).noneMatch(o -> o.verdict().lets());
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.HELD);
        assertThat(play.ring.voters()).hasSize(1);
    }
}
