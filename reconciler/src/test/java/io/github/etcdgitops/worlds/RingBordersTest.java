package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.execute.progress.StepEvent;
import io.github.etcdgitops.execute.progress.StepListener;
import io.github.etcdgitops.gateway.MemberAccess.Route;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.FeatureGate;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A bug in the work for one ring is that ring's failure, wherever it shows: the others are changed in the same run.
class RingBordersTest {
    private static final String SECRET = "what the parser had read";
    private static final ClusterRef BROKEN = new ClusterRef("demo", "r1");

    private final FeatureFleet fleet = new FeatureFleet(3, 3, 3);

    @BeforeEach
    void everyRingShallChange() {
        fleet.on(FeatureGate.COMPACT_HASH_CHECK);
    }

    static Stream<Arguments> bugs() {
        Stream<String> borders = Stream.of("read", "readLease", "writeLease", "writeJournal", "probe", "setPartition");
        List<Supplier<Throwable>> thrown = List.of(
                () -> new ArithmeticException(SECRET),
                () -> new NullPointerException(SECRET),
                () -> new StackOverflowError(SECRET),
                () -> new NoClassDefFoundError(SECRET),
                () -> new AssertionError(SECRET));
        return borders.flatMap(border -> thrown.stream().map(bug -> Arguments.of(border, bug)));
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void changesTheOtherRingsWhereOneMeetsABug(String call, Supplier<Throwable> bug) {
        fleet.sabotage(in(call, bug));

        var results = fleet.run();

        var outcomes = FeatureFleet.outcomes(results);
        assertThat(outcomes).containsEntry("r0", Outcome.DONE).containsEntry("r2", Outcome.DONE);
        assertThat(outcomes).containsEntry("r1", Outcome.FAILED);
        assertThat(broken(results).detail())
                .contains("internal error in ring demo/r1, reference ")
                .doesNotContain(SECRET);
        assertThat(fleet.breaches()).isEmpty();
    }

    @Test
    void namesTheSameBugByTheSameReference() {
        fleet.sabotage(in("read", () -> new ArithmeticException(SECRET)));

        String first = broken(fleet.run()).detail();

        assertThat(broken(fleet.run()).detail()).isEqualTo(first);
    }

    @Test
    void plansARingThatMeetsABugAsUnknown() {
        fleet.sabotage(in("read", () -> new ArithmeticException(SECRET)));

        var plan = fleet.plan().clusters().stream()
                .filter(c -> c.ref().equals(BROKEN))
                .findFirst()
                .orElseThrow();

        assertThat(plan.situation()).isEqualTo(Situation.UNKNOWN);
        assertThat(plan.operations()).isEmpty();
        assertThat(plan.internalError()).isPresent();
    }

    @Test
    void endsTheRunWhereMemoryIsUsedUp() {
        fleet.sabotage(in("read", OutOfMemoryError::new));

        assertThatThrownBy(fleet::run).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void goesOnWithARingWhoseListenerThrows() {
        fleet.listener(_ -> new StepListener() {
            @Override
            public void ended(StepEvent event) {
                throw new IllegalStateException(SECRET);
            }
        });

        assertThat(FeatureFleet.outcomes(fleet.run()).values()).containsOnly(Outcome.DONE);
    }

    private static ClusterResult broken(List<ClusterResult> results) {
        return results.stream().filter(r -> r.ref().equals(BROKEN)).findFirst().orElseThrow();
    }

    private static BiConsumer<String, List<Object>> in(String call, Supplier<Throwable> bug) {
        return (name, arguments) -> {
            if (name.equals(call) && arguments.stream().anyMatch(RingBordersTest::concernsTheBroken)) {
                switch (bug.get()) {
                    case RuntimeException e -> throw e;
                    case Error e -> throw e;
                    case Throwable e -> throw new IllegalStateException(e);
                }
            }
        };
    }

    private static boolean concernsTheBroken(Object argument) {
        return switch (argument) {
            case ClusterRef ref -> ref.equals(BROKEN);
            case Route route -> route.authority().startsWith("r1-");
            default -> argument.toString().startsWith("r1");
        };
    }
}
