package io.github.etcdgitops.execute.repair;

import io.github.etcdgitops.execute.Hashes;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.Divergence;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.DataHashes;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Compares the data of members again, right before a step removes members because their data differs. Only
/// data that more than half of all voters share is taken for right.
final class DivergedMembers {
    /// A compaction reaches members one after the other; nothing else changes their data, as there are no
    /// writes under the alarm.
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Duration BETWEEN = Duration.ofMillis(500);

    private final StepContext context;
    private final Hashes hashes;

    DivergedMembers(StepContext context) {
        this.context = context;
        this.hashes = new Hashes(context);
    }

    static Set<EtcdId> differing(Map<Integer, Intent.Former> formers) {
        return formers.values().stream()
                .filter(former -> former.why() == Intent.Why.DIVERGED)
                .map(Intent.Former::member)
                .collect(Collectors.toUnmodifiableSet());
    }

    /// Why it is not certain that these differ from the others. For a member that no longer answers, the
    /// journal says that it differed: then it is enough that those that answer agree, and are a majority of
    /// all.
    Optional<String> refuted(Set<EtcdId> formers) {
        return settled(ring -> {
            var compared = answering(ring, Set.of());
            var asked = compared.stream()
                    .map(MemberState::id)
                    .filter(formers::contains)
                    .collect(Collectors.toSet());
            return switch (compare(ring, compared)) {
                case Divergence.Unclear(String why) -> Optional.of(why);
                case Divergence.Alike(long revision) ->
                    asked.isEmpty()
                            ? Optional.empty()
                            : Optional.of("all voters have the same data at revision " + revision);
                case Divergence.Differs(long revision, var odd, int alike) ->
                    odd.equals(asked)
                            ? Optional.empty()
                            : Optional.of("at revision " + revision + " the members that differ from " + alike
                                    + " voters are not the ones to replace");
            };
        });
    }

    /// Why a member that is down cannot be given up together with those whose data differs: no majority of
    /// all voters has the same data without it. Once the alarm is over, nothing depends on that.
    Optional<String> undecided(Map<Integer, Intent.Former> formers) {
        if (differing(formers).isEmpty() || disarmed().isPresent()) {
            return Optional.empty();
        }
        return settled(ring -> compare(ring, answering(ring, Set.of())) instanceof Divergence.Unclear(String why)
                ? Optional.of(why)
                : Optional.empty());
    }

    /// Why it is not certain that two of the voters that answer have different data.
    Optional<String> agreeing() {
        return settled(ring -> {
            var hashes = hashes(answering(ring, Set.of()));
            return hashes.filter(DataHashes::differ).isPresent()
                    ? Optional.empty()
                    : Optional.of(hashes.map(read -> "the members that answer have the same data at revision "
                                    + read.revision() + ", as far as it could be compared")
                            .orElse("the data of the members that answer could not be compared"));
        });
    }

    /// The revision up to which the voters that answer have compacted; empty where it is unknown.
    OptionalLong compacted() {
        return context.state().ring().optional().flatMap(ring -> hashes(answering(ring, Set.of()))).stream()
                .flatMap(hashes -> hashes.read().values().stream())
                .flatMap(hash -> hash.optional().stream())
                .mapToLong(DataHashes.Hash::compactRevision)
                .max();
    }

    /// Which voters differ, compared with the data of a member that does not answer.
    Divergence beside(MemberState down, long revision, DataHashes.Hash hash) {
        return context.state()
                .ring()
                .optional()
                .map(ring -> {
                    var compared = new ArrayList<>(answering(ring, Set.of()));
                    var read = read(compared, revision);
                    compared.add(down);
                    read.put(down.id(), Observed.known(hash));
                    return Divergence.of(
                            context.ref(),
                            compared,
                            ring.voters().size(),
                            new DataHashes(revision, read, unchecked(compared)));
                })
                .orElseGet(() -> new Divergence.Unclear("the ring could not be read"));
    }

    private Set<EtcdId> unchecked(List<MemberState> members) {
        return members.stream()
                .filter(m -> m.ordinal(context.ref())
                        .flatMap(context::config)
                        .filter(MemberConfig.Unchecked.class::isInstance)
                        .isPresent())
                .map(MemberState::id)
                .collect(Collectors.toUnmodifiableSet());
    }

