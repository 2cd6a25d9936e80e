package io.github.etcdgitops.plan;

import io.github.etcdgitops.plan.begin.StuckJoinFindings;
import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.adoption.SettleAdoption;
import io.github.etcdgitops.ring.roll.Exposure;
import io.github.etcdgitops.ring.roll.Rolls;
import io.github.etcdgitops.ring.roll.UpgradeVersion;
import io.github.etcdgitops.ring.scale.Resize;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.ring.scale.ScaleOut;
import io.github.etcdgitops.ring.storage.GrowStorage;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.TemplateParts;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.underway.JoinAttempts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// All changes that the documents ask for in a ring with no change under way, one after the other: volume
/// size, the members' configuration, transport, number of members, and version. Each starts with the ring
/// as the previous one leaves it.
final class Chain {
    private final EtcdClusterSpec spec;
    private final ClusterState state;
    private final Instant now;
    private final List<Finding> findings = new ArrayList<>();

    Chain(EtcdClusterSpec spec, ClusterState state, Instant now) {
        this.spec = spec;
        this.state = state;
        this.now = now;
    }

    /// What blocks some of the changes.
    List<Finding> findings() {
        return List.copyOf(findings);
    }

    List<Operation> from(int members, RingState ring, Rolls rolls) {
        var operations = new ArrayList<Operation>();
        var unsettled = state.kube().knownJournal().filter(Journal::unsettled);
        if (unsettled.isPresent()) {
            return afterAdoption(members, rolls, unsettled.get());
        }
        GrowStorage.detect(spec, state, members).ifPresent(operations::add);
        rolls.configuration(members).ifPresent(operations::add);
        operations.addAll(rolls.transports(members));
        operations.addAll(rolls.authorities(members));
        operations.addAll(sizeAndVersion(members, ring, rolls));
        findings.addAll(rolls.ofTransports());
        findings.addAll(rolls.findings());
        return onVolumes(operations);
    }

    /// All other changes are planned once the ring is completely ours.
    private List<Operation> afterAdoption(int members, Rolls rolls, Journal journal) {
        var operations = new ArrayList<Operation>();
        rolls.configuration(members).ifPresent(operations::add);
        findings.addAll(rolls.findings());
        findings.add(new Finding(
                Level.NOTE,
                FindingCode.ONE_AT_A_TIME,
                "the ring is being adopted. Everything else in the spec is planned after that"));
        boolean converted = state.kube()
                .knownSet()
                .filter(set -> !TemplateParts.parse(set.templateDigest()).foreign())
                .isPresent();
        if (converted || !operations.isEmpty()) {
            operations.add(
                    new SettleAdoption(spec.ref(), members, journal.applied().transport()));
        }
        return operations;
    }

    /// Members are added first and removed last: a larger ring tolerates more failed members while its
    /// members restart. But where only the wanted version has learners, the version comes first. TLS
    /// changes that need a newer version come last.
    private List<Operation> sizeAndVersion(int members, RingState ring, Rolls rolls) {
        var refusal = Resize.refusal(spec, members, ring);
        boolean grows = refusal.isEmpty() && spec.size() > members;
        var next = JoinAttempts.of(state).next(members, now);
        boolean sizeFirst = grows && next instanceof JoinAttempts.Next.Now;
        if (grows) {
            stuck(members, next).ifPresent(findings::add);
        }
        var resize = grows ? joins(members, ring, next, rolls) : Resize.chain(spec, members, ring, rolls.blueprint());
        var upgrades = rolls.versions(sizeFirst ? spec.size() : members);
        Exposure.finding(spec, state, upgrades).ifPresent(findings::add);
        if (refusal.isPresent() && UpgradeVersion.leadToLearners(upgrades)) {
            resize = Resize.withLearners(spec, members, rolls.blueprint());
        } else {
            refusal.ifPresent(r -> findings.add(new Finding(Level.ERROR, FindingCode.NO_LEARNERS, r)));
        }
        var operations = new ArrayList<Operation>(sizeFirst ? resize : upgrades);
        operations.addAll(sizeFirst ? upgrades : resize);
        operations.addAll(rolls.transports(resize.isEmpty() ? members : spec.size()));
        return operations;
    }

