package io.github.etcdgitops.execute.membership;

import io.github.etcdgitops.execute.PodStartWait;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.tls.Mounts;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.underway.NextPod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Adds a member. Its file lets it start on an empty disk only until it has joined: it is sealed before it
/// may vote.
public final class JoinSteps {
    /// The number of restarts after which the step stops waiting: some minutes, as the kubelet waits longer
    /// and longer between them.
    private static final int HOPELESS = 5;

    private final StepContext context;
    private final Traffic traffic;

    public JoinSteps(StepContext context) {
        this.context = context;
        this.traffic = new Traffic(context);
    }

    public Optional<String> isMember(int ordinal) {
        return context.member(ordinal).map(m -> (m.learner() ? "learner " : "voter ") + m.id());
    }

    public StepResult add(int ordinal, boolean learner, Duration deadline) {
        String peerUrl =
                configured(ordinal).transport().peerUrls(context.ref(), ordinal).getFirst();
        var attempts = new AtomicInteger();
        return context.retry(
                deadline,
                () -> context.member(ordinal).isPresent(),
                () -> context.calls().throughLeaderOrOthers(attempts.incrementAndGet(), (etcd, route) -> {
                    var id = learner
                            ? etcd.addLearner(route, peerUrl, StepContext.CALL)
                            : etcd.addVoter(route, peerUrl, StepContext.CALL);
                    context.refresh();
                    if (context.member(ordinal).filter(m -> m.id().equals(id)).isEmpty()) {
                        throw new GatewayException(
                                GatewayException.Kind.REJECTED, true, "the new member is not in the member list yet");
                    }
                }));
    }

    /// A member that has started no longer needs the list of members in its file, which may have changed since.
    Optional<String> joinConfigWritten(int ordinal) {
        var config = context.config(ordinal);
        return config.filter(c -> c.equals(joining(ordinal)) || sealedAs(c, ordinal) || joinedWith(c, ordinal))
                .map(c -> c.sealed() ? "already sealed" : "written");
    }

    private boolean joinedWith(MemberConfig config, int ordinal) {
        return config instanceof MemberConfig.Joining
                && config.incarnation().equals(context.incarnation(ordinal))
                && started(ordinal);
    }

    StepResult writeJoinConfig(int ordinal) {
        context.kube().writeMemberConfig(objects(ordinal), ordinal, Optional.of(joining(ordinal)));
        // A pod that existed before still has the former file mounted.
        new Mounts(context).renew(ordinal, "joining-" + context.incarnation(ordinal));
        return new StepResult.Done("written");
    }

    private RingObjects objects(int ordinal) {
        return context.objects(configured(ordinal));
    }

    /// Matches the template that its pod has during a roll.
    private MemberSettings configured(int ordinal) {
        return context.statefulSet()
                .map(set -> new NextPod(set, context.journal()).configuration(ordinal))
                .orElseGet(() -> context.journal().applied());
    }

    private MemberConfig joining(int ordinal) {
        var peers = new TreeMap<Integer, String>();
        context.state()
                .ring()
                .optional()
                .orElseThrow()
                .byOrdinal(context.ref())
                .forEach((o, member) -> peers.put(o, String.join(",", member.peerUrls())));
        return new MemberConfig.Joining(context.incarnation(ordinal), peers);
    }

    StepResult awaitStarted(int ordinal, Duration deadline) {
        String name = context.ref().podName(ordinal);
        var missing = new PodStartWait(context, List.of(ordinal)).await(deadline, () -> {
            noteClaim(ordinal);
            traffic.keepAwayUntilItVotes(ordinal);
            return started(ordinal) || restarts(ordinal) >= HOPELESS
                    ? Optional.empty()
                    : Optional.of(name + " has not started: " + reason(ordinal));
        });
        if (missing.isPresent()) {
            return new StepResult.Failed(missing.get());
        }
        return started(ordinal)
                ? new StepResult.Done("started")
                : new StepResult.Failed(name + " does not start. Its container was restarted " + restarts(ordinal)
                        + " times. The next run starts the join again");
    }

