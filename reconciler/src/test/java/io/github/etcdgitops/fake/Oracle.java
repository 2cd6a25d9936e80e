package io.github.etcdgitops.fake;

import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.underway.Recovery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Watches what must never happen: a client writes all the time and remembers what was acknowledged;
/// every act of the code under test is looked at before and after.
///
/// Blames only what could have been known: harm that a fault did which the code has not had the chance
/// to see goes to `mishaps`.
public final class Oracle {
    /// What must never happen.
    public enum Harm {
        /// The ring had quorum, and one act took it away.
        QUORUM_LOST_BY_US,
        /// A voter was taken down while another one was down.
        TWO_DOWN_BY_US,
        /// A voter came back under its old id with an empty disk.
        AMNESIA,
        LOST_WRITE,
        FOREIGN_TOUCHED,
        UNKNOWN_ACTED_UPON,
        /// While data differs, whoever has the right data was given up, or the alarm was.
        TRUTH_GIVEN_UP,
        /// Two voters run, and one of them finds the other at none of the URLs listed for it.
        SEPARATED,
        /// A volume that somebody could have come back for was deleted.
        DATA_GONE
    }

    public record Breach(Harm harm, long tick, String what) {
        @Override
        public String toString() {
            return harm + " at " + tick + ": " + what;
        }
    }

    private final FakeWorld world;
    private final List<Breach> breaches = new ArrayList<>();
    private final List<Breach> mishaps = new ArrayList<>();
    private long lostWrites;

    Oracle(FakeWorld world) {
        this.world = world;
    }

    public List<Breach> breaches() {
        return List.copyOf(breaches);
    }

    public List<Breach> mishaps() {
        return List.copyOf(mishaps);
    }

    void breach(Harm harm, FakeRing ring, String what) {
        breaches.add(new Breach(harm, world.ticks(), ring.ref + ": " + what));
    }

    void lost(FakeRing ring, long entries, String why) {
        lostWrites += entries;
        breach(Harm.LOST_WRITE, ring, entries + " acknowledged writes, " + why);
    }

    /// Acknowledged writes that were lost, or that no voter's disk holds any more.
    long lostWrites() {
        long lost = lostWrites;
        for (var ring : world.rings()) {
            if (ring.current != null && ring.current.acknowledged > 0) {
                long held = ring.current.voters().stream()
                        .mapToLong(FakeMember::log)
                        .max()
                        .orElse(0);
                lost += Math.max(0, ring.current.acknowledged - held);
            }
        }
        return lost;
    }

    /// Members that are reached one way only count as reached: etcd tries all URLs in turn.
    void separation(FakeRing ring) {
        for (var cluster : ring.clusters.values()) {
            for (var one : cluster.voters()) {
                if (one.running
                        && !one.transport.peer().plain()
                        && !world.secrets().taken(ring.ref, one.trusts)) {
                    breach(Harm.SEPARATED, ring, one.name + " trusts in no CA of the certificates that are shown");
                }
                for (var other : cluster.voters()) {
                    if (one != other && one.running && other.running && !one.finds(other)) {
                        breach(
                                Harm.SEPARATED,
                                ring,
                                one.name + " (" + one.transport.describe() + ") does not find " + other.name + " at "
                                        + other.peerUrls);
                    }
                }
            }
        }
    }

    /// The client writes once, if the ring has let clients in and takes writes.
    void write(FakeRing ring) {
        var cluster = ring == null ? null : ring.current;
        if (cluster != null
                && cluster.leads()
                && cluster.alarms.isEmpty()
                && ring.objects.containsKey(ManagedObject.CLIENT_SERVICE)) {
            cluster.acknowledged = cluster.append();
        }
    }

    /// Does what the code under test asked for and looks at what it cost.
    <T> T ours(FakeRing ring, String what, Supplier<T> act) {
        var cluster = ring.current;
        if (cluster == null) {
            return act.get();
        }
        boolean seen = ring.sight.unseenFaults.isEmpty() && ring.sight.unseenEvictions.isEmpty();
        boolean quorum = cluster.quorumUp();
        var up = cluster.voters().stream().filter(FakeMember::up).toList();
        var down = cluster.down();
        T result = act.get();
        // A ring of two has no quorum while one of its pods is recreated, and its plan says so. It has none to lose
        // while its other pod does not start.
        boolean excused = cluster.voters().size() <= 2 && what.startsWith("delete pod");
        if (quorum && !cluster.quorumUp() && !excused) {
            blame(Harm.QUORUM_LOST_BY_US, ring, what, seen);
        }
        var taken = up.stream().filter(m -> stillDown(cluster, m)).toList();
        taken.forEach(m -> m.downByUs = true);
        if (!taken.isEmpty() && (quorum || !excused) && down.stream().anyMatch(m -> stillDown(cluster, m))) {
            blame(Harm.TWO_DOWN_BY_US, ring, what, seen);
        }
        return result;
    }

