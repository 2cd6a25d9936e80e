package io.github.etcdgitops.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The threat model names what shows each of its rows. A test that was renamed shows nothing.
class ThreatModelTest {
    private static final Path PAGE = Path.of("../docs/threat-model.md");
    private static final Path TESTS = Path.of("src/test/java");
    private static final Path TRIAL_SOURCES = Path.of("../dev/trials/src/main/java");
    private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w*(?:Test|IT|Attacks))`");
    private static final Pattern TRIALS = Pattern.compile("trials? (`[a-z-]+`(?:, `[a-z-]+`)*)");
    private static final Pattern TRIAL = Pattern.compile("`([a-z-]+)`");
    private static final Pattern NAME = Pattern.compile("String name\\(\\) \\{\\s+return \"([a-z-]+)\";");

    /// The one thing that nothing stops.
    private static final String UNBOUNDED = "of the executor of `base`";

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> classes() throws IOException {
        try (var tests = Files.walk(TESTS);
                var trials = Files.walk(TRIAL_SOURCES)) {
            return Stream.concat(tests, trials)
                    .map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Set<String> trials() throws IOException {
        var names = new TreeSet<String>();
        try (var files = Files.walk(TRIAL_SOURCES.resolve("io/github/etcdgitops/trial"))) {
            for (var file :
                    files.filter(f -> f.toString().endsWith("Trial.java")).toList()) {
                names.addAll(found(NAME, Files.readString(file)));
            }
        }
        return names;
    }

    private static List<String> rows(String page) {
        String section = page.substring(page.indexOf("## What stops whom"), page.indexOf("## Out of scope"));
        return section.lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| ---"))
                .filter(line -> !line.endsWith("| shown by |"))
                .toList();
    }

    @Test
    void everyTestThatIsNamedIsThere() throws IOException {
        var named = found(CLASS, Files.readString(PAGE));

        assertThat(named).hasSizeGreaterThan(30);
        assertThat(classes()).containsAll(named);
    }

    @Test
    void everyTrialThatIsNamedIsThere() throws IOException {
        var named = TRIALS.matcher(Files.readString(PAGE))
                .results()
                .map(MatchResult::group)
                .flatMap(some -> found(TRIAL, some).stream())
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(named).contains("fences", "impersonated");
        assertThat(trials()).containsAll(named);
    }

    @Test
    void everyGroupOfAttacksIsNamed() throws IOException {
        String page = Files.readString(PAGE);

        assertThat(classes().stream().filter(name -> name.endsWith("Attacks")))
                .isNotEmpty()
                .allSatisfy(group -> assertThat(rows(page)).anyMatch(row -> row.contains("`" + group + "`")));
    }

    @Test
    void everyRowNamesWhatShowsIt() throws IOException {
        var rows = rows(Files.readString(PAGE));

        assertThat(rows).hasSizeGreaterThan(40);
        assertThat(rows.stream().filter(row -> !row.contains(UNBOUNDED))).allSatisfy(row -> {
            String last = Arrays.asList(row.split("\\|")).getLast();
            assertThat(CLASS.matcher(last).find() || TRIALS.matcher(last).find())
                    .as(row)
                    .isTrue();
        });
    }
}
