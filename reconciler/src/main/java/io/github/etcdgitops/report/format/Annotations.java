package io.github.etcdgitops.report.format;

import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.report.format.Checks.Level;
import io.github.etcdgitops.report.format.Checks.Problem;
import io.github.etcdgitops.validation.Location;
import java.util.List;

/// Workflow commands of GitHub Actions that put notes beside the lines of a pull request. GitHub shows ten
/// of a kind per step and silently drops the others: the dropped ones are counted.
public final class Annotations {
    private static final int MOST = 10;

    private Annotations() {}

    public static String render(Checks checks) {
        var out = new StringBuilder();
        int left = 0;
        for (Level level : List.of(Level.ERROR, Level.WARNING)) {
            var all = checks.problems().stream().filter(p -> p.level() == level).toList();
            all.stream().limit(MOST).forEach(p -> out.append(annotation(p)));
            left += Math.max(0, all.size() - MOST);
        }
        if (left > 0) {
            out.append("::notice title=etcd-gitops::and ").append(left).append(" more errors and warnings\n");
        }
        return out.toString();
    }

    private static String annotation(Problem problem) {
        String place = problem.at().map(Annotations::place).orElse("");
        return "::" + (problem.level() == Level.ERROR ? "error" : "warning") + " " + place + "title="
                + property(problem.code() + " " + problem.subject()) + "::"
                + data(problem.message()
                        + problem.hint().map(hint -> " " + hint).orElse("")) + "\n";
    }

    private static String place(Location at) {
        return "file=" + property(at.file()) + ","
                + (at.line() > 0 ? "line=" + at.line() + ",col=" + at.column() + "," : "");
    }

    /// A line break from a document would start another command.
    private static String data(String text) {
        return Inert.line(text).replace("%", "%25");
    }

    private static String property(String text) {
        return data(text).replace(":", "%3A").replace(",", "%2C");
    }
}
