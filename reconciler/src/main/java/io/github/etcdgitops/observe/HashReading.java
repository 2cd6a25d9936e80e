package io.github.etcdgitops.observe;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.MemberAccess.Route;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.DataHashes;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Asks the voters that answer for hashes of their data where the data may differ: etcd reports it, a
/// member exits at each start, or a member was started without etcd's own comparison. Nothing else shows
/// whose data differs. Each hash reads all keys of the member, so only planning asks for them.
record HashReading(VoterCall voters, Executor threads) {
    private static final Duration HASHING = Duration.ofMinutes(2);

    RingState of(
            ClusterRef ref,
            KubeState state,
            RingState ring,
            Function<Future<Observed<DataHashes.Hash>>, Observed<DataHashes.Hash>> outcome) {
        var answering = ring.voters().stream().filter(MemberState::answers).toList();
        var revision = DataHashes.revision(answering);
        if (!doubtful(ref, state, ring) || answering.size() < 2 || revision.isEmpty()) {
            return ring;
        }
        var read = new TreeMap<EtcdId, Observed<DataHashes.Hash>>();
        var futures = new TreeMap<EtcdId, Future<Observed<DataHashes.Hash>>>();
        for (var voter : answering) {
            Supplier<Observed<DataHashes.Hash>> question =
                    () -> voters.ask(ref, state, voter, (etcd, route) -> hash(etcd, route, revision.getAsLong()));
            futures.put(voter.id(), CompletableFuture.supplyAsync(question, threads));
        }
        futures.forEach((id, future) -> read.put(id, outcome.apply(future)));
        return ring.with(new DataHashes(revision.getAsLong(), read, copied(ref, state, answering), shown(state)));
    }

    /// An inspection counts as long as the member's file says that the member was started because of it.
    private static Set<EtcdId> shown(KubeState state) {
        var configs = state.configs().optional().orElseGet(TreeMap::new);
        return state.knownJournal().stream()
                .flatMap(j -> j.past().tries().inspected().entrySet().stream())
                .filter(found -> configs.get(found.getKey()) instanceof MemberConfig.Unchecked)
                .flatMap(found -> found.getValue().odd().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Set<EtcdId> copied(ClusterRef ref, KubeState state, List<MemberState> answering) {
        return answering.stream()
                .filter(m -> m.ordinal(ref)
                        .filter(ordinal -> unchecked(ordinal, state) || joins(ordinal, m.id(), state))
                        .isPresent())
                .map(MemberState::id)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean unchecked(int ordinal, KubeState state) {
        return state.config(ordinal)
                .filter(MemberConfig.Unchecked.class::isInstance)
                .isPresent();
    }

    private static boolean joins(int ordinal, EtcdId member, KubeState state) {
        return state.knownJournal().flatMap(Journal::intent).stream()
                .flatMap(Intent::all)
                .anyMatch(intent -> intent.adds(ordinal, Optional.of(member)));
    }

    private static boolean doubtful(ClusterRef ref, KubeState state, RingState ring) {
        return !ring.alarms(Alarm.Kind.CORRUPT).isEmpty()
                || state.configs().optional().stream()
                        .flatMap(configs -> configs.values().stream())
                        .anyMatch(MemberConfig.Unchecked.class::isInstance)
                || ring.voters().stream()
                        .anyMatch(m -> !m.answers()
                                && m.ordinal(ref)
                                        .filter(o -> Failing.neverStarts(state, o))
                                        .isPresent());
    }

    private static DataHashes.Hash hash(EtcdGateway etcd, Route route, long revision) {
        var hash = etcd.hashKeys(route, revision, HASHING);
        return new DataHashes.Hash(hash.compactRevision(), hash.hash());
    }
}
