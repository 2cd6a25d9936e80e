package io.github.etcdgitops.cli;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.cli.console.InertStream;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.console.Terminal;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.FeatureRollout;
import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.backup.TakeBackup;
import io.github.etcdgitops.ring.restore.Exchange;
import io.github.etcdgitops.ring.restore.RestoreInPlace;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.value.EtcdId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApproveCommandTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void backupBeforeChangeNeedsNoApproval() {
        var order = new BackupOrder(
                "prod",
                "nightly",
                new Destination.Directory("/backups", ""),
                new BackupPolicy.Encoding(false, Optional.empty(), Optional.empty()),
                StoredBackup.BEFORE_CHANGE);
        var held = new Verdict.Hold("any", "waits");
        var state = RingModel.of(fresh(Given.ring("demo", "orders").build(), spec(1)));

        assertThat(command()
                        .meant(PlannedOperation.of(new ScaleIn(ORDERS, 2, false), state)
                                .with(held)))
                .isTrue();
        assertThat(command()
                        .meant(PlannedOperation.of(new TakeBackup(ORDERS, order, "none", "why"), state)
                                .with(held)))
                .isFalse();
    }

    @Test
    void waitingForSlotNeedsNoApproval() {
        var state = RingModel.of(fresh(Given.ring("demo", "orders").build(), spec(1)));
        var turn = new Verdict.Hold(FeatureRollout.RULE, "one of 8 rings that wait their turn");

        assertThat(command()
                        .meant(PlannedOperation.of(new ScaleIn(ORDERS, 2, false), state)
                                .with(turn)))
                .isFalse();
    }

    /// What comes after it waits for it as well.
    @Test
    void approvesEndingRingOnlyWhenNamed() {
        var state = RingModel.of(fresh(Given.ring("demo", "orders").build(), spec(1)));
        var origin = new SnapshotOrigin(
                "back", "file:///a.db", Optional.empty(), 9, "ab", Optional.empty(), Optional.empty());
        var order = new RestoreOrder("back", new RestoreOrder.Source.Loaded(origin), Optional.empty());
        var exchange = new Exchange(
                new EtcdId(31), order, new EtcdVersion(3, 5, 16), 3, new TreeMap<>(), Exchange.Stage.ASKED);
        var held = new Verdict.Hold("any", "waits");
        var planned = Stream.of(new RestoreInPlace(ORDERS, exchange, true), new ScaleIn(ORDERS, 2, false))
                .map(o -> PlannedOperation.of(o, state).with(held))
                .toList();

        assertThat(command().approvable(planned)).isEmpty();
        var naming = command();
        naming.clusterId = Optional.of("1f");
        assertThat(naming.approvable(planned)).isEqualTo(planned);
        assertThat(naming.documents(Map.of("demo/orders", planned), NOW)).contains("clusterId: \"1f\"");
        naming.clusterId = Optional.of("20");
        assertThat(naming.approvable(planned)).isEmpty();
    }

    private static ApproveCommand command() {
        return new ApproveCommand(new Surface(
                Map.of(), InertStream.over(System.out), InertStream.over(System.err), new Terminal(false, Map.of())));
    }

    @Test
    void printsValidApprovalForAnyText(@TempDir Path folder) throws IOException {
        var planned = Planner.plan(spec(1), fresh(Given.ring("demo", "orders").build(), spec(1)), BackupNeeds.NONE, NOW)
                .operations();
        var command = command();
        command.by = "Kim \"the: boss\" # {x}";
        command.reason = "two\nlines: [and] 'quotes' \u2028 é";

        String text = command.documents(Map.of("demo/orders", planned), NOW);
        Files.createDirectories(folder.resolve("approvals"));
        Files.writeString(folder.resolve("approvals/orders.yaml"), text);
        var desired = SpecLoader.load(LocalTree.repository(folder));

        assertThat(desired.violations()).isEmpty();
        assertThat(desired.approvals()).singleElement().satisfies(a -> {
            assertThat(a.cluster()).isEqualTo(ORDERS);
            assertThat(a.approvedBy()).isEqualTo(command.by);
            assertThat(a.expires()).isEqualTo(NOW);
            assertThat(a.operations())
                    .containsExactlyInAnyOrderElementsOf(
                            planned.stream().map(o -> o.operation().id()).toList());
        });
    }
}
