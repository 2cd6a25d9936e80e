package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.ApiCall;
import io.github.etcdgitops.gateway.kube.api.ApiCall.Verb;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.InspectionManifest;
import io.github.etcdgitops.gateway.kube.manifest.RestoreJobManifest;
import io.github.etcdgitops.gateway.kube.manifest.RoomManifest;
import io.github.etcdgitops.gateway.kube.manifest.StatefulSetManifest;
import io.github.etcdgitops.gateway.kube.manifest.V2KeysManifest;
import io.github.etcdgitops.gateway.kube.read.RestorePhases;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// [RestoreJobs] on a real API server; the caller owns the connection.
public final class Fabric8RestoreJobs implements RestoreJobs {
    private static final int PAGE = 500;

    /// A Job creates one pod at a time, and a few more where one fails.
    private static final int MOST_PODS = 100;

    private final KubeApi own;
    private final RingApis apis;

    public Fabric8RestoreJobs(KubeConnection connection) {
        this.own = connection.own();
        this.apis = connection.rings();
    }

    @Override
    public void createClaim(RingObjects wanted, int ordinal) {
        var ref = wanted.spec().ref();
        apis.of(ref)
                .create(
                        ObjectKind.CLAIM,
                        ref.namespace(),
                        StatefulSetManifest.claim(
                                ref, ref.claimName(ordinal), wanted.spec().storage()));
    }

    @Override
    public Optional<String> create(RestoreJob job) {
        var version = job.ring().applied().version();
        if (job.bumpRevision().isPresent() && !version.hasRevisionBump()) {
            throw new GatewayException(
                    Kind.REJECTED,
                    false,
                    "etcd " + version + " cannot raise the revision of what it restores; 3.4.27, 3.5.10 and all of 3.6"
                            + " can. Leave bumpRevision out, or restore with a newer version");
        }
        boolean wants = RestoreJobManifest.wantsEphemeral(job);
        boolean ephemeral = wants && own.traits().hasEphemeralVolumes();
        apis.of(job.ring().spec().ref()).create(ObjectKind.JOB, job.namespace(), RestoreJobManifest.of(job, ephemeral));
        return wants && !ephemeral
                ? Optional.of("Kubernetes before 1.23 has no ephemeral volumes: the drill uses the node's own disk"
                        + " instead of the storage class")
                : Optional.empty();
    }

    @Override
    public void inspect(InspectionJob job) {
        apis.of(job.ring().spec().ref()).create(ObjectKind.JOB, job.namespace(), InspectionManifest.of(job));
    }

    @Override
    public void measure(RoomJob job) {
        apis.of(job.ring().spec().ref()).create(ObjectKind.JOB, job.namespace(), RoomManifest.of(job));
    }

    @Override
    public void findV2Keys(V2KeysJob job) {
        apis.of(job.ring().spec().ref()).create(ObjectKind.JOB, job.namespace(), V2KeysManifest.of(job));
    }

    @Override
    public Optional<State> read(ClusterRef ref, String namespace, String name) {
        KubeApi api = apis.of(ref);
        Optional<ObjectNode> found = api.get(ObjectKind.JOB, namespace, name);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode job = found.get();
        if (!name.equals(Tree.labels(job).get(Labels.JOB))) {
            throw ApiCall.of(Verb.GET, ObjectKind.JOB, namespace, name)
                    .failed(Kind.REJECTED, "it does not have the labels of etcd-gitops, and is not managed by it");
        }
        Optional<ObjectNode> pod = newest(pods(api, namespace, name), Tree.uid(job));
        return Optional.of(new State(
                Tree.uid(job),
                Tree.annotation(job, Labels.INCARNATION).orElse(""),
                Tree.annotation(job, Labels.SHA256)
                        .or(() -> Tree.annotation(job, Labels.SEEN))
                        .orElse(""),
                Tree.annotation(job, Labels.OPERATION).orElse(""),
                pod.map(Fabric8RestoreJobs::state),
                RestorePhases.of(job, pod)));
    }

    private static PodState state(ObjectNode pod) {
        return new PodState(
                Tree.name(pod), Tree.uid(pod), pod.path("status").path("podIP").asText());
    }

    /// A pod that is being deleted counts only where there is no other.
    private static Optional<ObjectNode> newest(List<ObjectNode> pods, String job) {
        return pods.stream()
                .filter(pod -> owner(pod).equals(job))
                .max(Comparator.<ObjectNode, Boolean>comparing(pod -> !Tree.terminating(pod))
                        .thenComparing(pod ->
                                pod.path("metadata").path("creationTimestamp").asText())
                        .thenComparing(Tree::name));
    }

    private static String owner(JsonNode pod) {
        for (JsonNode owner : pod.path("metadata").path("ownerReferences")) {
            if (owner.path("kind").asText().equals(ObjectKind.JOB.kind())) {
                return owner.path("uid").asText();
            }
        }
        return "";
    }

    /// A LIST without a resourceVersion is answered from the store, like a GET.
    private static List<ObjectNode> pods(KubeApi api, String namespace, String job) {
        var pods = new ArrayList<ObjectNode>();
        String token = "";
        do {
            var query = new KubeApi.Query(ObjectKind.POD, namespace, Labels.JOB + "=" + job, PAGE, false);
            token = api.page(query, token, (pod, _) -> {
                        if (pods.size() == MOST_PODS) {
                            throw new GatewayException(
                                    GatewayException.Kind.REJECTED,
                                    false,
                                    "more than " + MOST_PODS + " pods carry the label " + Labels.JOB + "=" + job
                                            + " in " + namespace + ". Delete those that the Job has not created");
                        }
                        pods.add(pod);
                    })
                    .token();
        } while (!token.isEmpty());
        return pods;
    }

    @Override
    public void delete(ClusterRef ref, String namespace, String name, String uid) {
        apis.of(ref).delete(ObjectKind.JOB, namespace, name, uid);
    }

    @Override
    public boolean gone(ClusterRef ref, String namespace, String name) {
        KubeApi api = apis.of(ref);
        return api.get(ObjectKind.JOB, namespace, name).isEmpty()
                && pods(api, namespace, name).isEmpty();
    }

    @Override
    public Optional<String> imageOf(String namespace, String pod) {
        return own.get(ObjectKind.POD, namespace, pod).flatMap(Fabric8RestoreJobs::ownImage);
    }

    private static Optional<String> ownImage(ObjectNode pod) {
        JsonNode containers = pod.path("spec").path("containers");
        for (JsonNode container : containers) {
            if (containers.size() == 1 || container.path("name").asText().equals(Labels.MANAGER)) {
                return Optional.of(container.path("image").asText()).filter(image -> !image.isEmpty());
            }
        }
        return Optional.empty();
    }
}
