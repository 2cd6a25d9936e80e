package io.github.etcdgitops.ring.adoption;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Foreign;
import io.github.etcdgitops.state.ForeignFlags;
import io.github.etcdgitops.state.ForeignMember;
import io.github.etcdgitops.state.ForeignVolume;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.member.MemberState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Checks whether a foreign ring can be taken over as it is, and whether the document describes what runs.
/// Each check gives a finding, whether it passes or not.
public final class AdoptionProof {
    private final EtcdClusterSpec spec;
    private final ClusterState state;
    private final Foreign foreign;
    private final List<Finding> findings = new ArrayList<>();

    private AdoptionProof(EtcdClusterSpec spec, ClusterState state, Foreign foreign) {
        this.spec = spec;
        this.state = state;
        this.foreign = foreign;
    }

    /// The adoption is proven where no finding is an error.
    public static List<Finding> of(EtcdClusterSpec spec, ClusterState state, Foreign foreign, RingState ring) {
        var proof = new AdoptionProof(spec, state, foreign);
        proof.workload();
        proof.names();
        proof.labels();
        proof.ring(ring);
        proof.versions(ring);
        var members = IntStream.range(0, foreign.set().replicas())
                .boxed()
                .flatMap(o -> ForeignMember.of(state, foreign, o).stream())
                .toList();
        members.forEach(proof::member);
        members.stream()
                .findFirst()
                .ifPresent(first -> proof.findings.addAll(
                        new AdoptionDifferences(spec, foreign, first.settings(), members).findings()));
        return List.copyOf(proof.findings);
    }

    private void workload() {
        var template = foreign.template();
        require(
                template.containers().size() == 1 && template.initContainers() == 0,
                "its pods have " + template.containers().size() + " containers and " + template.initContainers()
                        + " init containers. Only pods with one container, which runs etcd, can be adopted");
        template.containers().stream()
                .findFirst()
                .ifPresent(c -> require(
                        ForeignFlags.startsEtcd(c),
                        "its container does not start etcd directly. Settings behind a shell or a script cannot be"
                                + " known"));
        require(!Boolean.TRUE.equals(template.pod().get("hostNetwork")), "its pods use the host network");
        require(foreign.set().still(), "it is rolling, or its controller lags behind");
        for (int ordinal = 0; ordinal < foreign.set().replicas(); ordinal++) {
            var pod = foreign.pods().get(ordinal);
            require(
                    pod != null
                            && pod.controller()
                                    .filter(foreign.set().uid()::equals)
                                    .isPresent(),
                    "the pod " + state.ref().podName(ordinal) + " does not exist, or does not belong to the"
                            + " StatefulSet");
        }
        var revisions = foreign.pods().values().stream()
                .map(p -> p.state().revision())
                .distinct()
                .count();
        require(revisions <= 1, "its pods come from different templates");
    }

    /// Until its restart, a member is found by the name that the former Service gives it. That Service
    /// selects it by its labels.
    private void labels() {
        var becomes = new TreeMap<>(Map.of(
                "app.kubernetes.io/name",
                "etcd",
                "app.kubernetes.io/instance",
                state.ref().name()));
        foreign.pods()
                .values()
                .forEach(pod -> becomes.forEach((key, ours) -> {
                    String has = pod.labels().getOrDefault(key, ours);
                    require(
                            has.equals(ours),
                            pod.name() + " has the label " + key + "=" + has + ", and etcd-gitops would set it to "
                                    + ours + ". A Service that selects by this label would lose the member");
                }));
    }

    private void names() {
        foreign.taken()
                .forEach(name -> refuse(name + " exists and is not managed by etcd-gitops, and the ring needs an"
                        + " object of that name"));
    }

    private void ring(RingState ring) {
        var wanted = spec.declaration().adopt().orElseThrow().clusterId();
        if (ring.clusterId().toString().equals(wanted)) {
            same("the cluster ID is " + wanted);
        } else {
            refuse("/spec/adopt/clusterId is " + wanted + ", and the members report " + ring.clusterId());
        }
        RingHealth.problems(state, Set.of()).forEach(p -> refuse("the ring is not healthy: " + p));
        var learners = ring.members().stream().filter(MemberState::learner).toList();
        require(learners.isEmpty(), "a member of the ring is a learner");
        require(
                ring.byOrdinal(state.ref()).size() == ring.members().size()
                        && ring.members().size() == foreign.set().replicas(),
                "the ring has " + ring.members().size() + " members, and "
                        + ring.byOrdinal(state.ref()).size() + " of them answer from the "
                        + foreign.set().replicas() + " pods");
    }

    private void versions(RingState ring) {
        var versions = ring.members().stream()
                .flatMap(m -> m.status().optional().stream())
                .map(MemberState.Status::version)
                .distinct()
                .sorted()
                .toList();
        require(versions.size() <= 1, "its members run different versions: " + versions);
        versions.forEach(this::known);
        versions.forEach(running -> AdoptionDifferences.compare(
                        "/spec/version",
                        spec.server().version().toString(),
                        running.toString(),
                        "version: \"" + running + "\"")
                .forEach(findings::add));
    }

    private void known(EtcdVersion version) {
        require(spec.catalog().knows(version), "etcd " + version + " is not supported");
        spec.catalog().ban(version).ifPresent(ban -> refuse(ban.reason() + ". Upgrade it first"));
    }

    private void member(ForeignMember seen) {
        String pod = seen.pod().name();
        seen.settings().refused().forEach(why -> refuse(pod + ": " + why));
        seen.volume().refusal().ifPresent(why -> refuse(pod + ": " + why));
        seen.settings()
                .unknown()
                .forEach(flag -> error(
                        FindingCode.ADOPT_UNKNOWN,
                        pod + " was started with " + flag
                                + ", and the document has no field for it. The first restart would drop it."
                                + " Remove it from the StatefulSet first, or do not adopt the ring"));
        seen.member().ifPresent(member -> {
            boolean plain =
                    member.peerUrls().stream().allMatch(url -> url.startsWith("http://") && url.endsWith(":2380"));
            require(plain, pod + ": its peer URLs " + member.peerUrls() + " are not plain http on port 2380");
            seen.volume()
                    .directory()
                    .ifPresent(directory -> same(pod + " is member " + member.id() + " "
                            + member.peerUrls() + " with its data " + place(directory) + " "
                            + claim(seen.ordinal())));
        });
    }

    private static String place(String directory) {
        return directory.equals(ForeignVolume.ROOT) ? "at the root of" : "in " + directory + " of";
    }

    private String claim(int ordinal) {
        var claim = foreign.claims().get(ordinal);
        return claim == null ? "no claim" : "the claim " + claim.name() + " (" + claim.uid() + ")";
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            refuse(otherwise);
        }
    }

    private void refuse(String why) {
        error(FindingCode.ADOPT_REFUSED, why);
    }

    private void error(FindingCode code, String what) {
        findings.add(new Finding(Level.ERROR, code, what));
    }

    private void same(String what) {
        findings.add(new Finding(Level.NOTE, FindingCode.ADOPT_SAME, what));
    }
}
