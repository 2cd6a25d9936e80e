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

/// Evaluates every rule about a single ring, whether or not it is broken, and ignores approvals.
/// [FleetRules] evaluates the rules about fleets.
public final class Hearings {
    private final Rules rules;

    private Hearings(Rules rules) {
        this.rules = rules;
    }

    public static Hearings of(DesiredState desired) {
        return new Hearings(Rules.of(desired));
    }

    /// For a ring and its plan; `backups` is the state of its backups. A backup that is taken before a
    /// change counts.
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

    /// For an operation of a published plan, and the document of its ring: only rules that need nothing
    /// else.
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
