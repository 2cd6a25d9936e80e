package io.github.etcdgitops.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.doctor.exam.ProcessExam;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.ProcessFacts;
import io.github.etcdgitops.doctor.fact.Trouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessChecksTest {
    private static ProcessFacts facts(int java, String zone, Optional<String> asked, Fact<String> cache) {
        return new ProcessFacts(
                java + ".0.1",
                java,
                zone,
                asked,
                cache,
                Fact.seen("/tmp"),
                new ProcessFacts.Settings(List.of("ETCD_GITOPS_REPO", "ETCD_GITOPS_GIT_TOKEN"), Optional.of("/etc/s")));
    }

    private static Check check(String name, ProcessFacts facts) {
        return Named.check(name, ProcessChecks.of(facts));
    }

    private static ProcessFacts sound() {
        return facts(25, "Etc/UTC", Optional.empty(), Fact.seen("/cache"));
    }

    @Test
    void findsNoFaultInSoundProcess() {
        assertThat(ProcessChecks.of(sound())).allMatch(c -> c instanceof Check.Ok);
    }

    @Test
    void doubtsAnotherJava() {
        var other = facts(26, "Etc/UTC", Optional.empty(), Fact.seen("/cache"));

        assertThat(check("java", other)).isInstanceOf(Check.Warning.class);
    }

    @ParameterizedTest
    @CsvSource({"Europe/Berln, GMT, true", "Europe/Berlin, Europe/Berlin, false", "'', GMT, false", "GMT, GMT, false"})
    void doubtsAZoneThatJavaSilentlyReplaced(String asked, String taken, boolean doubted) {
        var check = check("time zone", facts(25, taken, Optional.of(asked), Fact.seen("/cache")));

        assertThat(check instanceof Check.Warning).isEqualTo(doubted);
    }

    @Test
    void reportsUnwritableCacheAsWrongConfiguration() {
        Fact<String> unwritable = new Fact.Unseen<>(Trouble.CONFIGURATION, "/cache cannot be written");

        var check = check("cache directory", facts(25, "Etc/UTC", Optional.empty(), unwritable));

        assertThat(check).isInstanceOfSatisfying(Check.Failed.class, failed -> {
            assertThat(failed.trouble()).isEqualTo(Trouble.CONFIGURATION);
            assertThat(failed.remedy()).first().asString().contains("--cache-dir");
        });
    }

    @Test
    void settingsAreNamedAndNotShown(@TempDir Path folder) {
        var seen = ProcessExam.look(
                Map.of("ETCD_GITOPS_GIT_TOKEN", "hunter2", "ETCD_GITOPS_CONFIG", "/etc/s", "HOME", "/root"), folder);

        assertThat(seen.settings().variables()).containsExactly("ETCD_GITOPS_GIT_TOKEN");
        assertThat(ProcessChecks.of(seen).toString())
                .contains("ETCD_GITOPS_GIT_TOKEN", "/etc/s")
                .doesNotContain("hunter2");
    }

    @Test
    void looksAtAFolderByWritingToIt(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");

        assertThat(ProcessExam.look(Map.of(), folder.resolve("new/cache")).cache())
                .isInstanceOf(Fact.Seen.class);
        assertThat(ProcessExam.look(Map.of(), file.resolve("cache")).cache()).isInstanceOf(Fact.Unseen.class);
        assertThat(folder.resolve("new/cache")).isEmptyDirectory();
    }
}
