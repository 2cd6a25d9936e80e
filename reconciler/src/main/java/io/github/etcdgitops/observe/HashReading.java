package io.github.etcdgitops.observe;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.state.DataHashes;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.MemberState;
import io.github.etcdgitops.state.Observed;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.Space;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;

/// Asks the voters for hashes of their data where etcd says that it differs: whose it is shows in nothing
/// else. Each reads all of its keys for that, so they are asked for plans, and in the midst of changes that such a
/// difference holds up or pauses. While members are replaced because of it the steps ask themselves, when they need
/// to know.
record HashReading(EtcdGateway etcd, MemberAccess access, Supplier<ExecutorService> threads) {
    private static final Duration HASHING = Duration.ofMinutes(2);

    RingState of(
            ClusterRef ref,
            KubeState state,
            RingState ring,
            Function<Future<Observed<DataHashes.Hash>>, Observed<DataHashes.Hash>> outcome) {
        var revision = DataHashes.revision(ring.voters());
        if (Space.alarms(ring, Space.CORRUPT).isEmpty() || underWay(state) || revision.isEmpty()) {
            return ring;
        }
        var read = new TreeMap<EtcdId, Observed<DataHashes.Hash>>();
        try (var running = threads.get()) {
            var futures = new TreeMap<EtcdId, Future<Observed<DataHashes.Hash>>>();
            for (var voter : ring.voters()) {
                Callable<Observed<DataHashes.Hash>> question = () -> ask(ref, state, voter, revision.getAsLong());
                futures.put(voter.id(), running.submit(question));
            }
            futures.forEach((id, future) -> read.put(id, outcome.apply(future)));
        }
        return ring.with(new DataHashes(revision.getAsLong(), read));
    }

    private static boolean underWay(KubeState state) {
        return state.journal()
                .optional()
                .flatMap(j -> j)
                .filter(j -> j.journal().intent().map(HashReading::isHeldUp).orElse(true))
                .isEmpty();
    }

    private static boolean isHeldUp(Intent intent) {
        return switch (intent.kind()) {
            case JOIN, LEAVE, ROLL, UNROLL -> true;
            case REPLACE ->
                intent.replacement().stream()
                        .flatMap(replacement -> replacement.formers().values().stream())
                        .noneMatch(former -> former.why() == Intent.Why.DIVERGED);
            case FOUND, RESTORE, ADOPT, RECREATE, DELETE, RETURN, RECOVER -> false;
        };
    }

    private Observed<DataHashes.Hash> ask(ClusterRef ref, KubeState state, MemberState voter, long revision) {
        var ordinal = voter.ordinal(ref);
        var ip = ordinal.flatMap(o -> state.pods().optional().flatMap(pods -> Optional.ofNullable(pods.get(o))))
                .flatMap(KubeState.PodState::ip);
        if (ip.isEmpty()) {
            return Observed.unknown("its pod has no address");
        }
        try (var route = access.open(ref, ordinal.orElseThrow(), ip.get(), Door.clients(state.clientsSecured()))) {
            var hash = etcd.hashKeys(route, revision, HASHING);
            return Observed.known(new DataHashes.Hash(hash.compactRevision(), hash.hash()));
        } catch (GatewayException e) {
            return Observed.unknown(String.valueOf(e.getMessage()));
        }
    }
}
