package io.github.etcdgitops.plan.heal;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.membership.DivergenceFindings;
import io.github.etcdgitops.ring.repair.ReplacementSlot;
import io.github.etcdgitops.ring.repair.RestartMember;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Intent.Why;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What must be repaired in a ring of `members` before anything else.
public final class Healing {
    private final RingDamage damage;

    public Healing(EtcdClusterSpec spec, ClusterState state, int members, RingState ring, Instant now) {
        this.damage = new RingDamage(spec, state, members, ring, now);
    }

    /// First the members whose data differs, because no member may be copied from them. Then lost volumes,
    /// and then the volumes and members that documents give up. A ring of one has no member to copy from.
    public Optional<Repair> operation() {
        if (damage.members() == 1) {
            return Optional.empty();
        }
        var differing = new Odd(damage).repair();
        if (differing.isPresent()) {
            return differing;
        }
        var refused = damage.refusedStarts().operation();
        if (refused.isPresent()) {
            return Optional.of(new Repair(refused.get(), new TreeMap<>()));
        }
        var replaced = damage.requests().formers();
        var places = damage.places(damage.resets().claims(), Why.VOLUME_ASKED);
        replaced.forEach((ordinal, id) -> places.put(ordinal, damage.place(ordinal, Why.MEMBER_ASKED)));
        if (places.isEmpty()) {
            return unasked()
                    .or(() -> restart().map(restart -> new Repair(restart, new TreeMap<>())))
                    .or(() -> approved(damage.mode() == Repairs.Mode.OFF ? new TreeMap<>() : damage.lost()));
        }
        if (!damage.lately()) {
            damage.broken().forEach(places::putIfAbsent);
        }
        return Optional.of(damage.repair(places, damage.withFailing(replaced, places), Consent.BY_RISK));
    }

    /// Members that do not start, where a person decides. They come last, because other operations may be
    /// what helps them.
    public Optional<Repair> failing() {
        return approved(damage.members() > 1 ? damage.spent() : new TreeMap<>());
    }

    /// Another pod for a member that does not start, when its time has come.
    public Optional<RestartMember> restart() {
        return damage.escalation().restart();
    }

    /// A ring with a recent replacement gets no other one until a person has checked.
    private Optional<Repair> unasked() {
        var places = damage.broken();
        return places.isEmpty() || damage.lately()
                ? Optional.empty()
                : Optional.of(damage.repair(places, damage.withFailing(new TreeMap<>(), places), Consent.STANDING));
    }

    private Optional<Repair> approved(SortedMap<Integer, ReplacementSlot> places) {
        return places.isEmpty()
                ? Optional.empty()
                : Optional.of(damage.repair(places, damage.withFailing(new TreeMap<>(), places), Consent.NEEDED));
    }

    /// Whether the places of members removed by hand may get new ones.
    public boolean fills() {
        return damage.repairs().members() != Repairs.Mode.OFF;
    }

    /// New members for places whose members are no longer in the ring, and for lost volumes: etcd adds no
    /// member while one of the others is away, or while the data of one differs. An approval covers all of
    /// that.
    public Repair filling(SortedMap<Integer, EtcdId> missing) {
        var places = new TreeMap<Integer, ReplacementSlot>();
        missing.keySet().forEach(ordinal -> places.put(ordinal, damage.place(ordinal, Why.REMOVED_BY_HAND)));
        if (damage.mode() != Repairs.Mode.OFF) {
            damage.lost().forEach(places::putIfAbsent);
        }
        damage.spent().forEach(places::putIfAbsent);
        var replaced = new TreeMap<>(missing);
        damage.requests().formers().forEach((ordinal, id) -> {
            places.put(ordinal, damage.place(ordinal, Why.MEMBER_ASKED));
            replaced.put(ordinal, id);
        });
        damage.differences().formers().forEach((ordinal, id) -> {
            places.put(ordinal, damage.place(ordinal, Why.DIVERGED));
            replaced.put(ordinal, id);
        });
        return damage.repair(places, damage.withFailing(replaced, places), Consent.NEEDED);
    }

    public String said(SortedMap<Integer, EtcdId> missing) {
        var names = missing.entrySet().stream()
                .map(m -> damage.ref().podName(m.getKey()) + " (member " + m.getValue() + ")")
                .collect(Collectors.joining(", "));
        return "these members were removed from the ring by hand: " + names
                + (fills()
                        ? ". Approve the replacement, or add the member by hand"
                        : ". To have a replacement planned, set /spec/repair/members to manual or automatic");
    }

    /// A started replacement continues, whatever the spec now says about repairs: the ring lacks members.
    /// Damage to others since then is repaired with it.
    public Repair underWay(Intent.Replacement replacement, SortedMap<Integer, EtcdId> missing) {
        return new Continued(damage, replacement, missing).repair();
    }

    public List<Finding> findings() {
        var findings = new ArrayList<>(damage.differences().findings());
        findings.addAll(troubles());
        return findings;
    }

    /// Problems other than differing data.
    public List<Finding> troubles() {
        var findings = new ArrayList<Finding>(damage.refusedStarts().findings());
        damage.losses().values().forEach(loss -> findings.add(finding(loss.said())));
        if (damage.members() > 1) {
            findings.addAll(damage.escalation().findings());
            replacedLately().ifPresent(findings::add);
        }
        findings.addAll(damage.resets().findings());
        findings.addAll(damage.requests().findings());
        return findings;
    }

    private Optional<Finding> replacedLately() {
        boolean waits = !damage.broken().isEmpty() || damage.differences().consent() == Consent.STANDING;
        return waits ? damage.escalation().waits() : Optional.empty();
    }

    private Finding finding(String lost) {
        if (damage.members() == 1) {
            return new Finding(
                    Level.ERROR,
                    FindingCode.VOLUME_LOST,
                    lost + ", and the ring has no other member. The data is lost when the process ends. Take a"
                            + " backup now (kind: EtcdBackup), and restore from it");
        }
        return damage.mode() == Repairs.Mode.OFF
                ? new Finding(
                        Level.ERROR,
                        FindingCode.VOLUME_LOST,
                        lost + ". To have its member replaced, set /spec/repair/volumes to manual or automatic")
                : new Finding(Level.WARNING, FindingCode.VOLUME_LOST, lost);
    }

    public DivergenceFindings differences() {
        return damage.differences();
    }
}
