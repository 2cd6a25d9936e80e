package io.github.etcdgitops.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every page has one shape: what it is for, the shortest example, what you see, what can go wrong, and
/// reference. A page may have further sections between them.
class PageShapeTest {
    private static final Path ROOT = Path.of("..");
    private static final List<Set<String>> SECTIONS = List.of(
            Set.of("Example", "Shortest example", "Shortest way"),
            Set.of("What you see"),
            Set.of("What can go wrong"),
            Set.of("Reference"));

    /// Pages that are looked up and not followed, with what they are instead.
    private static final Map<String, String> OTHERWISE = Map.ofEntries(
            Map.entry("docs/README.md", "the list of pages"),
            Map.entry("docs/architecture.md", "the parts of the code"),
            Map.entry("docs/command-line.md", "every command and option"),
            Map.entry("docs/commands.md", "every command in one line"),
            Map.entry("docs/config-repository.md", "every kind and field of documents"),
            Map.entry("docs/glossary.md", "a list of words"),
            Map.entry("docs/guarantees.md", "a list of promises"),
            Map.entry("docs/limits.md", "a list of limits"),
            Map.entry("docs/metrics.md", "a list of metrics"),
            Map.entry("docs/performance.md", "measurements"),
            Map.entry("docs/supply-chain.md", "a list of checks"),
            Map.entry("docs/threat-model.md", "a list of attacks"),
            Map.entry("docs/trials.md", "a list of trials"),
            Map.entry("docs/troubleshooting.md", "a list of messages"),
            Map.entry("docs/operations/README.md", "the list of operations"),
            Map.entry("docs/operations/second-faults.md", "one table of faults"),
            Map.entry("policies/README.md", "the list of rules"));

    @Test
    void everyPageHasTheShapeOfAPage() {
        var found = new TreeMap<String, String>();

        pages().filter(page -> !OTHERWISE.containsKey(page)).forEach(page -> {
            String problem = problem(Production.lines(ROOT.resolve(page)));
            if (!problem.isEmpty()) {
                found.put(page, problem);
            }
        });

        assertThat(found).isEmpty();
    }

    @Test
    void everyPageBeginsWithWhatItIsFor() {
        assertThat(pages()).allSatisfy(page -> {
            var lines = Production.lines(ROOT.resolve(page)).stream()
                    .filter(line -> !line.isBlank())
                    .toList();
            assertThat(lines.getFirst()).startsWith("# ");
            assertThat(lines.get(1)).doesNotStartWith("#").doesNotStartWith("|").doesNotStartWith("`".repeat(3));
        });
    }

    @Test
    void onlyExistingPagesAreExempt() {
        assertThat(pages()).containsAll(OTHERWISE.keySet());
    }

    @Test
    void findsMissingSection() {
        var lines = List.of("# A", "What it is for.", "## Example", "## What you see", "## Reference");

        assertThat(problem(lines)).isEqualTo("no section 'What can go wrong' in its place");
    }

    private static String problem(List<String> lines) {
        var headings = lines.stream()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3))
                .toList();
        int next = 0;
        for (var section : SECTIONS) {
            int at = next;
            while (at < headings.size() && section.stream().noneMatch(headings.get(at)::startsWith)) {
                at++;
            }
            if (at == headings.size()) {
                return "no section '" + section.stream().sorted().findFirst().orElseThrow() + "' in its place";
            }
            next = at + 1;
        }
        return "";
    }

    private static Stream<String> pages() {
        return Stream.of("docs", "docs/operations", "policies", "cronjob").flatMap(folder -> {
            try (var files = Files.list(ROOT.resolve(folder))) {
                return files
                        .filter(file -> file.toString().endsWith(".md"))
                        .map(file -> ROOT.relativize(file).toString())
                        .toList()
                        .stream();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
