package io.github.etcdgitops.cli.wiring;

import io.github.etcdgitops.pipeline.RulesInForce;
import io.github.etcdgitops.pipeline.environment.Branch;
import java.util.Optional;
import picocli.CommandLine.Option;

/// What an operator has checked and accepts: a branch that does not continue from the last run's commit,
/// and relaxed approval rules.
public final class AcceptOptions {
    @Option(
            names = "--git-accept-rewritten",
            paramLabel = "COMMIT",
            description = "Accept this commit of the branch once, although it does not descend from the commit that"
                    + " the last run accepted.")
    public Optional<String> accepted = Optional.empty();

    @Option(
            names = "--accept-rules",
            paramLabel = "COMMIT",
            description = "Accept the approval rules of this commit, although they are less strict than before and"
                    + " nobody approved that.")
    Optional<String> acceptedRules = Optional.empty();

    public RulesInForce.Asked rules(Branch branch, boolean remembers) {
        return new RulesInForce.Asked(branch, acceptedRules, remembers);
    }
}
