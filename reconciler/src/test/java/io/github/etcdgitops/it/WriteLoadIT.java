package io.github.etcdgitops.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteLoadIT {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void losesNothingWhileAVoterDiesAndComesBack() {
        try (var ring = EtcdRing.start(EtcdBinaries.require("3.5.16"), 3)) {
            var load = WriteLoad.start(ring::endpoints);
            awaitMore(load, 500);
            ring.member(0).kill();
            awaitMore(load, 500);
            ring.restart(ring.member(0));
            ring.member(0).awaitReady();
            awaitMore(load, 500);

            var result = load.stop();

            System.out.print(result.toJson());
            assertThat(result.lost()).isEmpty();
            assertThat(result.acked()).isGreaterThanOrEqualTo(1500);
            assertThat(result.longestGap()).isPositive();
        }
    }

    /// The counter-check: without it, nobody would know that a loss is seen.
    @Test
    void seesWritesThatAreGoneOrChanged() throws Exception {
        try (var ring = EtcdRing.start(EtcdBinaries.require("3.5.16"), 1);
                var client = Client.builder()
                        .endpoints("http://" + ring.member(0).endpoint())
                        .build()) {
            var load = WriteLoad.start(ring::endpoints);
            awaitMore(load, 50);
            var gone = WriteLoad.bytes(WriteLoad.key(load.prefix(), 3));
            var changed = WriteLoad.bytes(WriteLoad.key(load.prefix(), 7));
            assertThat(client.getKVClient()
                            .delete(gone)
                            .get(5, TimeUnit.SECONDS)
                            .getDeleted())
                    .isEqualTo(1);
            client.getKVClient().put(changed, WriteLoad.bytes("8")).get(5, TimeUnit.SECONDS);

            var result = load.stop();

            assertThat(result.lost()).containsExactly(3L, 7L);
        }
    }

    @Test
    void showsAStallAsTheLongestGap() {
        try (var ring = EtcdRing.start(EtcdBinaries.require("3.5.16"), 1)) {
            var load = WriteLoad.start(ring::endpoints);
            awaitMore(load, 100);
            ring.member(0).pause();
            long paused = System.nanoTime();
            EtcdProcess.await("two seconds", LONG, () -> System.nanoTime() - paused > 2_000_000_000L);
            ring.member(0).resume();
            awaitMore(load, 100);

            var result = load.stop();

            assertThat(result.longestGap()).isGreaterThan(Duration.ofMillis(1900));
            assertThat(result.failures()).isPositive();
            assertThat(result.lost()).isEmpty();
        }
    }

    @Test
    void runsFromAScriptUntilAFileAppears(@TempDir Path folder) throws Exception {
        try (var ring = EtcdRing.start(EtcdBinaries.require("3.5.16"), 1)) {
            Path until = folder.resolve("stop");
            Path report = folder.resolve("report.json");
            var run = CompletableFuture.supplyAsync(() -> command(List.of(
                    "--endpoints-command",
                    "echo " + ring.member(0).endpoint(),
                    "--until-file",
                    until.toString(),
                    "--report",
                    report.toString())));
            long start = System.nanoTime();
            EtcdProcess.await("one second", LONG, () -> System.nanoTime() - start > 1_000_000_000L);
            Files.createFile(until);

            assertThat(run.join()).isBetween(0, 1);
            assertThat(Files.readString(report)).contains("\"lostCount\": 0").contains("\"longestGapMillis\"");
        }
    }

    private static int command(List<String> args) {
        try {
            return WriteLoadCommand.run(args);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitMore(WriteLoad load, int more) {
        long before = load.acknowledged();
        EtcdProcess.await(more + " more writes", LONG, () -> load.acknowledged() >= before + more);
    }
}
