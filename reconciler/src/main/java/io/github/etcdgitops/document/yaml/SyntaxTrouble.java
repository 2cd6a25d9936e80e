package io.github.etcdgitops.document.yaml;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/// Translates a YAML parser's errors into plain words. The parser's own text is not passed on: it may quote
/// the file.
final class SyntaxTrouble {
    private static final Pattern CONFLICT = Pattern.compile("^(<{7}|>{7}) ", Pattern.MULTILINE);

    private record Saying(String parser, String message, String hint) {}

    private static final List<Saying> SAYINGS = List.of(
            new Saying(
                    "mapping values are not allowed",
                    "There is a colon where no key can be.",
                    "Look at the indentation of this line and the one above, and quote a text that holds `: `."),
            new Saying("\\t", "There is a tab where only spaces may indent.", "Replace the tab with spaces."),
            new Saying(
                    "expected <block end>",
                    "The indentation of this line does not match the lines that it belongs to.",
                    "Give all keys of one object, and all items of one list, the same indentation."),
            new Saying(
                    "could not find expected ':'",
                    "A key has no colon.",
                    "Write `key: value`, with a space after the colon, and look at the line above as well."),
            new Saying(
                    "unexpected end of stream",
                    "A quoted text is never closed.",
                    "Look for the missing quote; the text begins above."),
            new Saying(
                    "expected ',' or ']'",
                    "A list in brackets is not closed, or misses a comma.",
                    "Close it with `]`, or write one item a line, each after `- `."),
            new Saying(
                    "expected ',' or '}'",
                    "An object in braces is not closed, or misses a comma.",
                    "Close it with `}`. A text that begins with a brace needs quotes."),
            new Saying(
                    "cannot start any token",
                    "No value can begin with this character.",
                    "Quote the text: @, `, % and some others are reserved by YAML."),
            new Saying(
                    "unknown escape character",
                    "This escape is not valid in double quotes.",
                    "Use single quotes for a text with backslashes."));

    private SyntaxTrouble() {}

    static void note(YamlTree tree, YAMLException e, String text) {
        var mark = mark(e);
        if (CONFLICT.matcher(text).find()) {
            tree.refuse(
                    "merge-conflict",
                    mark,
                    "The file contains the markers of an unfinished merge.",
                    "Resolve the conflict: keep one side, and remove the lines with <<<<<<<, ======= and >>>>>>>.");
            return;
        }
        String problem = e instanceof MarkedYAMLException marked ? String.valueOf(marked.getProblem()) : "";
        var saying = SAYINGS.stream()
                .filter(s -> problem.contains(s.parser()))
                .findFirst()
                .orElse(new Saying("", "This is not valid YAML.", "Look at this line and the one above it."));
        tree.refuse("syntax-error", mark, saying.message(), saying.hint());
    }

    private static @Nullable Mark mark(YAMLException e) {
        if (!(e instanceof MarkedYAMLException marked)) {
            return null;
        }
        return marked.getProblemMark() == null ? marked.getContextMark() : marked.getProblemMark();
    }
}
