package io.github.etcdgitops.report;

import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.inert.LineFilter;
import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Text in Markdown. Nothing in a name or a message becomes markup, a mention, a link or a table cell, and
/// an address can still be copied.
public final class MarkdownText {
    private static final Pattern WORD = Pattern.compile("([(\"'\\[{]*)(.*?)([.,;:!?)\"'\\]}]*)");

    /// What forges turn into links: addresses, people, issues, merge requests, labels, snippets,
    /// milestones, epics. They search after Markdown is rendered, when escapes are gone.
    private static final Pattern REFERENCE =
            Pattern.compile("(?i)://|www\\.|(mailto|xmpp):|GH-\\d|[@#!~$%&^][\\p{L}\\p{N}\"_]");

    private MarkdownText() {}

    /// On one line. A word that a forge would link becomes a code span.
    public static String text(String raw) {
        return Pattern.compile("(?<= )|(?= )")
                .splitAsStream(Inert.line(raw))
                .map(MarkdownText::word)
                .collect(Collectors.joining());
    }

    private static String word(String word) {
        if (!REFERENCE.matcher(word).find()) {
            return escaped(word);
        }
        var parts = WORD.matcher(word);
        if (parts.matches() && REFERENCE.matcher(parts.group(2)).find()) {
            return escaped(parts.group(1)) + "`" + code(parts.group(2)) + "`" + escaped(parts.group(3));
        }
        return "`" + code(word) + "`";
    }

    private static String escaped(String text) {
        var out = new StringBuilder(text.length());
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            switch (c) {
                case '|', '`', '*', '_', '[', ']', '#', '!', '~', '\\', '$' ->
                    out.append('\\').append(c);
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '@' -> out.append("&#64;");
                default -> out.append(c);
            }
        }
        return out.toString();
    }

    /// For text between backticks, also in a table.
    static String code(String raw) {
        return Inert.line(raw).replace('`', '\'').replace('|', '¦');
    }

    /// Lines for people, unchanged, in a fence that none of them can close.
    public static String verbatim(Lines lines) {
        String text = LineFilter.block(lines.toString());
        int longest = Pattern.compile("`{3,}")
                .matcher(text)
                .results()
                .mapToInt(run -> run.group().length())
                .max()
                .orElse(2);
        String fence = "`".repeat(longest + 1);
        return text.isEmpty() ? "" : fence + "text\n" + text + fence + "\n";
    }

    /// The anchor of a heading `namespace/name` on a page, as forges build it: without punctuation, and
    /// numbered where two are then equal.
    static Map<ClusterRef, String> anchors(List<ClusterRef> rings) {
        var anchors = new TreeMap<ClusterRef, String>();
        var times = new HashMap<String, Integer>();
        for (var ring : rings) {
            String plain = ring.toString().replaceAll("[^\\p{Alnum}-]", "");
            int before = times.merge(plain, 1, Integer::sum) - 1;
            anchors.put(ring, before == 0 ? plain : plain + "-" + before);
        }
        return anchors;
    }

    /// Its level, its code and what it says.
    static String line(Finding finding) {
        return "**%s** `%s`: %s".formatted(finding.level().wire(), code(finding.code()), text(finding.message()));
    }
}
