package io.github.etcdgitops.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.doctor.Diagnosis.Section;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.inert.LineFilter;
import io.github.etcdgitops.report.format.Style;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiagnosisTextTest {
    private static final Diagnosis DIAGNOSIS = new Diagnosis(List.of(
            new Section(
                    "Git",
                    List.of(
                            new Check.Ok("address", "/rings"),
                            new Check.Failed(
                                    "host key", Trouble.RIGHTS, "not trusted", List.of("compare", "then add")))),
            new Section(
                    "Kubernetes",
                    List.of(
                            new Check.Warning("clock", "5 s | ahead", List.of("NTP")),
                            new Check.Skipped("APIs", "not looked at")))));

    @Test
    void isAlignedForPeople() {
        assertThat(new DiagnosisText(DIAGNOSIS, false).human(Style.PLAIN)).hasToString("""
            Git
              ✓ address   /rings
              ✗ host key  not trusted
                          → compare
                            then add
            Kubernetes
              ! clock     5 s | ahead
                          → NTP
              - APIs      not looked at
            1 ok, 1 warning, 1 failed, 1 skipped
            """);
    }

    @Test
    void saysItInAsciiWhereNothingElseIsShown() {
        String text = new DiagnosisText(DIAGNOSIS, true).human(Style.PLAIN).toString();

        assertThat(text.chars()).allMatch(c -> c < 128);
        assertThat(text).contains("  ok      address   /rings\n", "  failed  host key  not trusted\n");
    }

    @Test
    void coloursStandForVerdicts() {
        assertThat(LineFilter.block(
                        new DiagnosisText(DIAGNOSIS, false).human(Style.ansi()).toString()))
                .contains("\u001b[32m✓\u001b[0m", "\u001b[31m✗\u001b[0m", "\u001b[33m!\u001b[0m");
    }

    @Test
    void isAListForPrograms() throws IOException {
        var json = new ObjectMapper().readTree(new DiagnosisText(DIAGNOSIS, false).json());

        assertThat(json.path("kind").asText()).isEqualTo("Diagnosis");
        assertThat(json.path("checks").findValuesAsText("verdict"))
                .containsExactly("ok", "failed", "warning", "skipped");
        assertThat(json.at("/checks/1/remedy/1").asText()).isEqualTo("then add");
    }

    @Test
    void isATableThatTextCannotBreak() {
        assertThat(new DiagnosisText(DIAGNOSIS, false).markdown())
                .contains("| failed | host key | not trusted | compare<br>then add |\n")
                .contains("5 s \\| ahead");
    }

    @Test
    void onlyFailuresAreTroubles() {
        assertThat(DIAGNOSIS.troubles()).containsExactly(Trouble.RIGHTS);
    }
}
