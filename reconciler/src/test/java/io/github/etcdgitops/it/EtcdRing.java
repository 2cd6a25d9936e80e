package io.github.etcdgitops.it;

import static java.util.stream.Collectors.joining;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/// A ring of real etcd processes, founded together. Members that are to join later are prepared here as well, so that
/// their peer URLs are known before they are added.
public final class EtcdRing implements AutoCloseable {
    private final EtcdBinaries binaries;
    private final List<String> flags;
    private final List<EtcdProcess> members = new ArrayList<>();

    private EtcdRing(EtcdBinaries binaries, List<String> flags) {
        this.binaries = binaries;
        this.flags = List.copyOf(flags);
    }

    /// Starts a ring of so many voters and waits until each serves clients.
    public static EtcdRing start(EtcdBinaries binaries, int voters) {
        return start(binaries, voters, List.of());
    }

    /// The same with more flags for every member, also for those that join later.
    public static EtcdRing start(EtcdBinaries binaries, int voters, List<String> flags) {
        var ring = new EtcdRing(binaries, flags);
        try {
            IntStream.range(0, voters).forEach(_ -> ring.prepare());
            String founders = ring.initialCluster(ring.members);
            ring.members.forEach(member -> member.start(founders, "new"));
            ring.members.forEach(EtcdProcess::awaitReady);
            return ring;
        } catch (RuntimeException | Error e) {
            ring.close();
            throw e;
        }
    }

    /// One more member that is neither added nor started.
    public EtcdProcess prepare() {
        var member = new EtcdProcess(binaries, "m" + members.size(), flags);
        members.add(member);
        return member;
    }

    public EtcdProcess member(int index) {
        return members.get(index);
    }

    public List<EtcdProcess> members() {
        return List.copyOf(members);
    }

    /// First start of a member that was added by its peer URL. `listed` are all members of the list, itself included.
    public void join(EtcdProcess joining, List<EtcdProcess> listed) {
        joining.start(initialCluster(listed), "existing");
    }

    /// A start with data on the disk, where etcd looks at nothing else.
    public void restart(EtcdProcess member) {
        member.start(initialCluster(List.of(member)), "existing");
    }

    /// Waits for a state of this ring. If it does not come, the message has the end of each member's log.
    public void await(String what, Duration limit, BooleanSupplier condition) {
        try {
            EtcdProcess.await(what, limit, condition);
        } catch (AssertionError e) {
            throw new AssertionError(
                    members.stream().map(EtcdProcess::logEnd).collect(joining("\n", e.getMessage() + "\n", "")), e);
        }
    }

    public List<String> endpoints() {
        return members.stream()
                .filter(EtcdProcess::running)
                .map(EtcdProcess::endpoint)
                .toList();
    }

    @Override
    public void close() {
        members.forEach(EtcdProcess::close);
    }

    private String initialCluster(List<EtcdProcess> listed) {
        return listed.stream().map(m -> m.name() + "=" + m.peerUrl()).collect(joining(","));
    }
}
