package io.github.etcdgitops.plan;

import io.github.etcdgitops.plan.Finding.Level;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.state.KubeState;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// What is under way was begun by an earlier run: its plan shows all steps, and those that are done are passed over.
public final class CarriedOn {
    public static final String CODE = "carried-on";

    private static final Pattern RUN = Pattern.compile("^run (\\S+) began (\\S+) ");

    private CarriedOn() {}

    public static List<Finding> findings(ClusterState state) {
        var journal = state.kube().journal().optional().flatMap(j -> j).map(KubeState.JournalState::journal);
        return journal
                .filter(j -> j.intent().isPresent())
                .map(Journal::past)
                .flatMap(past -> past.doings().begun())
                .map(begun -> new Finding(
                        Level.NOTE,
                        CODE,
                        "run " + begun.run() + " began " + begun.operation() + " (" + begun.operationId()
                                + "), and it is carried on at step " + begun.step()
                                + ", where the journal was written last: steps before that are done"))
                .stream()
                .toList();
    }

    /// Which run left something under way, by such a finding.
    public static Optional<Left> left(Finding finding) {
        var words = RUN.matcher(finding.message());
        return finding.code().equals(CODE) && words.find()
                ? Optional.of(new Left(words.group(1), words.group(2)))
                : Optional.empty();
    }

    /// A run by its id, and the kind of the operation that it began.
    public record Left(String run, String operation) {}
}
