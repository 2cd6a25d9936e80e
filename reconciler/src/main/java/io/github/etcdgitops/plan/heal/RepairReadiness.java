package io.github.etcdgitops.plan.heal;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.journal.ChangeHistory;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.value.Observed;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The state of a ring, for rules that allow changes of other rings only while this one is healthy. `busy`
/// says what is under way in it, `unwell` what is wrong with it, both for people; a ring that was never
/// created has neither. An unreadable state counts as a problem. `changed` is the last change that could
/// have cost a member.
public record RepairReadiness(Optional<String> busy, Optional<String> unwell, Optional<ChangeHistory.Changed> changed) {
    public static RepairReadiness of(ClusterState state) {
        return switch (state.kube().journal()) {
            case Observed.Unknown<?>(String why, var _) ->
                new RepairReadiness(
                        Optional.empty(), Optional.of("its journal could not be read: " + why), Optional.empty());
            case Observed.Known<Optional<KubeState.JournalState>>(var journal) ->
                journal.map(KubeState.JournalState::journal)
                        .map(known -> of(state, known))
                        .orElseGet(() -> new RepairReadiness(Optional.empty(), Optional.empty(), Optional.empty()));
        };
    }

    private static RepairReadiness of(ClusterState state, Journal journal) {
        return new RepairReadiness(
                journal.intent().map(Intent::kind).map(RepairReadiness::words),
                RingHealth.problems(state, Set.of()).stream().findFirst(),
                journal.past().doings().changed());
    }

    private static String words(Intent.Kind kind) {
        return kind.wire().toLowerCase(Locale.ROOT) + " is under way";
    }
}
