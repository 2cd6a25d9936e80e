package io.github.etcdgitops.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.gateway.etcd.JetcdGateway;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.member.MemberState.Storage;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What DowngradeVersion relies on, in a ring of real etcd.
class DowngradeIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration CALL = Duration.ofSeconds(10);

    @ParameterizedTest
    @CsvSource({"3.6.14, 3.5.30", "3.7.1, 3.6.14"})
    void ringGoesDownMemberByMemberAndEndsItByItself(String former, String target) {
        try (var trial = new Trial(former, target)) {
            trial.prepare();
            for (int ordinal : new int[] {2, 1, 0}) {
                trial.restart(ordinal, trial.earlier);
            }

            trial.await(
                    "etcd to end it",
                    () -> trial.told().allMatch(told -> told.downgradeTo().isEmpty()));
            trial.await("the earlier cluster version", () -> trial.all(trial.lower));
            trial.pass(Duration.ofSeconds(6));
            assertThat(trial.all(trial.lower)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"3.6.14, 3.5.30", "3.7.1, 3.6.14"})
    void earlierVersionEndsAtOnceWhereNothingIsAnnounced(String former, String target) {
        try (var trial = new Trial(former, target)) {
            trial.ring.member(2).stop();
            trial.ring.restart(trial.ring.member(2).binaries(trial.earlier));

            trial.await("it to end", () -> !trial.ring.member(2).running());
            assertThat(trial.ring.member(2).readLog())
                    .containsAnyOf("invalid downgrade", "version \\\"3.7.0\\\" is not supported");
        }
    }

    /// Whoever is on the earlier version goes on, and so may the others: the cluster version is not raised.
    @ParameterizedTest
    @CsvSource({"3.6.14, 3.5.30", "3.7.1, 3.6.14"})
    void cancelledHalfWayItGoesOnOrBack(String former, String target) {
        try (var trial = new Trial(former, target)) {
            trial.prepare();
            trial.restart(2, trial.earlier);
            trial.gateway.cancelDowngrade(trial.ring.member(0).route("m0.test"), CALL);
            trial.await(
                    "nobody to report it",
                    () -> trial.told().allMatch(told -> told.downgradeTo().isEmpty()));

            trial.pass(Duration.ofSeconds(12));
            assertThat(trial.all(trial.lower)).as("not raised").isTrue();
            assertThat(trial.storage(0).version()).contains(trial.lower);
            trial.restart(1, trial.earlier);

            trial.restart(1, trial.later);
            trial.restart(2, trial.later);
            trial.await("the later cluster version", () -> trial.all(trial.upper));
            trial.await(
                    "data of the later version",
                    () -> trial.told().allMatch(told -> told.version().equals(Optional.of(trial.upper))));
        }
    }

    @ParameterizedTest
    @CsvSource("3.6.14, 3.5.30")
    void leaderOf35EndsItAndTheRestGoesOn(String former, String target) {
        try (var trial = new Trial(former, target)) {
            trial.prepare();
            trial.restart(2, trial.earlier);
            trial.lead(2);

            trial.await(
                    "it to be ended",
                    () -> trial.told().allMatch(told -> told.downgradeTo().isEmpty()));
            assertThat(trial.all(trial.lower)).isTrue();
            trial.restart(1, trial.earlier);
            trial.restart(0, trial.earlier);
            assertThat(trial.all(trial.lower)).isTrue();
        }
    }

    /// Three members of the later version.
    private static final class Trial implements AutoCloseable {
        final EtcdBinaries later;
        final EtcdBinaries earlier;
        final EtcdVersion upper;
        final EtcdVersion lower;
        final EtcdRing ring;
        final JetcdGateway gateway = new JetcdGateway();

        Trial(String former, String target) {
            later = EtcdBinaries.require(former);
            earlier = EtcdBinaries.require(target);
            upper = EtcdVersion.parse(former).orElseThrow().line();
            lower = EtcdVersion.parse(target).orElseThrow().line();
            ring = EtcdRing.start(later, 3);
            await("the later cluster version", () -> all(upper));
        }

        void prepare() {
            await("data of the later version", () -> told().allMatch(s -> isTold(s, upper, Optional.empty())));
            gateway.startDowngrade(ring.member(0).route("m0.test"), lower, CALL);
            await("all data to be prepared", () -> told().allMatch(s -> isTold(s, lower, Optional.of(lower))));
        }

        void restart(int ordinal, EtcdBinaries binaries) {
            ring.member(ordinal).stop();
            ring.restart(ring.member(ordinal).binaries(binaries));
            ring.member(ordinal).awaitReady();
            await(
                    "it to answer",
                    () -> IntStream.range(0, 3).allMatch(o -> status(o).isPresent()));
        }

        void lead(int ordinal) {
            var target = gateway.probe(ring.member(ordinal).route("m" + ordinal + ".test"), CALL)
                    .self();
            await("it to lead", () -> {
                for (int other = 0; other < 3; other++) {
                    try {
                        gateway.moveLeader(ring.member(other).route("m" + other + ".test"), target, CALL);
                    } catch (GatewayException _) {
                        // Another one leads.
                    }
                }
                return status(0).flatMap(MemberState.Status::leader).equals(Optional.of(target));
            });
        }

        private static boolean isTold(Storage storage, EtcdVersion version, Optional<EtcdVersion> downgradeTo) {
            return storage.version().equals(Optional.of(version))
                    && storage.downgradeTo().equals(downgradeTo);
        }

        Stream<Storage> told() {
            return IntStream.range(0, 3).mapToObj(this::storage);
        }

        Storage storage(int ordinal) {
            return status(ordinal).map(MemberState.Status::storage).orElse(Storage.UNTOLD);
        }

        private Optional<MemberState.Status> status(int ordinal) {
            try {
                return Optional.of(gateway.probe(ring.member(ordinal).route("m" + ordinal + ".test"), CALL)
                        .status());
            } catch (GatewayException _) {
                return Optional.empty();
            }
        }

        /// Whether every member reports this cluster version.
        boolean all(EtcdVersion version) {
            return IntStream.range(0, 3).allMatch(ordinal -> {
                try {
                    var route = ring.member(ordinal).route("m" + ordinal + ".test", Door.METRICS);
                    return gateway.clusterVersion(route, CALL).equals(version);
                } catch (GatewayException _) {
                    return false;
                }
            });
        }

        void await(String what, BooleanSupplier condition) {
            ring.await(what, LIMIT, condition);
        }

        /// Longer than etcd's monitors wait.
        void pass(Duration time) {
            long end = System.nanoTime() + time.toNanos();
            await("some time", () -> System.nanoTime() > end);
        }

        @Override
        public void close() {
            ring.close();
            gateway.close();
        }
    }
}
