package io.github.etcdgitops.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// docs/operations/second-faults.md answers for each operation and each kind of second fault, once.
class SecondFaultsPageTest {
    private static final Path FOLDER = Path.of("../docs/operations");
    private static final Pattern OPERATION = Pattern.compile("^\\| \\[(\\w+)]\\([a-z-]+\\.md\\)", Pattern.MULTILINE);
    private static final Pattern FAULT =
            Pattern.compile("^- \\*\\*(\\w+)\\*\\*: (?=\\S)(?:another|alarm|some|so|the run)", Pattern.MULTILINE);
    private static final String ALL_BUT = "all but ";

    @Test
    void eachOperationAndEachKindOfFaultHasExactlyOneRow() throws IOException {
        String page = Files.readString(FOLDER.resolve("second-faults.md"));
        var operations = found(OPERATION, Files.readString(FOLDER.resolve("README.md")));
        var faults = found(FAULT, page);
        assertThat(operations).hasSizeGreaterThan(30);
        assertThat(faults).hasSize(7);

        var rows = page.lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| operation") && !line.startsWith("| ---"))
                .map(line -> line.split("\\|"))
                .toList();
        var answered = new ArrayList<String>();
        for (var row : rows) {
            for (String operation : meant(row[1].strip(), operations)) {
                for (String fault : list(row[2].strip())) {
                    answered.add(operation + " " + fault);
                }
            }
        }

        var wanted = operations.stream()
                .flatMap(operation -> faults.stream().map(fault -> operation + " " + fault))
                .toList();
        assertThat(answered).containsExactlyInAnyOrderElementsOf(wanted);
    }

    @Test
    void eachRowSaysWhatHappensHowLongAndWhoMustAct() throws IOException {
        assertThat(Files.readString(FOLDER.resolve("second-faults.md")).lines().filter(line -> line.startsWith("| ")))
                .allSatisfy(line -> assertThat(line.split("\\|"))
                        .hasSize(6)
                        .allSatisfy(cell -> assertThat(cell).matches(text -> text.isEmpty() || !text.isBlank())));
    }

    private static List<String> meant(String cell, List<String> operations) {
        if (cell.startsWith(ALL_BUT)) {
            var others = list(cell.substring(ALL_BUT.length()));
            assertThat(operations).containsAll(others);
            return operations.stream().filter(o -> !others.contains(o)).toList();
        }
        return cell.equals("all") ? operations : list(cell);
    }

    private static List<String> list(String cell) {
        return Arrays.asList(cell.split(", "));
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(result -> result.group(1)).toList();
    }
}
