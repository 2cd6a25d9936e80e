package io.github.etcdgitops.execute.restore;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.auth.TokenKeys;
import io.github.etcdgitops.execute.membership.StopSteps;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.restore.RecoverStep;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.journal.ChangeHistory;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Ends a ring so that another one of its name can follow. Until its members are ended, nothing of it is
/// touched; from then on every run continues, and none goes back.
public final class RecoverSteps implements StepHandler<RecoverStep> {
    private final StepContext context;
    private final StopSteps stopping;
    private final RestoreSteps restoring;
    private final RoomSteps room;

    public RecoverSteps(StepContext context, StopSteps stopping, RestoreSteps restoring, RoomSteps room) {
        this.context = context;
        this.stopping = stopping;
        this.restoring = restoring;
        this.room = room;
    }

    @Override
    public Optional<String> alreadySo(RecoverStep step) {
        return switch (step) {
            case RecoverStep.BeginExchange(RestoreOrder order, var former, var unused) -> begun(order);
            case RecoverStep.EndFormers _ -> underWay().isPresent() ? stopping.ended() : Optional.empty();
            case RecoverStep.ProveRoom _, RecoverStep.AwaitEnded _ -> Optional.empty();
            case RecoverStep.LeadClientsAway _ -> stopping.clientsCut();
            case RecoverStep.RemoveFormerSet _ -> stopping.setGone();
            case RecoverStep.UnseatFormers _ -> stopping.unseated();
            case RecoverStep.FreeLostClaims(var claims) -> freed(claims);
            case RecoverStep.OpenExchanged(RestoreOrder order, var version, var unused) -> opened(order, version);
            case RecoverStep.CallOff _ ->
                context.journal().isUnderWay(Intent.Kind.RECOVER)
                        ? Optional.empty()
                        : Optional.of("it is not under way");
        };
    }

    @Override
    public StepResult act(RecoverStep step) {
        return switch (step) {
            case RecoverStep.ProveRoom prove -> room.prove(prove);
            case RecoverStep.BeginExchange(RestoreOrder order, var former, String operationId) ->
                begin(order, operationId);
            case RecoverStep.EndFormers(RestoreOrder order) -> end(order);
            case RecoverStep.AwaitEnded _ -> stopping.awaitEnded(step.deadline());
            case RecoverStep.LeadClientsAway _ -> stopping.cutClients();
            case RecoverStep.RemoveFormerSet _ -> stopping.removeStatefulSet(step.deadline());
            case RecoverStep.UnseatFormers _ -> stopping.unseat();
            case RecoverStep.FreeLostClaims(var claims) -> free(claims, step.deadline());
            case RecoverStep.OpenExchanged(RestoreOrder order, var version, String operationId) ->
                open(order, version, operationId);
            case RecoverStep.CallOff _ -> callOff();
        };
    }

    private Optional<SnapshotOrigin> underWay() {
        return context.journal()
                .intent()
                .filter(i -> i.kind() == Intent.Kind.RECOVER)
                .flatMap(Intent::recovery);
    }

    private Optional<String> begun(RestoreOrder order) {
        return context.journal()
                .intent()
                .filter(i -> i.kind() == Intent.Kind.RECOVER && i.epoch() == context.epoch())
                .flatMap(Intent::recovery)
                .filter(order::isOf)
                .map(_ -> "under way");
    }

    /// Calls of an earlier epoch may still be on their way to the members.
    private StepResult begin(RestoreOrder order, String operationId) {
        var digest = digest(order);
        if (digest.isEmpty()) {
            return new StepResult.Held("this run has not verified the snapshot");
        }
        var gone = stopping.ended().isPresent() ? Optional.<String>empty() : restoring.gone(order);
        if (gone.isPresent()) {
            return new StepResult.Held(gone.get());
        }
        boolean earlier = context.journal().intent().isPresent();
        if (earlier) {
            context.outlastEarlierCalls();
            context.refresh();
        }
        var origin = order.origin(digest.get().size(), digest.get().sha256());
        var intent = Intent.of(Intent.Kind.RECOVER, operationId, context.epoch(), origin);
        context.journal(journal -> journal.withIntent(Optional.of(intent.pausing(journal.intent()))));
        return new StepResult.Done(earlier ? "continued" : "journalled");
    }

    private Optional<SnapshotDigest> digest(RestoreOrder order) {
        return restoring
                .proven()
                .or(() -> underWay().filter(order::isOf).map(o -> new SnapshotDigest(o.size(), o.sha256())));
    }

    /// The object that was verified minutes ago may be gone by now, and this step cannot be undone.
    private StepResult end(RestoreOrder order) {
        return restoring.gone(order).<StepResult>map(StepResult.Held::new).orElseGet(stopping::stop);
    }

    private Optional<String> freed(SortedMap<Integer, String> claims) {
        return claims.entrySet().stream()
                        .noneMatch(lost -> context.claim(lost.getKey())
                                .filter(c -> c.uid().equals(lost.getValue()))
                                .isPresent())
                ? Optional.of("they are gone")
                : Optional.empty();
    }

    /// A claim that has its volume back keeps it.
    private StepResult free(SortedMap<Integer, String> claims, Duration deadline) {
        for (var lost : claims.entrySet()) {
            var claim = context.claim(lost.getKey()).filter(c -> c.uid().equals(lost.getValue()));
            if (claim.filter(c -> !c.lost() && !c.terminating()).isPresent()) {
                return new StepResult.Held("the claim " + claim.get().name() + " has its volume again");
            }
            claim.filter(c -> !c.terminating())
                    .ifPresent(c -> context.volumes().deleteClaim(context.ref(), c.name(), c.uid()));
        }
        return context.until(
                deadline,
                () -> freed(claims).isPresent() ? Optional.empty() : Optional.of("some of the claims still exist"),
                () -> "deleted");
    }

    private Optional<String> opened(RestoreOrder order, EtcdVersion version) {
        var journal = context.journal();
        return !journal.founded()
                        && journal.isUnderWay(Intent.Kind.RESTORE)
                        && journal.origin().filter(order::isOf).isPresent()
                        && journal.applied()
                                .equals(MemberSettings.founding(context.spec().server(), version))
                ? Optional.of("the journal exists")
                : Optional.empty();
    }

    /// A new, unused token: the new ring never accepts a member of the former one.
    private StepResult open(RestoreOrder order, EtcdVersion version, String operationId) {
        var origin = underWay().filter(order::isOf);
        if (origin.isEmpty()) {
            return new StepResult.Held("the journal was created for another snapshot");
        }
        var held = new TokenKeys(context).ofNew(version);
        if (held.isPresent()) {
            return held.get();
        }
        var intent = new Intent(Intent.Kind.RESTORE, 0, operationId, context.epoch());
        context.journal(former -> new Journal(
                        context.epoch(),
                        context.ref().namespace() + "-" + context.ref().name() + "-" + context.random(),
                        Optional.empty(),
                        MemberSettings.founding(context.spec().server(), version),
                        new TreeMap<>(Map.of(0, context.newMember())),
                        Optional.of(intent),
                        new Journal.Past(
                                origin,
                                Optional.empty(),
                                former.past().certificates(),
                                former.past().adopted(),
                                Optional.empty(),
                                ChangeHistory.NONE))
                .withNewLog());
        return new StepResult.Done("journal created");
    }

    /// The operation that was under way before continues from its last step.
    private StepResult callOff() {
        context.journal(journal -> journal.withIntent(journal.intent().flatMap(Intent::paused)));
        return new StepResult.Done("no member was stopped");
    }
}
