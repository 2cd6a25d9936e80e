package io.github.etcdgitops.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Pages and messages use the words of the glossary, and none of those that it lists as not used.
class PlainWordsTest {
    private static final Path GLOSSARY = Path.of("../docs/glossary.md");
    private static final Pattern ROW = Pattern.compile("\\| ([^|]+) \\| [^|]+ \\|");
    private static final Pattern LITERAL = Pattern.compile("\"(?:\\\\.|[^\"\\\\])*\"");

    @Test
    void pagesUseNoneOfTheWordsThatTheGlossaryExcludes() throws IOException {
        var pages = Stream.concat(
                Stream.of(Path.of("../README.md"), Path.of("../CONTRIBUTING.md")),
                Stream.of("../docs", "../docs/operations", "../policies")
                        .flatMap(folder -> list(Path.of(folder)).stream()));

        assertThat(pages.filter(page -> page.toString().endsWith(".md") && !page.equals(GLOSSARY))
                        .flatMap(page -> Production.lines(page).stream()
                                .filter(line -> excluded().matcher(line).find())
                                .map(line -> page + ": " + line)))
                .isEmpty();
    }

    @Test
    void messagesUseNoneOfTheWordsThatTheGlossaryExcludes() {
        assertThat(Production.sources().stream()
                        .flatMap(source -> Production.lines(source).stream()
                                .filter(line -> !line.strip().startsWith("//"))
                                .flatMap(line -> LITERAL.matcher(line).results().map(found -> found.group()))
                                .filter(literal -> excluded().matcher(literal).find())
                                .map(literal -> source + ": " + literal)))
                .isEmpty();
    }

    private static Pattern excluded() {
        var lines = Production.lines(GLOSSARY);
        var words = lines.subList(lines.indexOf("## Words that are not used"), lines.size()).stream()
                .map(ROW::matcher)
                .filter(row -> row.matches()
                        && !row.group(1).equals("not")
                        && !row.group(1).equals("---"))
                .map(row -> Pattern.quote(row.group(1)))
                .toList();
        assertThat(words).hasSizeGreaterThan(5);
        return Pattern.compile(
                words.stream().collect(Collectors.joining("|", "\\b(?:", ")\\b")), Pattern.CASE_INSENSITIVE);
    }

    private static List<Path> list(Path folder) {
        try (var files = Files.list(folder)) {
            return files.toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
