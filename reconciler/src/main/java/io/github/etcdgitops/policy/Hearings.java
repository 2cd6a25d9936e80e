package io.github.etcdgitops.policy;

import io.github.etcdgitops.plan.BackupStanding;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.ring.backup.TakeBackup;
import io.github.etcdgitops.spec.DesiredState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Asks every rule that looks at one ring at a time, whether or not it is broken, and nobody about approvals. Rules
/// about fleets are heard in [FleetRules].
public final class Hearings {
    private final Rules rules;

    private Hearings(Rules rules) {
        this.rules = rules;
    }

    public static Hearings of(DesiredState desired) {
        return new Hearings(Rules.of(desired));
    }

    /// About a ring and its plan; `backups` is how it stands with them. One that is taken before a change counts.
    public List<Hearing> of(ClusterPlan plan, BackupStanding backups, Instant now) {
        var hearings = new ArrayList<Hearing>();
        Optional.ofNullable(rules.rings().get(plan.ref())).ifPresent(spec -> hearings.addAll(rules.heard(spec, now)));
        var standing = backups;
        for (var planned : plan.operations()) {
            var operation = planned.operation();
            if (!PolicyEngine.goesAnyhow(operation)) {
                hearings.addAll(rules.heard(operation, standing, now));
            } else if (operation instanceof TakeBackup && planned.verdict().lets()) {
                standing = standing.backedUp(now);
            }
        }
        return hearings;
    }

    /// About an operation that a plan has told of, and the document of its ring: only rules that look at nothing else.
    public List<Hearing> of(Proposal proposal, Instant now) {
        if (PolicyEngine.ALWAYS.contains(proposal.kind())) {
            return List.of();
        }
        var ofDocument = Optional.ofNullable(rules.rings().get(proposal.ref()))
                .filter(_ -> proposal.changesRing() && !proposal.mends())
                .map(spec -> rules.heard(spec, now));
        return Stream.concat(ofDocument.stream().flatMap(List::stream), rules.heard(proposal, now).stream())
                .toList();
    }
}
