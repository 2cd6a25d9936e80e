package io.github.etcdgitops.report;

import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.plan.PlannedStep;
import io.github.etcdgitops.state.health.Quorum;
import java.util.List;

/// The quorum through the steps of an operation as a drawing that forges render from text. The table beside
/// it contains the same facts: where it is not drawn, nothing is missing.
final class Mermaid {
    /// GitHub draws at most 50,000 characters, and more boxes are unreadable.
    private static final int MOST = 60;

    private static final int LONGEST = 60;

    private Mermaid() {}

    /// A box for each group of steps with the same quorum, framed where one more failure stops writes;
    /// empty where the quorum never changes, or there is too much to draw.
    static String quorum(List<PlannedStep> steps) {
        var drawing = new StringBuilder("\n```mermaid\nflowchart LR\n");
        int boxes = 0;
        for (int from = 0; from < steps.size(); ) {
            var during = steps.get(from).during();
            int to = from + 1;
            while (to < steps.size() && steps.get(to).during().equals(during)) {
                to++;
            }
            box(drawing, boxes++, title(steps, from, to), during);
            from = to;
        }
        if (!steps.isEmpty()
                && !steps.getLast().after().quorum().equals(steps.getLast().during())) {
            box(drawing, boxes++, "afterwards", steps.getLast().after().quorum());
        }
        for (int box = 1; box < boxes; box++) {
            drawing.append("  s").append(box - 1).append(" --> s").append(box).append('\n');
        }
        return boxes < 2 || boxes > MOST
                ? ""
                : drawing.append("  classDef bare stroke:#c62828,stroke-width:3px\n```\n")
                        .toString();
    }

    private static String title(List<PlannedStep> steps, int from, int to) {
        return to - from == 1 ? to + ". " + steps.get(from).texts().action() : "steps " + (from + 1) + " to " + to;
    }

    private static void box(StringBuilder drawing, int number, String title, Quorum quorum) {
        drawing.append("  s")
                .append(number)
                .append("[\"")
                .append(label(title))
                .append("<br/>voters ")
                .append(Words.voters(quorum))
                .append(", tolerates ")
                .append(Words.tolerance(quorum))
                .append("\"]")
                .append(Words.bare(quorum) ? ":::bare" : "")
                .append('\n');
    }

    /// Only letters, digits and blanks are kept: quotes end a label, `%%` starts a comment or a directive,
    /// and a label may hold markup.
    static String label(String raw) {
        var label = new StringBuilder();
        raw.codePoints().limit(LONGEST).forEach(c -> {
            if ((c < 128 && Character.isLetterOrDigit(c)) || c == ' ' || c == '.' || c == '-') {
                label.appendCodePoint(c);
            } else if (Inert.acts(c)) {
                label.append(' ');
            } else {
                label.append('#').append(c).append(';');
            }
        });
        return raw.codePointCount(0, raw.length()) > LONGEST
                ? label.append("#8230;").toString()
                : label.toString();
    }
}
