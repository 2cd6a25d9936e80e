package io.github.etcdgitops.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.etcd.JetcdGateway;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.it.EtcdTool;
import io.github.etcdgitops.ring.roll.v2.PassOldRecords;
import io.github.etcdgitops.ring.roll.v2.V2Data;
import io.github.etcdgitops.state.member.MemberState;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// What [PassOldRecords] relies on, in a ring of real etcd that goes from 3.4 over 3.5 to 3.6.
class V2RecordsIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration CALL = Duration.ofSeconds(8);
    private static final long COUNT = 1_000;

    /// As members of 3.5 are set up by a document with `snapshotCount`.
    private static final List<String> OFTEN = List.of("--snapshot-count=" + COUNT);

    @Test
    void membersOf36StartOnceEachHasASnapshotPastTheRecords() {
        try (var trial = new Trial("3.4.23")) {
            trial.over35();
            long due = new PassOldRecords(COUNT).due(trial.applied().max().orElseThrow());
            long revision = trial.revision();

            while (trial.applied().max().orElseThrow() < due) {
                trial.gateway.writeNothing(trial.ring.member(0).route("m0.test"), 500, CALL);
            }
            trial.await("every member to follow", () -> trial.applied().min().orElseThrow() >= due);

            assertThat(trial.revision()).isEqualTo(revision);
            trial.await(
                    "a running member to have none",
                    () -> trial.searched(0).contains("No custom content found in both v2store and WAL records."));
            trial.to36();
            assertThat(trial.revision()).isEqualTo(revision);
        }
    }

    @Test
    void memberOf36EndsAtARecordThatIsNotPassed() {
        try (var trial = new Trial("3.4.23")) {
            trial.over35();

            trial.ring.member(2).stop();
            trial.ring.restart(trial.ring.member(2).binaries(trial.later).flags(List.of()));

            trial.await("it to end", () -> !trial.ring.member(2).running());
            assertThat(trial.ring.member(2).readLog()).contains("detected disallowed v2 WAL", "QGET");
        }
    }

    /// Why the catalogue has `enterUpTo`. The key comes too late.
    @Test
    void membersOf3533ForgetOthersInARingWithoutAKey() {
        try (var trial = new Trial("3.4.23", false)) {
            trial.over35();
            trial.putKey();

            assertThat(IntStream.range(0, 3).mapToObj(trial::log))
                    .allMatch(log -> log.contains("Removing zombie member from v3store"));
        }
    }

    @Test
    void ringWithoutAKeyComesTo36OverAnEarlierReleaseOf35() {
        try (var trial = new Trial("3.4.23", false)) {
            trial.roll(EtcdBinaries.require("3.5.16"), OFTEN);
            trial.over35();
            long due = new PassOldRecords(COUNT).due(trial.applied().max().orElseThrow());
            while (trial.applied().max().orElseThrow() < due) {
                trial.gateway.writeNothing(trial.ring.member(0).route("m0.test"), 500, CALL);
            }
            trial.await("every member to follow", () -> trial.applied().min().orElseThrow() >= due);

            trial.to36();

            assertThat(IntStream.range(0, 3).mapToObj(trial::log))
                    .noneMatch(log -> log.contains("Removing zombie member from v3store"));
        }
    }

    @Test
    void keysAreSeenOn33AndNoPassingHelpsAgainstThem() {
        try (var trial = new Trial("3.3.25")) {
            var route = trial.ring.member(0).route("m0.test");
            assertThat(trial.gateway.hasV2Keys(route, CALL)).isFalse();
            assertThat(trial.gateway.v2Writes(route, CALL)).isZero();
            trial.send("PUT", "/v2/keys/shop/orders?value=1");
            assertThat(trial.gateway.hasV2Keys(route, CALL)).isTrue();
            assertThat(trial.gateway.v2Writes(route, CALL)).isPositive();
            trial.roll(EtcdBinaries.require("3.4.23"), List.of());
            trial.over35();
            // Before there is a snapshot of the log, records and keys look alike.
            assertThat(trial.searched(1)).contains("detected custom v2 content in WAL records");

            for (int time = 0; time < 4; time++) {
                trial.gateway.writeNothing(route, 500, CALL);
            }
            trial.await(
                    "snapshots",
                    () -> IntStream.range(0, 3).allMatch(o -> trial.log(o).contains("saved snapshot")));
            assertThat(trial.searched(1)).contains("detected custom content in v2store");
            assertThat(trial.searched(1))
                    .satisfies(said ->
                            assertThat(V2Data.meansKeys(V2Data.LOOKING, said)).isTrue());
            trial.ring.member(2).stop();
            trial.ring.restart(trial.ring.member(2).binaries(trial.later).flags(List.of()));

            trial.await("it to end", () -> !trial.ring.member(2).running());
            assertThat(trial.log(2)).contains("disallowed custom content in v2store");
        }
    }

    /// Three members, which somebody asks for their health all the time.
    private static final class Trial implements AutoCloseable {
        final EtcdBinaries between = EtcdBinaries.require("3.5.33");
        final EtcdBinaries later = EtcdBinaries.require("3.6.14");
        final EtcdRing ring;
        final JetcdGateway gateway = new JetcdGateway();

        Trial(String first) {
            this(first, true);
        }

        Trial(String first, boolean key) {
            ring = EtcdRing.start(EtcdBinaries.require(first), 3);
            await("all to answer", () -> applied().count() == 3);
            if (key) {
                putKey();
            }
            IntStream.range(0, 3).forEach(this::health);
        }

        /// By the path of 3.3 and 3.4, or by that of later versions.
        void putKey() {
            await("a key", () -> send("POST", 0, "/v3beta/kv/put") == 200 || send("POST", 0, "/v3/kv/put") == 200);
        }

        void over35() {
            roll(between, OFTEN);
        }

        void to36() {
            roll(later, List.of());
        }

        void roll(EtcdBinaries binaries, List<String> flags) {
            for (int ordinal : new int[] {2, 1, 0}) {
                IntStream.rangeClosed(0, ordinal).forEach(this::health);
                ring.member(ordinal).stop();
                ring.restart(ring.member(ordinal).binaries(binaries).flags(flags));
                await("all to answer", () -> applied().count() == 3);
            }
        }

        private void health(int ordinal) {
            await("it to be healthy", () -> send("GET", ordinal, "/health") == 200);
        }

        void send(String method, String path) {
            await("the answer", () -> send(method, 0, path) / 100 == 2);
        }

        private int send(String method, int ordinal, String path) {
            try (var client = HttpClient.newHttpClient()) {
                var request = HttpRequest.newBuilder(
                                URI.create("http://" + ring.member(ordinal).endpoint() + path))
                        .method(
                                method,
                                HttpRequest.BodyPublishers.ofString(
                                        method.equals("POST") ? "{\"key\":\"YQ==\",\"value\":\"YQ==\"}" : ""))
                        .build();
                return client.send(request, BodyHandlers.discarding()).statusCode();
            } catch (IOException _) {
                return 0;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }

        /// What `etcdutl` says of the data of a member that runs.
        String searched(int ordinal) {
            return new EtcdTool(between.snapshotTool())
                    .said(
                            "check",
                            "v2store",
                            "--data-dir=" + ring.member(ordinal).dataDirectory());
        }

        /// Of those that answer and know a leader.
        LongStream applied() {
            return IntStream.range(0, 3)
                    .mapToObj(this::status)
                    .flatMap(Optional::stream)
                    .filter(status -> status.leader().isPresent())
                    .mapToLong(MemberState.Status::appliedIndex);
        }

        long revision() {
            return gateway.ringRevision(ring.member(0).route("m0.test"), CALL);
        }

        String log(int ordinal) {
            return ring.member(ordinal).readLog();
        }

        private Optional<MemberState.Status> status(int ordinal) {
            try {
                return Optional.of(gateway.probe(ring.member(ordinal).route("m" + ordinal + ".test"), CALL)
                        .status());
            } catch (GatewayException _) {
                return Optional.empty();
            }
        }

        void await(String what, BooleanSupplier condition) {
            ring.await(what, LIMIT, condition);
        }

        @Override
        public void close() {
            ring.close();
            gateway.close();
        }
    }
}
