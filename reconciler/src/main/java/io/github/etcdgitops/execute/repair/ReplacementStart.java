package io.github.etcdgitops.execute.repair;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.repair.GivenUpClaim;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.RestartAttempts;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Journals which places get new members, before anything is touched.
final class ReplacementStart {
    private final StepContext context;
    private final DivergedMembers odd;

    ReplacementStart(StepContext context, DivergedMembers odd) {
        this.context = context;
        this.odd = odd;
    }

    Optional<String> begun(SortedMap<Integer, GivenUpClaim> claims) {
        return context.journal()
                .intent()
                .filter(i -> i.epoch() == context.epoch())
                .flatMap(Intent::replacement)
                .filter(r -> givenUp(r).equals(claims))
                .map(_ -> "under way");
    }

    private static SortedMap<Integer, GivenUpClaim> givenUp(Intent.Replacement replacement) {
        var claims = new TreeMap<Integer, GivenUpClaim>();
        replacement
                .formers()
                .forEach((ordinal, former) -> claims.put(ordinal, new GivenUpClaim(former.claimUid(), former.why())));
        return claims;
    }

    /// Where the volume of a new member is also lost, that member is the former one from now on.
    StepResult begin(SortedMap<Integer, GivenUpClaim> claims, String operationId) {
        if (context.journal().intent().isPresent()) {
            context.outlastEarlierCalls();
            context.refresh();
        }
        var earlier =
                context.journal().replacement().map(Intent.Replacement::formers).orElseGet(TreeMap::new);
        var formers = new TreeMap<Integer, Intent.Former>();
        for (var claim : claims.entrySet()) {
            var former = former(claim.getKey(), claim.getValue(), Optional.ofNullable(earlier.get(claim.getKey())));
            if (former.isEmpty()) {
                return new StepResult.Held(context.ref().podName(claim.getKey()) + " is not in the member list");
            }
            formers.put(claim.getKey(), former.get());
        }
        var anew = new TreeMap<>(formers);
        anew.entrySet().removeIf(f -> f.getValue().equals(earlier.get(f.getKey())));
        if (DivergedMembers.differing(anew).isEmpty()) {
            return odd.differingSources(anew.values(), formers.values())
                    .<StepResult>map(StepResult.Held::new)
                    .orElseGet(() -> journalled(formers, anew, operationId));
        }
        return odd.refuted(DivergedMembers.differing(formers))
                .<StepResult>map(StepResult.Held::new)
                .orElseGet(() -> journalled(formers, anew, operationId));
    }

    private StepResult journalled(
            SortedMap<Integer, Intent.Former> formers, SortedMap<Integer, Intent.Former> anew, String operationId) {
        var intent = Intent.of(Intent.Kind.REPLACE, operationId, context.epoch(), new Intent.Replacement(formers));
        context.journal(journal -> {
            var begun = journal.withIntent(Optional.of(intent.pausing(journal.intent())));
            if (!anew.isEmpty()) {
                begun = begun.withTries(anew(journal, anew.keySet()));
            }
            for (int ordinal : anew.keySet()) {
                begun = begun.withMember(ordinal, context.newMember());
            }
            return begun;
        });
        return new StepResult.Done(anew.isEmpty() ? "continued" : "journalled");
    }

    /// A place that was already being given to a new member, and is again, has used an attempt.
    private RestartAttempts anew(Journal journal, Set<Integer> ordinals) {
        var when = context.now().truncatedTo(ChronoUnit.SECONDS);
        var tries = journal.past().tries().replaced(ordinals, when);
        var earlier = journal.replacement().map(Intent.Replacement::formers).orElseGet(TreeMap::new);
        for (int ordinal : ordinals) {
            tries = earlier.containsKey(ordinal) ? tries.failed(ordinal, when) : tries;
        }
        return tries;
    }

    private Optional<Intent.Former> former(int ordinal, GivenUpClaim claim, Optional<Intent.Former> earlier) {
        return earlier.filter(f -> f.claimUid().equals(claim.claimUid()))
                .map(f -> new Intent.Former(f.member(), f.claimUid(), claim.why()))
                .or(() -> context.member(ordinal)
                        .map(MemberState::id)
                        .or(() -> earlier.map(Intent.Former::member))
                        .or(() -> removedByHand(ordinal, claim))
                        .map(id -> new Intent.Former(id, claim.claimUid(), claim.why())));
    }

    /// Only the journal still knows its ID, and is about to forget it.
    private Optional<EtcdId> removedByHand(int ordinal, GivenUpClaim claim) {
        return Optional.ofNullable(context.journal().members().get(ordinal))
                .filter(_ -> claim.why() == Intent.Why.REMOVED_BY_HAND)
                .flatMap(Journal.Member::id);
    }
}