    /// By its UID: if the join is cancelled, this claim is deleted, and no other one of its name.
    private void noteClaim(int ordinal) {
        var tries = context.journal().past().tries();
        var seen = context.claim(ordinal)
                .map(claim -> tries.seen(ordinal, claim.uid()))
                .orElse(tries);
        if (!seen.equals(tries)) {
            context.journal(journal -> journal.withTries(seen));
        }
    }

    private boolean started(int ordinal) {
        return context.member(ordinal).filter(m -> m.started() && m.answers()).isPresent();
    }

    private int restarts(int ordinal) {
        return context.pod(ordinal).map(KubeState.PodState::restarts).orElse(0);
    }

    private String reason(int ordinal) {
        return context.member(ordinal)
                .map(m -> m.status().unknownReason().orElse("it has not joined yet"))
                .orElse("it is not in the member list");
    }

    Optional<String> sealed(int ordinal) {
        boolean journalled = Optional.ofNullable(context.journal().members().get(ordinal))
                .flatMap(Journal.Member::id)
                .isPresent();
        return context.config(ordinal)
                .filter(c -> journalled && c instanceof MemberConfig.Sealed && sealedAs(c, ordinal))
                .map(_ -> "sealed");
    }

    /// The same step journals the member's ID and claim, so that every sealed member is also known.
    StepResult seal(int ordinal) {
        var member = context.member(ordinal);
        if (member.isEmpty()) {
            return new StepResult.Held(context.ref().podName(ordinal) + " is not in the member list");
        }
        var sealed = new MemberConfig.Sealed(context.incarnation(ordinal));
        context.kube().writeMemberConfig(objects(ordinal), ordinal, Optional.of(sealed));
        context.journal(journal -> journal.withMember(
                ordinal,
                new Journal.Member(
                        sealed.incarnation(),
                        member.map(MemberState::id),
                        context.claim(ordinal).map(KubeState.ClaimState::uid))));
        new Mounts(context).renew(ordinal, "sealed-" + sealed.incarnation());
        context.claim(ordinal)
                .filter(KubeState.ClaimState::released)
                .ifPresent(c -> context.kube().markClaim(context.ref(), c.name(), c.uid(), Optional.empty()));
        return new StepResult.Done("sealed");
    }

    public Optional<String> votes(int ordinal) {
        return context.member(ordinal).filter(m -> !m.learner()).map(_ -> "votes");
    }

    /// etcd promotes a learner that caught up once and is dead by now. The ring then needs a voter that
    /// does not run.
    private void requireAlive(int ordinal) {
        if (context.member(ordinal).filter(MemberState::answers).isEmpty()) {
            throw new GatewayException(
                    GatewayException.Kind.REJECTED, false, context.ref().podName(ordinal) + " does not answer");
        }
    }

    public StepResult promote(int ordinal, Duration deadline) {
        if (sealed(ordinal).isEmpty()) {
            return new StepResult.Held(context.ref().podName(ordinal) + " is not sealed");
        }
        var id = context.member(ordinal).map(MemberState::id);
        if (id.isEmpty()) {
            return new StepResult.Held(context.ref().podName(ordinal) + " is not in the member list");
        }
        return context.retry(
                deadline,
                () -> votes(ordinal).isPresent(),
                () -> context.calls().throughLeader((etcd, route) -> {
                    requireAlive(ordinal);
                    if (!etcd.promote(route, id.get(), StepContext.CALL)) {
                        throw new GatewayException(
                                GatewayException.Kind.REJECTED, false, "the learner has not caught up yet");
                    }
                }));
    }

    Optional<String> admitted(int ordinal) {
        return context.pod(ordinal).filter(KubeState.PodState::serves).map(_ -> "it serves clients");
    }

    StepResult admit(int ordinal) {
        return traffic.admit(ordinal);
    }

    StepResult awaitGreen(Duration deadline) {
        return context.until(
                deadline,
                () -> RingHealth.problems(context.state(), Set.of()).stream().findFirst(),
                () -> "every member is healthy");
    }

    private boolean sealedAs(MemberConfig config, int ordinal) {
        return config.sealed() && config.incarnation().equals(context.incarnation(ordinal));
    }
}
