package io.github.etcdgitops.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A trial that nobody runs shows nothing after a while.
class TrialsPageTest {
    private static final Path DEV = Path.of("../dev");
    private static final Path TRIALS = DEV.resolve("trials/src/main/java/io/github/etcdgitops/trial");
    private static final Pattern NAME = Pattern.compile("String name\\(\\) \\{\\s+return \"([a-z-]+)\";");
    private static final Pattern LIST =
            Pattern.compile("(?:trials=\"|sized='|beside='|real='|deployed=')([a-z][a-z\\s-]+)");

    private static TreeSet<String> trials() throws IOException {
        var names = new TreeSet<String>();
        try (var files = Files.walk(TRIALS)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                NAME.matcher(Files.readString(file)).results().forEach(found -> names.add(found.group(1)));
            }
        }
        return names;
    }

    @Test
    void everyTrialRunsAtNight() throws IOException {
        var run = LIST.matcher(Files.readString(DEV.resolve("campaign")) + Files.readString(DEV.resolve("nightly")))
                .results()
                .flatMap(list -> Stream.of(list.group(1).split("\\s+")))
                .collect(Collectors.toSet());

        assertThat(trials()).hasSizeGreaterThan(50);
        assertThat(run).containsAll(trials());
    }

    @Test
    void everyTrialIsOnThePage() throws IOException {
        var page = Files.readString(Path.of("../docs/trials.md"));

        assertThat(trials()).allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }
}
