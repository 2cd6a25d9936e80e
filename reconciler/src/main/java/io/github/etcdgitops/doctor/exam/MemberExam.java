package io.github.etcdgitops.doctor.exam;

import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.GitFacts;
import io.github.etcdgitops.doctor.fact.MemberFacts;
import io.github.etcdgitops.doctor.fact.MemberFacts.Answer;
import io.github.etcdgitops.doctor.fact.MemberFacts.Member;
import io.github.etcdgitops.doctor.fact.MemberFacts.Ring;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.pipeline.environment.Parallel;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.PodState;
import io.github.etcdgitops.state.value.Observed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Asks every member of every ring for its status, over the same route as a run.
public final class MemberExam {
    private static final int MEMBERS_AT_ONCE = 64;
    private static final Duration DEADLINE = Duration.ofSeconds(4);

    private final KubernetesGateway kube;
    private final EtcdGateway etcd;
    private final MemberAccess access;

    public MemberExam(KubernetesGateway kube, EtcdGateway etcd, MemberAccess access) {
        this.kube = kube;
        this.etcd = etcd;
        this.access = access;
    }

    private record Pod(ClusterRef ref, int ordinal, PodState state, Door door) {}

    /// Rings of one environment; every existing ring, where the documents could not be read.
    public Fact<MemberFacts> look(GitFacts git) {
        return Asking.of(() -> {
            var listed = kube.list(_ -> true);
            var meant = git.environment()
                    .optional()
                    .flatMap(name -> git.documents().optional().map(d -> Environments.rings(d, name)));
            var refs = meant.map(specs -> specs.stream()
                            .map(EtcdClusterSpec::ref)
                            .filter(ref -> listed.refs().contains(ref))
                            .toList())
                    .orElseGet(() -> List.copyOf(listed.refs()));
            var seen = new TreeMap<ClusterRef, Seen>();
            refs.forEach(ref -> seen.put(ref, Seen.of(listed.state(ref))));
            var answers = answers(seen);
            return new MemberFacts(
                    refs.stream().map(ref -> ring(ref, seen, answers)).toList(), meant.isEmpty());
        });
    }

    /// What is kept of a ring's listed state.
    private record Seen(Observed<SortedMap<Integer, PodState>> pods, Door door) {
        static Seen of(Optional<KubeState> listed) {
            return new Seen(
                    listed.map(KubeState::pods).orElseGet(() -> Observed.unknown("not listed")),
                    Door.clients(listed.filter(KubeState::clientsSecured).isPresent()));
        }
    }

    private Map<ClusterRef, List<Member>> answers(SortedMap<ClusterRef, Seen> seen) {
        var pods = new ArrayList<Pod>();
        seen.forEach((ref, ring) -> ring.pods()
                .optional()
                .ifPresent(
                        found -> found.forEach((ordinal, pod) -> pods.add(new Pod(ref, ordinal, pod, ring.door())))));
        var members = Parallel.mapFromFew(
                pods, MEMBERS_AT_ONCE, pod -> new Member(pod.state().name(), ask(pod)));
        var byRing = new HashMap<ClusterRef, List<Member>>();
        for (int i = 0; i < pods.size(); i++) {
            byRing.computeIfAbsent(pods.get(i).ref(), _ -> new ArrayList<>()).add(members.get(i));
        }
        return byRing;
    }

    private static Ring ring(ClusterRef ref, SortedMap<ClusterRef, Seen> seen, Map<ClusterRef, List<Member>> answers) {
        return new Ring(
                ref, Objects.requireNonNull(seen.get(ref)).pods().map(_ -> answers.getOrDefault(ref, List.of())));
    }

    /// Tries twice before a member counts as not answering: the first call of a process loads half a client
    /// library, for which a slow machine needs longer than the deadline. A run also checks again before it
    /// concludes anything.
    private Observed<Answer> ask(Pod pod) {
        var first = askOnce(pod);
        return first.optional().isPresent() ? first : askOnce(pod);
    }

    private Observed<Answer> askOnce(Pod pod) {
        var ip = pod.state().ip();
        if (ip.isEmpty()) {
            return Observed.unknown("its pod has no address yet");
        }
        try (var route = access.open(pod.ref(), pod.ordinal(), ip.get(), pod.door())) {
            var view = etcd.probe(route, DEADLINE);
            return Observed.known(new Answer(
                    route.way(),
                    view.status().version().toString(),
                    !view.members().isEmpty()));
        } catch (GatewayException e) {
            return Observed.unknown(String.valueOf(e.getMessage()));
        }
    }
}
