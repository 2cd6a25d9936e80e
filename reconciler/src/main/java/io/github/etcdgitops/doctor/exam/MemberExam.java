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
import java.util.Optional;
import java.util.SortedMap;

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
            var listed = kube.list();
            var meant = git.environment()
                    .optional()
                    .flatMap(name -> git.documents().optional().map(d -> Environments.rings(d, name)));
            var refs = meant.map(specs -> specs.stream()
                            .map(EtcdClusterSpec::ref)
                            .filter(ref -> listed.containsKey(ref))
                            .toList())
                    .orElseGet(() -> List.copyOf(listed.keySet()));
            var answers = answers(refs, listed);
            return new MemberFacts(
                    refs.stream().map(ref -> ring(ref, listed, answers)).toList(), meant.isEmpty());
        });
    }

    private Map<ClusterRef, List<Member>> answers(List<ClusterRef> refs, SortedMap<ClusterRef, KubeState> listed) {
        var pods = new ArrayList<Pod>();
        for (ClusterRef ref : refs) {
            var door = Door.clients(Optional.ofNullable(listed.get(ref))
                    .filter(KubeState::clientsSecured)
                    .isPresent());
            pods(ref, listed)
                    .optional()
                    .ifPresent(found -> found.forEach((ordinal, pod) -> pods.add(new Pod(ref, ordinal, pod, door))));
        }
        var members = Parallel.mapFromFew(
                pods, MEMBERS_AT_ONCE, pod -> new Member(pod.state().name(), ask(pod)));
        var byRing = new HashMap<ClusterRef, List<Member>>();
        for (int i = 0; i < pods.size(); i++) {
            byRing.computeIfAbsent(pods.get(i).ref(), _ -> new ArrayList<>()).add(members.get(i));
        }
        return byRing;
    }

    private static Observed<SortedMap<Integer, PodState>> pods(
            ClusterRef ref, SortedMap<ClusterRef, KubeState> listed) {
        var state = listed.get(ref);
        return state == null ? Observed.unknown("not listed") : state.pods();
    }

    private static Ring ring(
            ClusterRef ref, SortedMap<ClusterRef, KubeState> listed, Map<ClusterRef, List<Member>> answers) {
        return new Ring(ref, pods(ref, listed).map(_ -> answers.getOrDefault(ref, List.of())));
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
