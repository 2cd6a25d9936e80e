package io.github.etcdgitops.execute.repair;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.membership.LeaveSteps;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.health.Divergence;
import io.github.etcdgitops.state.journal.Inspection;
import io.github.etcdgitops.state.journal.Inspection.Outcome;
import io.github.etcdgitops.state.member.DataHashes;
import io.github.etcdgitops.state.underway.Inspections;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// Leaves etcd's comparison at the start (InitialCorruptCheck) out of a member's file, where the comparison
/// certainly cannot succeed: two members that it compares with have different data.
record StartChecks(StepContext context, DivergedMembers odd, LeaveSteps leading) {
    Optional<String> leftOut(int ordinal) {
        return context.config(ordinal)
                .filter(MemberConfig.Unchecked.class::isInstance)
                .map(_ -> "already disabled");
    }

    /// Where `wrong` is empty, the inspection of the member's volume shows who is wrong.
    StepResult leaveOut(int ordinal, Set<EtcdId> wrong, Duration deadline) {
        var sealed = context.config(ordinal).filter(MemberConfig.Sealed.class::isInstance);
        if (sealed.isEmpty()) {
            return new StepResult.Held(context.ref().podName(ordinal) + " is not sealed");
        }
        var agreeing = odd.agreeing();
        if (agreeing.isPresent()) {
            return new StepResult.Held(agreeing.get());
        }
        if (!wrong.isEmpty()) {
            note(ordinal, new TreeSet<>());
            return leaveOut(ordinal, sealed.get(), wrong, deadline);
        }
        if (overtaken(ordinal)) {
            // Nothing is wrong with the volume: the next run inspects it again.
            return new StepResult.Held(context.ref().podName(ordinal)
                    + " was started after the inspection of its volume. The next run inspects it again");
        }
        return switch (witnessed(ordinal)) {
            case Divergence.Differs(var unused, var differs, var alsoUnused) -> {
                note(ordinal, differs);
                yield leaveOut(ordinal, sealed.get(), differs, deadline);
            }
            case Divergence.Unclear(String why) -> undecided(ordinal, why);
            case Divergence.Alike(long revision) ->
                undecided(ordinal, "all have the same data at revision " + revision);
        };
    }

    private StepResult leaveOut(int ordinal, MemberConfig sealed, Set<EtcdId> wrong, Duration deadline) {
        var led = leading.leadInsteadOf(wrong, deadline);
        if (!(led instanceof StepResult.Done)) {
            return led;
        }
        var unchecked = new MemberConfig.Unchecked(sealed.incarnation());
        context.kube().writeMemberConfig(context.objectsAtRest(), ordinal, Optional.of(unchecked));
        return new StepResult.Done("written");
    }

    /// The kubelet was faster than this run.
    private boolean overtaken(int ordinal) {
        return Inspections.onClaim(context.state(), ordinal)
                .filter(known ->
                        known.outcome() instanceof Outcome.Told && !Inspections.stands(context.state(), ordinal, known))
                .isPresent();
    }

    /// Compared with the other members again, right before a decision depends on it.
    private Divergence witnessed(int ordinal) {
        var told = Inspections.witness(context.state(), ordinal);
        var down = context.member(ordinal);
        if (told.isEmpty() || down.isEmpty()) {
            return new Divergence.Unclear(
                    "the known data of the volume of " + context.ref().podName(ordinal) + " cannot be compared");
        }
        var found = told.get().hash().orElseThrow();
        var hash = new DataHashes.Hash(found.compactRevision(), found.value());
        var judged = odd.beside(down.get(), told.get().revision(), hash);
        return judged instanceof Divergence.Differs differs
                        && differs.odd().contains(down.get().id())
                ? new Divergence.Unclear(context.ref().podName(ordinal) + " itself has different data than a majority")
                : judged;
    }

    /// Journalled, so that the next plan reports it and a person decides.
    private StepResult undecided(int ordinal, String why) {
        Inspections.onClaim(context.state(), ordinal)
                .filter(known -> known.outcome() instanceof Outcome.Told)
                .ifPresent(known -> note(
                        ordinal,
                        new Inspection(known.claimUid(), context.now(), known.seen(), new Outcome.Unreadable(why))));
        return new StepResult.Held(why);
    }

    private void note(int ordinal, SortedSet<EtcdId> differs) {
        Inspections.onClaim(context.state(), ordinal)
                .filter(known -> !known.odd().equals(differs))
                .ifPresent(known -> note(ordinal, known.showing(differs)));
    }

    private void note(int ordinal, Inspection known) {
        context.journal(journal -> journal.withTries(journal.past().tries().with(ordinal, known)));
    }
}
