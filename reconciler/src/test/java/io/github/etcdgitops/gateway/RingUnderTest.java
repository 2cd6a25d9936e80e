package io.github.etcdgitops.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.backup.SnapshotCheck;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.member.SettingsInUse;
import io.github.etcdgitops.state.value.EtcdId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/// One ring for [EtcdGatewayContract], real or faked. Ordinals that were not founded are members that
/// may be added later. What has a body is short for calls through the gateway, at member 0 where
/// nothing else is said.
public interface RingUnderTest extends AutoCloseable {
    Duration DEADLINE = Duration.ofSeconds(10);

    EtcdVersion version();

    EtcdGateway gateway();

    MemberAccess.Route route(int ordinal);

    /// To its metrics port.
    MemberAccess.Route metrics(int ordinal);

    String peerUrl(int ordinal);

    /// First start of a member whose peer URL was added; `listed` are the ordinals of the member list,
    /// its own included. Does not wait.
    void startJoining(int ordinal, List<Integer> listed);

    /// The member dies; its data stays.
    void kill(int ordinal);

    /// A dead member starts again on its data. Does not wait.
    void restart(int ordinal);

    /// The member holds its connections open and answers nothing any more, until `kill`.
    void freeze(int ordinal);

    /// A client writes a key, at revision 2 the first time and at the next one each time after that.
    void put(String key);

    /// A client has the history before `revision` forgotten.
    void compact(long revision);

    /// Looks again and again until it holds; fails with `what` when it takes too long.
    void await(String what, BooleanSupplier condition);

    @Override
    void close();

    default EtcdGateway.View probe(int ordinal) {
        return gateway().probe(route(ordinal), DEADLINE);
    }

    default EtcdGateway.KeyHash hash(int ordinal, long revision) {
        return gateway().hashKeys(route(ordinal), revision, DEADLINE);
    }

    default long count(int ordinal, long revision) {
        return gateway().countKeys(route(ordinal), revision, DEADLINE);
    }

    default long revision(int ordinal) {
        return gateway().revision(route(ordinal), DEADLINE);
    }

    default long ringRevision(int ordinal) {
        return gateway().ringRevision(route(ordinal), DEADLINE);
    }

    default void compactAt(int ordinal, long revision) {
        gateway().compact(route(ordinal), revision, DEADLINE);
    }

    default SnapshotCheck.Result snapshot(int ordinal) throws IOException {
        var digest = new SnapshotCheck();
        gateway().snapshot(route(ordinal), DEADLINE, digest::update);
        return digest.finish();
    }

    default EtcdId addLearner(int ordinal) {
        return gateway().addLearner(route(0), peerUrl(ordinal), DEADLINE);
    }

    default EtcdId addVoter(int ordinal) {
        return gateway().addVoter(route(0), peerUrl(ordinal), DEADLINE);
    }

    default boolean promote(EtcdId learner) {
        return gateway().promote(route(0), learner, DEADLINE);
    }

    default void remove(EtcdId member) {
        gateway().removeMember(route(0), member, DEADLINE);
    }

    /// Adds a learner where there are any, else a voter, and takes it away again.
    default void growAndUndo() {
        remove(version().hasLearners() ? addLearner(3) : addVoter(3));
    }

    default void updatePeerUrls(EtcdId member, String... urls) {
        gateway().updatePeerUrls(route(0), member, List.of(urls), DEADLINE);
    }

    default Optional<PeerConnections> connections(int ordinal) {
        return gateway().connections(metrics(ordinal), DEADLINE);
    }

    default PeerConnections.Heard heard(int ordinal) {
        return gateway().heard(metrics(ordinal), DEADLINE);
    }

    default SettingsInUse settings(int ordinal) {
        return gateway().settings(metrics(ordinal), DEADLINE);
    }

    default Optional<Set<EtcdId>> activePeers(int ordinal) {
        return connections(ordinal).map(PeerConnections::active);
    }

    default boolean answers(int ordinal) {
        try {
            probe(ordinal);
            return true;
        } catch (GatewayException _) {
            return false;
        }
    }

    default Optional<MemberState> member(EtcdId id) {
        return probe(0).members().stream().filter(m -> m.id().equals(id)).findFirst();
    }

    default EtcdId voterThatNeverStarted() {
        var unstarted = probe(0).members().stream().filter(m -> !m.started()).toList();
        assertThat(unstarted).singleElement().matches(m -> !m.learner());
        return unstarted.getFirst().id();
    }

    /// The leader of which members 0 and 1 agree.
    default Optional<EtcdId> leader() {
        var first = probe(0).status().leader();
        return first.equals(probe(1).status().leader()) ? first : Optional.empty();
    }

    /// Of a ring of three.
    default int leaderOrdinal() {
        var leader = leader().orElseThrow();
        return IntStream.range(0, 3)
                .filter(ordinal -> probe(ordinal).self().equals(leader))
                .findFirst()
                .orElseThrow();
    }

    /// To an earlier minor version than the members' by so many.
    default void startDowngrade(int minors) {
        gateway()
                .startDowngrade(
                        route(0), new EtcdVersion(version().major(), version().minor() - minors, 0), DEADLINE);
    }

    default void cancelDowngrade() {
        gateway().cancelDowngrade(route(0), DEADLINE);
    }

    default MemberState.Storage storage(int ordinal) {
        return probe(ordinal).status().storage();
    }
}
