package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.auth.RootPassword;
import io.github.etcdgitops.state.auth.UsersRevision;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.DataHashes;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/// What etcd reports about itself: the member list that every answering voter agrees on. `hashes` are read
/// where data may differ and no operation is under way. `version` is the cluster version, read while an
/// upgrade to another minor version is under way; `v2`, the use of etcd's v2 API, before an upgrade from 3.3,
/// which serves that API. `access` is read where a document or the journal has users and roles.
public record RingState(
        EtcdId clusterId,
        List<MemberState> members,
        List<Alarm> alarms,
        Optional<DataHashes> hashes,
        Optional<EtcdVersion> version,
        V2Use v2,
        Access access) {
    /// Users and roles, whether the password of `root` is of use, and the moment of both, where that is known.
    public record Access(Observed<AuthState> users, RootPassword root, Optional<UsersRevision> moment) {
        public Access(Observed<AuthState> users) {
            this(users, RootPassword.UNASKED, Optional.empty());
        }
    }

    public RingState {
        members = members.stream().sorted(Comparator.comparing(MemberState::id)).toList();
        alarms = alarms.stream().sorted().toList();
    }

    public RingState(EtcdId clusterId, List<MemberState> members, List<Alarm> alarms) {
        this(
                clusterId,
                members,
                alarms,
                Optional.empty(),
                Optional.empty(),
                V2Use.UNASKED,
                new Access(Observed.unknown("they were not read")));
    }

    public RingState with(DataHashes read) {
        return new RingState(clusterId, members, alarms, Optional.of(read), version, v2, access);
    }

    public RingState with(EtcdVersion read) {
        return new RingState(clusterId, members, alarms, hashes, Optional.of(read), v2, access);
    }

    public RingState with(V2Use read) {
        return new RingState(clusterId, members, alarms, hashes, version, read, access);
    }

    public RingState withAuth(Observed<AuthState> read) {
        return withAccess(new Access(read));
    }

    public RingState withAccess(Access read) {
        return new RingState(clusterId, members, alarms, hashes, version, v2, read);
    }

    public Observed<AuthState> auth() {
        return access.users();
    }

    /// The alarms of one kind.
    public List<Alarm> alarms(Alarm.Kind kind) {
        return alarms.stream().filter(alarm -> alarm.kind() == kind).toList();
    }

    public List<MemberState> voters() {
        return members.stream().filter(m -> !m.learner()).toList();
    }

    public List<MemberState> learners() {
        return members.stream().filter(MemberState::learner).toList();
    }

    public SortedMap<Integer, MemberState> byOrdinal(ClusterRef ref) {
        var byOrdinal = new TreeMap<Integer, MemberState>();
        members.forEach(m -> m.ordinal(ref).ifPresent(o -> byOrdinal.put(o, m)));
        return byOrdinal;
    }

    public SortedSet<Integer> voterOrdinals(ClusterRef ref) {
        return ordinals(ref, false);
    }

    public SortedSet<Integer> learnerOrdinals(ClusterRef ref) {
        return ordinals(ref, true);
    }

    private SortedSet<Integer> ordinals(ClusterRef ref, boolean learner) {
        var ordinals = new TreeSet<Integer>();
        members.stream()
                .filter(m -> m.learner() == learner)
                .forEach(m -> m.ordinal(ref).ifPresent(ordinals::add));
        return ordinals;
    }

    /// The leader that every answering voter names; empty when they name none or disagree.
    public Optional<EtcdId> leader() {
        var named = voters().stream()
                .flatMap(m -> m.status().optional().stream())
                .map(MemberState.Status::leader)
                .distinct()
                .toList();
        return named.size() == 1 ? named.getFirst() : Optional.empty();
    }

    /// A figure of every member; empty where one does not answer.
    public Optional<LongSummaryStatistics> ofEach(ToLongFunction<MemberState.Status> figure) {
        return !members.isEmpty() && members.stream().allMatch(MemberState::answers)
                ? Optional.of(members.stream()
                        .flatMap(member -> member.status().optional().stream())
                        .collect(Collectors.summarizingLong(figure)))
                : Optional.empty();
    }
}
