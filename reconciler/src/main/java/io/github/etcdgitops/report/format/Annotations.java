package io.github.etcdgitops.report.format;

import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.report.format.Checks.Level;
import io.github.etcdgitops.report.format.Checks.Problem;
import io.github.etcdgitops.validation.Location;
import java.util.List;

/// Commands by which a step of GitHub Actions puts notes beside the lines of a pull request. GitHub shows
/// ten of a kind a step and drops the others silently: they are counted.
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

    /// A line that a document could end would begin another command.
    private static String data(String text) {
        return Inert.line(text).replace("%", "%25");
    }

    private static String property(String text) {
        return data(text).replace(":", "%3A").replace(",", "%2C");
    }
}
