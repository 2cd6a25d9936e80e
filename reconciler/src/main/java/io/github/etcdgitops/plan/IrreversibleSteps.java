package io.github.etcdgitops.plan;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.roll.MigrateTls;
import io.github.etcdgitops.ring.roll.Roll;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// The planned steps that cannot be undone. They are reported before anything else, because readers miss
/// one cell in a table of steps. Retention deletes old backups in every plan and is not reported here.
public final class IrreversibleSteps {

    /// The prefix of a step's undo text where the step cannot be undone; the consequence follows.
    private static final String NO = "no: ";

    private IrreversibleSteps() {}

    public static List<Finding> of(ClusterPlan plan) {
        return plan.operations().stream().flatMap(o -> of(o).stream()).toList();
    }

    /// One finding per kind: three growing volumes give one finding.
    private static List<Finding> of(PlannedOperation planned) {
        var moments = new LinkedHashMap<String, Integer>();
        int number = 0;
        for (var step : planned.steps()) {
            number++;
            if (step.texts().undo().startsWith(NO)) {
                moments.putIfAbsent(step.texts().undo().substring(NO.length()), number);
            }
        }
        String name = planned.operation().kind() + " (" + planned.operation().id() + ")";
        var findings = new ArrayList<Finding>();
        moments.forEach((what, first) -> findings.add(finding("after step " + first + " of " + name + " " + what)));
        if (planned.operation() instanceof MigrateTls migration && closes(migration.roll())) {
            findings.add(finding("after " + name
                    + " the ring accepts only clients with certificates and cannot go back to plain text"));
        }
        return findings;
    }

    private static boolean closes(Roll roll) {
        return roll.target().transport().reopens(roll.former().transport());
    }

    private static Finding finding(String moment) {
        return new Finding(Level.WARNING, FindingCode.NO_WAY_BACK, moment);
    }
}
