package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Failures;
import io.github.etcdgitops.cli.console.InertStream;
import io.github.etcdgitops.doctor.exam.Asking;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ExitCodeTest {
    private static List<ClusterResult> results(Outcome... outcomes) {
        return Arrays.stream(outcomes)
                .map(o -> ClusterResult.of(new ClusterRef("demo", "orders"), o, ""))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"NOTHING,0", "DONE,0", "HELD,0", "FAILED,20", "FENCED,21", "BUSY,75", "STALE,12"})
    void everyOutcomeHasACode(Outcome outcome, int code) {
        assertThat(ExitCode.ofResults(results(outcome), false).code()).isEqualTo(code);
    }

    @Test
    void heldChangeExitsDeferredOnlyOnRequest() {
        assertThat(ExitCode.ofResults(results(Outcome.HELD), true).code()).isEqualTo(13);
    }

    @Test
    void overManyRingsTheWorstCodeWins() {
        var worstFirst = List.of(21, 20, 1, 77, 75, 11, 10, 12, 13, 2, 0);
        for (int i = 0; i + 1 < worstFirst.size(); i++) {
            assertThat(ExitCode.worst(code(worstFirst.get(i)), code(worstFirst.get(i + 1))))
                    .isEqualTo(code(worstFirst.get(i)));
        }
        assertThat(ExitCode.ofResults(results(Outcome.values()), true)).isEqualTo(ExitCode.ABORTED);
    }

    private static ExitCode code(int number) {
        return Arrays.stream(ExitCode.values())
                .filter(c -> c.code() == number)
                .findFirst()
                .orElseThrow();
    }

    static Stream<RuntimeException> everyFailureOfTheOutsideWorld() {
        return Stream.of(
                        Arrays.stream(GitException.Kind.values()).map(kind -> new GitException(kind, "why")),
                        Arrays.stream(GatewayException.Kind.values())
                                .map(kind -> new GatewayException(kind, false, "why")),
                        Arrays.stream(RunException.Kind.values())
                                .filter(kind -> kind != RunException.Kind.STALE)
                                .map(kind -> new RunException(kind, "why")))
                .flatMap(failures -> failures);
    }

    @ParameterizedTest
    @MethodSource("everyFailureOfTheOutsideWorld")
    void doctorExitsAsARunWould(RuntimeException failure) {
        var err = InertStream.over(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));

        Fact<Integer> fact = Asking.of(() -> {
            throw failure;
        });

        assertThat(fact).isInstanceOf(Fact.Unseen.class);
        if (fact instanceof Fact.Unseen<Integer> unseen) {
            assertThat(ExitCode.of(unseen.trouble())).isEqualTo(Failures.report(failure, err));
        }
    }

    @Test
    void codesOfTheJvmAndTheKernelAreNeverUsed() {
        assertThat(Arrays.stream(ExitCode.values()).map(ExitCode::code))
                .doesNotContain(3, 134, 137, 143)
                .doesNotHaveDuplicates();
    }
}