    /// A member that did not start blocks no other change: that change may be what it lacks.
    private List<Operation> joins(int members, RingState ring, JoinAttempts.Next next, Rolls rolls) {
        return switch (next) {
            case JoinAttempts.Next.Now _ -> Resize.chain(spec, members, ring, rolls.blueprint());
            case JoinAttempts.Next.Later _ -> List.of();
            case JoinAttempts.Next.Asked _ ->
                List.of(new ScaleOut(
                        spec.ref(), members, Resize.learners(ring), ScaleOut.Stage.ASKED, rolls.blueprint()));
        };
    }

    private Optional<Finding> stuck(int ordinal, JoinAttempts.Next next) {
        String pod = spec.ref().podName(ordinal);
        return switch (next) {
            case JoinAttempts.Next.Now _ -> Optional.empty();
            case JoinAttempts.Next.Later(int failed, var when) ->
                Optional.of(stuck(pod + " did not start when it joined, " + failed
                        + " times so far. The next attempt is at " + when));
            case JoinAttempts.Next.Asked(int failed) ->
                Optional.of(stuck(
                        pod + " did not start when it joined, " + failed + " times so far. Find the cause (kubectl"
                                + " -n " + spec.ref().namespace() + " describe pod " + pod
                                + ", and its node). Then approve the next attempt, or set /spec/size to " + ordinal));
        };
    }

    private static Finding stuck(String said) {
        return new Finding(Level.ERROR, FindingCode.JOIN_STUCK, said);
    }

    /// `stuck` says why the member will not start, where that is so.
    List<Operation> afterJoining(int ordinal, RingState ring, Optional<String> stuck) {
        var next = JoinAttempts.of(state).afterThis(ordinal, now);
        boolean again = next instanceof JoinAttempts.Next.Now;
        stuck.ifPresent(why -> findings.add(new Finding(
                Level.WARNING,
                FindingCode.JOIN_STUCK,
                why + (again ? ". The join starts again" : ". The join is cancelled"))));
        if (spec.size() > ordinal && stuck.isEmpty()) {
            return onVolumes(Resize.afterJoining(spec, ordinal, ring, like()));
        }
        var operations = new ArrayList<Operation>(List.of(ended(ordinal)));
        operations.addAll(stuck.isEmpty() || again ? Resize.chain(spec, ordinal, ring, like()) : List.of());
        return onVolumes(operations);
    }

    /// A started removal is completed first, whatever the spec wants now.
    List<Operation> afterLeaving(int ordinal, RingState ring, boolean stays) {
        var operations = new ArrayList<Operation>(stays ? List.of() : List.of(ended(ordinal)));
        operations.addAll(Resize.chain(spec, stays ? ordinal + 1 : ordinal, ring, like()));
        return onVolumes(operations);
    }

    private ScaleIn ended(int ordinal) {
        return ScaleIn.ending(spec.ref(), ordinal, JoinAttempts.hasCopy(state, ordinal));
    }

    private Blueprint like() {
        return Blueprint.like(spec, state.kube().appliedOr(spec.server()));
    }

    /// No member joins on a lost volume. Its claim is not ours to delete: it may be the only sign of the
    /// loss.
    List<Operation> onVolumes(List<Operation> wanted) {
        var feasible = new ArrayList<Operation>();
        for (var operation : wanted) {
            var lost = operation instanceof ScaleOut out
                    ? StuckJoinFindings.lostClaim(state, out.ordinal())
                    : StuckJoinFindings.NONE;
            if (lost.isPresent()) {
                findings.add(new Finding(Level.ERROR, FindingCode.CLAIM_LOST, lost.get()));
                break;
            }
            feasible.add(operation);
        }
        return feasible;
    }
}
