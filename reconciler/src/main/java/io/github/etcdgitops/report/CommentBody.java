package io.github.etcdgitops.report;

import io.github.etcdgitops.inert.LineFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// A text as a comment of a pull request: after a marker that identifies it, and cut to the forge's limit.
/// It is cut at a heading if possible, and never where something would stay open: an open fence or
/// `<details>` would hide the line that says what is missing.
public final class CommentBody {
    /// Two hyphens could end the HTML comment that is the marker.
    private static final Pattern CONTEXT = Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9._/ ]|-(?!-)){0,98}");

    private static final String TAIL = "\n\n---\n";

    private CommentBody() {}

    public static boolean acceptable(String context) {
        return CONTEXT.matcher(context).matches() && !context.endsWith("-") && !context.endsWith(" ");
    }

    public static String marker(String context) {
        if (!acceptable(context)) {
            throw new IllegalArgumentException("no context");
        }
        return "<!-- etcd-gitops review: " + context + " -->";
    }

    /// `report` is the address of the complete report.
    public static String of(String context, String text, int longest, Optional<String> report) {
        String head = marker(context) + "\n";
        String whole = head + LineFilter.block(text).stripTrailing() + "\n"
                + report.map(url -> TAIL + "Report: <" + url + ">\n").orElse("");
        if (whole.length() <= longest) {
            return whole;
        }
        var lines = LineFilter.block(text).stripTrailing().lines().toList();
        // The longest possible tail: the number of omitted lines has no more digits than the number of all
        // lines.
        int room = longest - head.length() - tail(lines.size(), report).length();
        int kept = Cuts.of(lines).within(lines, room);
        return head + joined(lines.subList(0, kept)) + tail(lines.size() - kept, report);
    }

    /// The same for an untrusted text: nothing in it becomes markup, a mention or a link.
    public static String quoted(String context, String text, int longest, Optional<String> report) {
        String head = marker(context) + "\nThis text comes from a check that ran code of this pull request. It is"
                + " not trustworthy.\n\n";
        String fence = "`".repeat(Math.max(3, longestRun(text) + 1));
        var lines = text.stripTrailing().lines().map(LineFilter::block).toList();
        int room = longest
                - head.length()
                - 2 * (fence.length() + 1)
                - "text".length()
                - tail(lines.size(), report).length();
        int kept = 0;
        for (int used = 0; kept < lines.size(); kept++) {
            used += lines.get(kept).length() + 1;
            if (used > room) {
                break;
            }
        }
        String end = kept < lines.size()
                ? tail(lines.size() - kept, report)
                : report.map(url -> TAIL + "Report: <" + url + ">\n").orElse("");
        return head + fence + "text\n" + joined(lines.subList(0, kept)) + fence + "\n" + end.stripLeading();
    }

    private static String joined(List<String> lines) {
        return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    }

    private static String tail(int left, Optional<String> report) {
        return TAIL + "Too long for a comment: " + left + " lines are left out. "
                + report.map(url -> "Full text: <" + url + ">").orElse("The full text is in the file of the plan.")
                + "\n";
    }

    private static int longestRun(String text) {
        return Pattern.compile("`+")
                .matcher(text)
                .results()
                .mapToInt(run -> run.group().length())
                .max()
                .orElse(0);
    }

    /// Where a text may end: `headings` are lines before which a section ends, `lines` those before which
    /// nothing is open.
    private record Cuts(List<Integer> headings, List<Integer> lines) {
        private static final Pattern FENCE = Pattern.compile(" {0,3}(`{3,}|~{3,})(.*)");

        static Cuts of(List<String> text) {
            var headings = new ArrayList<Integer>();
            var lines = new ArrayList<Integer>();
            String fence = "";
            int open = 0;
            for (int i = 0; i < text.size(); i++) {
                String line = text.get(i);
                if (fence.isEmpty() && open <= 0) {
                    lines.add(i);
                    if (line.matches(" {0,3}#{1,6}( .*)?")) {
                        headings.add(i);
                    }
                }
                fence = after(fence, line);
                if (fence.isEmpty()) {
                    open += count(line, "<details") - count(line, "</details>");
                    open += count(line, "<!--") - count(line, "-->");
                }
            }
            return new Cuts(headings, lines);
        }

        /// The fence that is still open after the line; empty where none is.
        private static String after(String fence, String line) {
            var match = FENCE.matcher(line);
            if (!match.matches()) {
                return fence;
            }
            String marks = match.group(1);
            if (fence.isEmpty()) {
                // A line with a backtick after the fence is inline code.
                return marks.startsWith("`") && match.group(2).contains("`") ? "" : marks;
            }
            boolean closes = marks.charAt(0) == fence.charAt(0)
                    && marks.length() >= fence.length()
                    && match.group(2).isBlank();
            return closes ? "" : fence;
        }

        private static int count(String line, String what) {
            return line.toLowerCase(java.util.Locale.ROOT).split(Pattern.quote(what), -1).length - 1;
        }

        /// How many lines fit: up to the last heading if that leaves a section, else up to any line.
        int within(List<String> text, int room) {
            int fits = 0;
            for (int used = 0; fits < text.size(); fits++) {
                used += text.get(fits).length() + 1;
                if (used > room) {
                    break;
                }
            }
            int limit = fits;
            int section = headings.stream().filter(i -> i <= limit).reduce(0, Math::max);
            return section > 0
                    ? section
                    : lines.stream().filter(i -> i <= limit).reduce(0, Math::max);
        }
    }
}
