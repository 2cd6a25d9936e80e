package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.RingVolumes;
import io.github.etcdgitops.gateway.kube.api.ApiCall;
import io.github.etcdgitops.gateway.kube.api.ApiCall.Verb;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.StatefulSetManifest;
import io.github.etcdgitops.gateway.kube.read.ClaimUsers;
import io.github.etcdgitops.gateway.kube.read.ForeignObjectReads;
import io.github.etcdgitops.gateway.kube.read.VolumeStates;
import io.github.etcdgitops.gateway.kube.write.WriteGuard;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Quantity;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.Intent;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// [RingVolumes] on a real API server; the caller owns the connection.
public final class Fabric8RingVolumes implements RingVolumes {
    private static final int ATTEMPTS = 5;

    private final KubeApi own;
    private final RingApis apis;

    public Fabric8RingVolumes(KubeConnection connection) {
        this.own = connection.own();
        this.apis = connection.rings();
    }

    @Override
    public Expansion expansion(String storageClass) {
        try {
            return own.get(ObjectKind.STORAGE_CLASS, "", storageClass)
                    .map(found ->
                            found.path("allowVolumeExpansion").asBoolean() ? Expansion.ALLOWED : Expansion.NOT_ALLOWED)
                    .orElse(Expansion.NO_SUCH_CLASS);
        } catch (GatewayException e) {
            if (e.kind() == Kind.UNAUTHORIZED) {
                return Expansion.NOT_FOR_US_TO_READ;
            }
            throw e;
        }
    }

    /// Controllers write the same object at any time: read and try again, as long as it is the same claim.
    @Override
    public void expand(ClusterRef ref, String name, String uid, String size) {
        var call = ApiCall.of(Verb.UPDATE, ObjectKind.CLAIM, ref.namespace(), name);
        for (int attempt = 1; ; attempt++) {
            ObjectNode live = apis.of(ref)
                    .get(ObjectKind.CLAIM, ref.namespace(), name)
                    .filter(object -> Tree.uid(object).equals(uid))
                    .orElseThrow(() -> call.failed(Kind.CONFLICT, "the one that was read is gone"));
            ForeignObjectReads.refuse(call, ref, live);
            if (asksFor(live, size)) {
                return;
            }
            live.withObjectProperty("spec")
                    .withObjectProperty("resources")
                    .withObjectProperty("requests")
                    .put("storage", size);
            try {
                apis.of(ref).update(ObjectKind.CLAIM, ref.namespace(), live);
                return;
            } catch (GatewayException e) {
                if (e.kind() != Kind.CONFLICT || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static boolean asksFor(JsonNode claim, String size) {
        var wanted = Quantity.parse(size);
        return Quantity.parse(VolumeStates.asked(claim.path("spec")).size())
                .filter(own -> wanted.filter(w -> own.compareTo(w) >= 0).isPresent())
                .isPresent();
    }

    @Override
    public void deleteClaim(ClusterRef ref, String name, String uid) {
        var call = ApiCall.of(Verb.DELETE, ObjectKind.CLAIM, ref.namespace(), name);
        ObjectNode live = apis.of(ref)
                .get(ObjectKind.CLAIM, ref.namespace(), name)
                .filter(object -> Tree.uid(object).equals(uid))
                .orElseThrow(() -> call.failed(Kind.CONFLICT, "the one that was read is gone"));
        ForeignObjectReads.refuse(call, ref, live);
        apis.of(ref).delete(ObjectKind.CLAIM, ref.namespace(), name, uid);
    }

    @Override
    public List<String> users(ClusterRef ref, Set<String> claims) {
        return new ClaimUsers(apis.of(ref)).of(ref.namespace(), claims);
    }

    @Override
    public boolean keepsTemplate(ClusterRef ref, String revision) {
        return template(ref, revision).isPresent();
    }

    private Optional<ObjectNode> template(ClusterRef ref, String revision) {
        return apis.of(ref)
                .get(ObjectKind.REVISION, ref.namespace(), revision)
                .map(notes -> notes.path("data").path("spec").path("template"))
                .filter(ObjectNode.class::isInstance)
                .map(found -> ((ObjectNode) found).deepCopy())
                .map(template -> {
                    template.remove("$patch");
                    return template;
                });
    }

    @Override
    public void orphan(ClusterRef ref, KubeState.StatefulSetState expected, long epoch) {
        var call = ApiCall.of(Verb.DELETE, ObjectKind.STATEFUL_SET, ref.namespace(), ref.name());
        ObjectNode live = apis.of(ref)
                .get(ObjectKind.STATEFUL_SET, ref.namespace(), ref.name())
                .filter(object -> Tree.uid(object).equals(expected.uid()))
                .orElseThrow(() -> call.failed(Kind.CONFLICT, "the StatefulSet that was read is gone"));
        WriteGuard.check(call, ref, live, epoch);
        apis.of(ref)
                .deleteOnly(
                        ObjectKind.STATEFUL_SET,
                        ref.namespace(),
                        ref.name(),
                        expected.uid(),
                        expected.resourceVersion());
    }

    @Override
    public void recreate(RingObjects wanted, Intent.Recreation recreation) {
        ClusterRef ref = wanted.spec().ref();
        ObjectNode template = template(ref, recreation.revision())
                .orElseThrow(() -> ApiCall.of(Verb.CREATE, ObjectKind.STATEFUL_SET, ref.namespace(), ref.name())
                        .failed(
                                Kind.NOT_FOUND,
                                "the ControllerRevision " + recreation.revision()
                                        + " with its pods' template is gone"));
        ObjectNode target = StatefulSetManifest.of(wanted, recreation.replicas(), recreation.storage());
        target.withObjectProperty("spec").set("template", template);
        Tree.annotate(target, Labels.TEMPLATE_DIGEST, recreation.template());
        Tree.annotate(target, Labels.EPOCH, String.valueOf(wanted.epoch()));
        apis.of(ref).create(ObjectKind.STATEFUL_SET, ref.namespace(), target);
    }
}