    /// Why new members for those that do not start cannot be copied from the voters other than `formers`:
    /// they would get the data of whichever of them leads.
    Optional<String> differingSources(Collection<Intent.Former> anew, Collection<Intent.Former> formers) {
        if (anew.stream().noneMatch(former -> former.why() == Intent.Why.FAILING)) {
            return Optional.empty();
        }
        var ids = formers.stream().map(Intent.Former::member).collect(Collectors.toUnmodifiableSet());
        return context.state()
                .ring()
                .optional()
                .flatMap(ring -> hashes(answering(ring, ids)))
                .filter(DataHashes::differ)
                .map(read -> "the members that are the source of its data differ at revision " + read.revision());
    }

    private static List<MemberState> answering(RingState ring, Set<EtcdId> but) {
        return ring.voters().stream()
                .filter(voter -> voter.answers() && !but.contains(voter.id()))
                .toList();
    }

    Optional<String> disarmed() {
        return context.state()
                .ring()
                .optional()
                .filter(ring -> ring.alarms(Alarm.Kind.CORRUPT).isEmpty())
                .map(_ -> "this alarm is not raised");
    }

    StepResult disarm(Duration deadline) {
        var differing = settled(ring -> switch (compare(ring, ring.voters())) {
            case Divergence.Unclear(String why) -> Optional.of(why);
            case Divergence.Alike _ -> Optional.empty();
            case Divergence.Differs(long revision, var odd, int alike) ->
                Optional.of("at revision " + revision + " member " + odd.first() + " has different data than " + alike
                        + " voters");
        });
        if (differing.isPresent()) {
            return new StepResult.Held(differing.get());
        }
        return context.retry(
                deadline,
                () -> disarmed().isPresent(),
                () -> raised().forEach(member -> context.calls()
                        .throughLeader((etcd, route) -> etcd.disarmCorrupt(route, member, StepContext.CALL))));
    }

    private List<EtcdId> raised() {
        return context.state().ring().optional().stream()
                .flatMap(ring -> ring.alarms(Alarm.Kind.CORRUPT).stream())
                .map(Alarm::member)
                .toList();
    }

    /// What still blocks when the waiting time is over.
    private Optional<String> settled(Function<RingState, Optional<String>> obstacle) {
        var end = context.now().plus(PATIENCE);
        while (true) {
            var found = context.state()
                    .ring()
                    .optional()
                    .map(obstacle)
                    .orElseGet(() -> Optional.of("the ring could not be read"));
            if (found.isEmpty() || !context.now().isBefore(end)) {
                return found;
            }
            context.pass(BETWEEN);
            context.refresh();
        }
    }

    private Divergence compare(RingState ring, List<MemberState> compared) {
        var revision = DataHashes.revision(compared);
        if (revision.isEmpty()) {
            return new Divergence.Unclear(compared.stream()
                            .filter(m -> !m.answers())
                            .findFirst()
                            .map(hashes::name)
                            .orElse("a member")
                    + " does not answer: its data cannot be compared");
        }
        return Divergence.of(
                context.ref(), compared, ring.voters().size(), hashes(compared).orElseThrow());
    }

    /// Empty where no two members can be compared.
    private Optional<DataHashes> hashes(List<MemberState> compared) {
        var revision = DataHashes.revision(compared);
        if (revision.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new DataHashes(revision.getAsLong(), read(compared, revision.getAsLong())));
    }

    private SortedMap<EtcdId, Observed<DataHashes.Hash>> read(List<MemberState> members, long revision) {
        var read = new TreeMap<EtcdId, Observed<DataHashes.Hash>>();
        members.forEach(member -> read.put(member.id(), hash(member, revision)));
        return read;
    }

    private Observed<DataHashes.Hash> hash(MemberState member, long revision) {
        try {
            return hashes.ask(member, revision)
                    .map(hash -> Observed.known(new DataHashes.Hash(hash.compactRevision(), hash.hash())))
                    .orElseGet(() -> Observed.unknown("it returned no hash"));
        } catch (GatewayException e) {
            return Observed.unknown(String.valueOf(e.getMessage()));
        }
    }
}