    /// Called before a member is removed, or an alarm about differing data taken back, with who is removed.
    void needsTruth(FakeRing ring, String what, Optional<FakeMember> removed) {
        boolean differs =
                ring.current != null && ring.current.voters().stream().anyMatch(m -> m.dir != null && m.dir.corrupt);
        // Whoever does not vote has what it got from one that does.
        if (differs
                && removed.filter(m -> m.dir == null || m.dir.corrupt || !m.voter() || outvoted(ring.current, m))
                        .isEmpty()) {
            blame(Harm.TRUTH_GIVEN_UP, ring, what + " while a voter has other data", ring.sight.unseenFaults.isEmpty());
        }
    }

    /// Whether it does not run, and most voters that do have the right data without it.
    private static boolean outvoted(FakeCluster cluster, FakeMember down) {
        long right = cluster.voters().stream()
                .filter(m -> m.up() && m.dir != null && !m.dir.corrupt)
                .count();
        return !down.up() && right * 2 > cluster.voters().size();
    }

    /// All members go at once by us: only of a ring that is deleted, whose clients were led away before, or
    /// that makes room, which it does for want of a quorum or because a document asks for it.
    void ends(FakeRing ring, Runnable act) {
        boolean deleted = ring.journal != null && ring.journal.journal().isUnderWay(Intent.Kind.DELETE);
        boolean madeRoom = ring.journal != null
                && ring.journal
                        .journal()
                        .intent()
                        .flatMap(Intent::recovery)
                        .filter(origin -> !Recovery.is(origin.request()) || !ring.quorumUp())
                        .isPresent();
        boolean unfounded = ring.journal != null
                && ring.journal.journal().isUnderWay(Intent.Kind.FOUND)
                && !ring.journal.journal().founded()
                && !ring.objects.containsKey(ManagedObject.CLIENT_SERVICE);
        if (!unfounded && !madeRoom && (!deleted || ring.objects.containsKey(ManagedObject.CLIENT_SERVICE))) {
            breach(Harm.QUORUM_LOST_BY_US, ring, "all members were ended");
        }
        act.run();
    }

    /// A claim of a ring that was deleted goes only where nobody could have it, and where the journal says
    /// beforehand that it goes.
    void purges(FakeRing ring, String claim) {
        var remains = Optional.ofNullable(ring.journal).flatMap(j -> j.journal().remains());
        if (remains.isEmpty()) {
            return;
        }
        boolean told = remains.get().volumes() == RetainedRing.Volumes.GOING
                && ring.journal.journal().isUnderWay(Intent.Kind.DELETE);
        if (!told || ring.statefulSet != null || !ring.pods.isEmpty() || !ring.strangers.isEmpty()) {
            breach(Harm.DATA_GONE, ring, "the claim " + claim + " of a ring that could come back was deleted");
        }
    }

    /// An eviction that the budget allowed: the budget is ours, unless somebody else set it.
    void evicted(FakeRing ring, int ordinal, Runnable act) {
        var cluster = ring.current;
        boolean seen = ring.sight.unseenFaults.isEmpty();
        boolean quorum = ring.quorumUp();
        boolean downByUs = cluster != null && cluster.down().stream().anyMatch(m -> m.downByUs);
        boolean voterUp = cluster != null
                && cluster.byOrdinal(ordinal).filter(m -> m.voter() && m.up()).isPresent();
        boolean alone = cluster != null && cluster.voters().size() == 1;
        act.run();
        if (ring.budgetByHand) {
            return;
        }
        // A ring of one may be evicted on purpose: otherwise no machine that has one could be emptied.
        if (quorum && !alone && !ring.quorumUp()) {
            blame(Harm.QUORUM_LOST_BY_US, ring, "the budget let an eviction take the quorum", seen);
        }
        if (downByUs && voterUp) {
            blame(Harm.TWO_DOWN_BY_US, ring, "the budget let an eviction join in", seen);
        }
    }

    /// Called before an act that needs to know the API's side of the ring.
    void needsObjects(FakeRing ring, String what) {
        if (ring.sight.blind) {
            breach(Harm.UNKNOWN_ACTED_UPON, ring, what + " although objects could not be read");
        }
        // Whoever takes a ring over has kept its manifest before.
        boolean kept =
                ring.statefulSet != null && ring.statefulSet.manifest().equals(ring.kept) && ring.journal != null;
        if (ring.statefulSet != null && !ring.statefulSet.ours && !kept) {
            breach(Harm.FOREIGN_TOUCHED, ring, what + " although the StatefulSet is not ours");
        }
    }

    /// Called before an act on membership or on a running member. A failed probe of a member whose pod
    /// was seen ready says nothing about the member.
    void needsMembers(FakeRing ring, String what, int about) {
        needsObjects(ring, what);
        for (int ordinal : ring.sight.failedProbes) {
            if (ordinal != about && ring.sight.readyPods.contains(ordinal)) {
                breach(Harm.UNKNOWN_ACTED_UPON, ring, what + " although nobody knows about member " + ordinal);
            }
        }
    }

    private void blame(Harm harm, FakeRing ring, String what, boolean seen) {
        var breach = new Breach(harm, world.ticks(), ring.ref + ": " + what);
        (seen ? breaches : mishaps).add(breach);
    }

    private static boolean stillDown(FakeCluster cluster, FakeMember member) {
        return cluster.members.containsKey(member.id) && member.voter() && !member.up();
    }
}
