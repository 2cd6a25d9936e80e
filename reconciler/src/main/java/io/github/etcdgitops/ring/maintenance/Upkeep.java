package io.github.etcdgitops.ring.maintenance;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.roll.RollMembers;
import io.github.etcdgitops.ring.storage.GrowStorage;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Maintenance;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.health.Space;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What the databases of a ring need while nothing is under way. Room goes before everything else, where
/// the ring is out of space. Defragmentation goes last, where much of a file is free.
public record Upkeep(EtcdClusterSpec spec, ClusterState state, RingState ring, Instant now, List<Finding> findings) {
    /// `wanted` with the operations that must come before it or may come after it. Adds findings to
    /// `findings`.
    public List<Operation> around(List<Operation> wanted) {
        var operations = new ArrayList<>(wanted);
        boolean raised = wanted.stream().anyMatch(operation -> raisesQuota(operation, state));
        room(raised).ifPresent(operations::addFirst);
        operations.addAll(smaller(operations.isEmpty()));
        return operations;
    }

    /// Whether the operation gives the members a larger quota, and the ring is healthy except that it is
    /// out of space.
    static boolean raisesQuota(Operation operation, ClusterState state) {
        return operation instanceof RollMembers members
                && Space.quota(members.roll().target().options())
                        > Space.quota(members.roll().former().options())
                && onlyOutOfSpace(state);
    }

    /// Whether the operation is allowed in a ring that is healthy except that it is out of space: what
    /// gives it room must not wait for room. Larger volumes touch no member, unless one must be restarted.
    public static boolean givesRoom(Operation operation, ClusterState state) {
        return raisesQuota(operation, state)
                || (operation instanceof GrowStorage growth && growth.restarts().none() && onlyOutOfSpace(state));
    }

    private static boolean onlyOutOfSpace(ClusterState state) {
        return RingHealth.problems(Space.ignored(state), Set.of()).isEmpty();
    }

    // --- out of space

    /// Members that are about to get a larger quota may have room then.
    public Optional<Operation> room(boolean raised) {
        if (ring.alarms(Alarm.Kind.NOSPACE).isEmpty()) {
            return Optional.empty();
        }
        var away = RingHealth.bearable(state);
        var otherwise = RingHealth.problems(Space.ignored(state), away).stream().findFirst();
        if (mode() == Repairs.Mode.OFF) {
            say(
                    Level.ERROR,
                    FindingCode.NO_SPACE,
                    full() + ". To have space freed, set /spec/repair/space to manual or automatic");
            return Optional.empty();
        }
        if (otherwise.isPresent()) {
            say(Level.ERROR, FindingCode.NO_SPACE, full() + ". Space is freed after this: " + otherwise.get());
            return Optional.empty();
        }
        if (raised) {
            say(Level.WARNING, FindingCode.NO_SPACE, full() + ". The members get the larger quota first");
            return Optional.empty();
        }
        say(Level.WARNING, FindingCode.NO_SPACE, full() + remedy());
        boolean asked = mode() == Repairs.Mode.MANUAL || !allTell();
        return Optional.of(new FreeSpace(
                spec.ref(),
                ring.clusterId(),
                ring.voters().size(),
                order().stream().filter(o -> !away.contains(o)).toList(),
                spec.declaration().handling().maintenance().keepRevisions(),
                asked));
    }

    private String full() {
        var fullest = Space.fullest(ring);
        return "the ring is out of space and accepts no writes (alarm NOSPACE)"
                + fullest.flatMap(m -> m.status().optional())
                        .map(status -> ": the database file of " + title(fullest.get()) + " has "
                                + Space.mebibytes(status.dbSize())
                                + (Space.tellsUse(status)
                                        ? ", " + Space.mebibytes(status.dbSizeInUse()) + " of it in use"
                                        : "")
                                + ", of a quota of " + Space.mebibytes(quota()))
                        .orElse("");
    }

    /// Where current data leaves no room, there may be none to gain: only compaction shows how much of it
    /// is history.
    private String remedy() {
        return crammed()
                ? ". Where compaction frees no space, delete keys and lower /spec/maintenance/keepRevisions, or"
                        + " raise /spec/etcd/quotaBackendBytes"
                : "";
    }

    public boolean crammed() {
        return Space.fullest(ring)
                .flatMap(m -> m.status().optional())
                .filter(s -> Space.tellsUse(s) && !Space.roomy(s.dbSizeInUse(), quota()))
                .isPresent();
    }

    // --- free space

    /// In a plan, only our own change comes before it, and it depends on the set of members. So it waits
    /// until nothing else is left to do.
    private List<Operation> smaller(boolean alone) {
        var when = spec.declaration().handling().maintenance().defragment();
        if (when.isEmpty() || !RingHealth.problems(state, Set.of()).isEmpty()) {
            return List.of();
        }
        if (!allTell()) {
            say(
                    Level.NOTE,
                    FindingCode.FREE_SPACE_UNKNOWN,
                    "etcd before 3.4 does not report how much of its file is free. No member is defragmented until"
                            + " the ring runs 3.4");
        }
        var due =
                new TreeSet<>(order().stream().filter(o -> worth(o, when.get())).toList());
        if (due.isEmpty()) {
            return List.of();
        }
        String names = String.join(", ", due.stream().map(spec.ref()::podName).toList());
        if (!alone) {
            say(Level.NOTE, FindingCode.DEFRAGMENT_WAITS, names + " will be defragmented when nothing else is due");
            return List.of();
        }
        if (!spec.declaration().handling().maintenance().openAt(now)) {
            say(
                    Level.NOTE,
                    FindingCode.DEFRAGMENT_WAITS,
                    names + " will be defragmented in the next of /spec/maintenance/windows");
            return List.of();
        }
        return order().stream()
                .filter(due::contains)
                .map(o -> operation(o, when.get()))
                .toList();
    }

    private Operation operation(int ordinal, Maintenance.Defragment when) {
        return new MaintainMember(
                spec.ref(), ordinal, member(ordinal).id(), ring.voters().size(), when);
    }

    private boolean worth(int ordinal, Maintenance.Defragment when) {
        return member(ordinal)
                .status()
                .optional()
                .filter(s -> Space.tellsUse(s) && when.worth(s.dbSize(), s.dbSizeInUse()))
                .isPresent();
    }

    /// The voters, with the leader last.
    private List<Integer> order() {
        var order = new ArrayList<>(ring.voterOrdinals(spec.ref()));
        order.sort(Comparator.comparing((Integer o) -> leads(o)).thenComparing(o -> o));
        return Collections.unmodifiableList(order);
    }

    private boolean leads(int ordinal) {
        Optional<EtcdId> leader = ring.leader();
        return leader.filter(member(ordinal).id()::equals).isPresent();
    }

    private boolean allTell() {
        return ring.voters().stream()
                .flatMap(m -> m.status().optional().stream())
                .allMatch(Space::tellsUse);
    }

    private MemberState member(int ordinal) {
        return Objects.requireNonNull(ring.byOrdinal(spec.ref()).get(ordinal));
    }

    private String title(MemberState member) {
        return member.ordinal(spec.ref()).map(spec.ref()::podName).orElseGet(() -> "member " + member.id());
    }

    private long quota() {
        return Space.quota(state.kube().appliedOr(spec.server()).options());
    }

    private Repairs.Mode mode() {
        return spec.declaration().handling().maintenance().space();
    }

    private void say(Level level, FindingCode code, String message) {
        findings.add(new Finding(level, code, message));
    }
}
