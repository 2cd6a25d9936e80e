package io.github.etcdgitops.execute.founding;

import io.github.etcdgitops.execute.PodStartWait;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.auth.TokenKeys;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.founding.FoundStep;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// Creates a ring. Nothing here may happen twice for one name: the journal is created, never overwritten,
/// and once it holds a cluster ID, no file that creates a ring is written again.
public final class FoundingSteps implements StepHandler<FoundStep> {
    private final StepContext context;

    public FoundingSteps(StepContext context) {
        this.context = context;
    }

    @Override
    public Optional<String> alreadySo(FoundStep step) {
        return switch (step) {
            case FoundStep.OpenJournal _ -> journalOpen();
            case FoundStep.WriteFoundingConfigs(int size) -> configsWritten(size);
            case FoundStep.CreateStatefulSet _ -> statefulSetThere();
            case FoundStep.AwaitRing _ -> Optional.empty();
            case FoundStep.RecordRing _ -> recorded();
        };
    }

    @Override
    public StepResult act(FoundStep step) {
        return switch (step) {
            case FoundStep.OpenJournal(int size, var version, var id) -> openJournal(size, version, id);
            case FoundStep.WriteFoundingConfigs(int size) -> writeConfigs(size);
            case FoundStep.CreateStatefulSet(int size) -> createStatefulSet(size);
            case FoundStep.AwaitRing(int size) -> awaitRing(size, step.deadline());
            case FoundStep.RecordRing(int size) -> record(size);
        };
    }

    Optional<String> journalOpen() {
        return context.journalState().map(_ -> "the journal exists");
    }

    public Optional<String> notVacant() {
        return context.state().kube().nothingThere()
                ? Optional.empty()
                : Optional.of("an object of this ring exists, or its absence could not be verified");
    }

    StepResult openJournal(int size, EtcdVersion version, String operationId) {
        var there = notVacant();
        if (there.isPresent()) {
            return new StepResult.Held(there.get());
        }
        var held = new TokenKeys(context).ofNew(version);
        if (held.isPresent()) {
            return held.get();
        }
        var intent = new Intent(Intent.Kind.FOUND, 0, operationId, context.epoch());
        var journal = opened(context, size, version, intent);
        context.kube().writeJournal(context.ref(), context.marked(journal), Optional.empty());
        context.refresh();
        return new StepResult.Done("journal created");
    }

    /// The journal of a new ring, with an unused token and unused directories.
    static Journal opened(StepContext context, int size, EtcdVersion version, Intent intent) {
        var members = new TreeMap<Integer, Journal.Member>();
        for (int ordinal = 0; ordinal < size; ordinal++) {
            members.put(ordinal, context.newMember());
        }
        return new Journal(
                        context.epoch(),
                        context.ref().namespace() + "-" + context.ref().name() + "-" + context.random(),
                        Optional.empty(),
                        MemberSettings.founding(context.spec().server(), version),
                        members,
                        Optional.of(intent))
                .withNewLog();
    }

    Optional<String> configsWritten(int size) {
        if (context.journal().founded()) {
            return Optional.of("the ring was created");
        }
        var configs = context.state().kube().configs().optional().orElseThrow();
        for (int ordinal = 0; ordinal < size; ordinal++) {
            if (!founding(ordinal).equals(configs.get(ordinal))) {
                return Optional.empty();
            }
        }
        return Optional.of("written");
    }

    StepResult writeConfigs(int size) {
        var objects = context.objectsAtRest();
        for (int ordinal = 0; ordinal < size; ordinal++) {
            context.kube().writeMemberConfig(objects, ordinal, Optional.of(founding(ordinal)));
        }
        return new StepResult.Done(size + " written");
    }

    private MemberConfig founding(int ordinal) {
        var journal = context.journal();
        var peers = new TreeMap<Integer, String>();
        journal.members().keySet().forEach(o -> peers.put(o, String.join(",", context.peerUrls(o))));
        return new MemberConfig.Founding(context.incarnation(ordinal), journal.token(), peers);
    }

    Optional<String> statefulSetThere() {
        return context.statefulSet().map(_ -> "it is there");
    }

    StepResult createStatefulSet(int size) {
        if (context.journal().founded()) {
            return new StepResult.Held("the ring was already created, and its StatefulSet is gone");
        }
        context.kube().createStatefulSet(context.objectsAtRest(), size);
        return new StepResult.Done("created");
    }

    StepResult awaitRing(int size, Duration deadline) {
        var members = IntStream.range(0, size).boxed().toList();
        return new PodStartWait(context, members)
                .await(deadline, () -> missing(size))
                .<StepResult>map(StepResult.Failed::new)
                .orElseGet(() -> new StepResult.Done(size + " members, cluster ID "
                        + context.state().ring().optional().orElseThrow().clusterId()));
    }

    private Optional<String> missing(int size) {
        var state = context.state();
        var ring = state.ring().optional();
        if (ring.isEmpty()) {
            return state.ring().unknownReason();
        }
        var members = ring.get().byOrdinal(context.ref());
        for (int ordinal = 0; ordinal < size; ordinal++) {
            var member = members.get(ordinal);
            if (member == null || !member.started() || !member.answers()) {
                return Optional.of(context.ref().podName(ordinal) + " has not started"
                        + Optional.ofNullable(member)
                                .flatMap(m -> m.status().unknownReason())
                                .map(r -> " (" + r + ")")
                                .orElse(""));
            }
        }
        if (ring.get().members().size() != size) {
            return Optional.of("the ring has " + ring.get().members().size() + " members instead of " + size);
        }
        return ring.get().leader().isPresent() ? Optional.empty() : Optional.of("no leader yet");
    }

    public Optional<String> recorded() {
        return context.journal().clusterId().map(id -> "cluster ID " + id);
    }

    StepResult record(int size) {
        return record(size, journal -> journal);
    }

    /// The same for a restored ring; this completes the restore.
    public StepResult recordRestored() {
        return record(1, journal -> journal.withIntent(Optional.empty()));
    }

    private StepResult record(int size, UnaryOperator<Journal> alongside) {
        var missing = missing(size);
        if (missing.isPresent()) {
            return new StepResult.Held(missing.get());
        }
        RingState ring = context.state().ring().optional().orElseThrow();
        SortedMap<Integer, MemberState> members = ring.byOrdinal(context.ref());
        context.journal(journal -> {
            var recorded = alongside.apply(journal.withClusterId(ring.clusterId()));
            for (var entry : members.entrySet()) {
                int ordinal = entry.getKey();
                recorded = recorded.withMember(
                        ordinal,
                        new Journal.Member(
                                context.incarnation(ordinal),
                                Optional.of(entry.getValue().id()),
                                claimUid(ordinal)));
            }
            return recorded;
        });
        return new StepResult.Done("cluster ID " + ring.clusterId());
    }

    private Optional<String> claimUid(int ordinal) {
        return context.state().kube().claim(ordinal).map(KubeState.ClaimState::uid);
    }
}
