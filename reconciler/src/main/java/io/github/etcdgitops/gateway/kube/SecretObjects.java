package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.kube.api.ApiCall;
import io.github.etcdgitops.gateway.kube.api.ApiCall.Verb;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.Metadata;
import io.github.etcdgitops.gateway.kube.write.WriteGuard;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/// One Secret of a ring, read and written by name. `component` is the folder of the manifests that grants the
/// rights to it.
record SecretObjects(RingApis apis, ClusterRef ref, String name, String component) {
    ApiCall call(Verb verb) {
        return ApiCall.of(verb, ObjectKind.SECRET, ref.namespace(), name);
    }

    Optional<ObjectNode> get() {
        return allowed(call(Verb.GET), () -> apis.of(ref).get(ObjectKind.SECRET, ref.namespace(), name));
    }

    /// Empty where there is no such entry, or nothing in it.
    static Optional<byte[]> entry(ObjectNode secret, String key) {
        try {
            return Optional.ofNullable(secret.path("data").path(key).binaryValue())
                    .filter(value -> value.length > 0);
        } catch (IOException _) {
            // The cause is dropped, because it quotes the text.
            return Optional.empty();
        }
    }

    /// Those that have something in them.
    static SortedMap<String, byte[]> entries(ObjectNode secret) {
        var entries = new TreeMap<String, byte[]>();
        secret.path("data")
                .fieldNames()
                .forEachRemaining(key -> entry(secret, key).ifPresent(value -> entries.put(key, value)));
        return entries;
    }

    /// The one that was read.
    void delete(ObjectNode live, long epoch) {
        ApiCall call = call(Verb.DELETE);
        WriteGuard.check(call, ref, live, epoch);
        allowed(call, () -> {
            apis.of(ref).delete(ObjectKind.SECRET, ref.namespace(), name, Tree.uid(live));
            return true;
        });
    }

    /// The new resourceVersion.
    String write(String type, Map<String, byte[]> entries, Optional<String> resourceVersion, long epoch) {
        var data = new TreeMap<String, String>();
        entries.forEach((key, value) -> data.put(key, Base64.getEncoder().encodeToString(value)));
        ObjectNode target = JsonObject.of(ObjectKind.SECRET, Metadata.of(ref, name, epoch))
                .put("data", data)
                .put("type", type)
                .tree();
        if (resourceVersion.isEmpty()) {
            return Tree.resourceVersion(
                    allowed(call(Verb.CREATE), () -> apis.of(ref).create(ObjectKind.SECRET, ref.namespace(), target)));
        }
        ApiCall call = call(Verb.UPDATE);
        ObjectNode live = get().orElseThrow(() -> call.failed(Kind.CONFLICT, "it is gone"));
        WriteGuard.check(call, ref, live, epoch);
        if (!Tree.resourceVersion(live).equals(resourceVersion.get())) {
            throw call.failed(Kind.CONFLICT, "another client changed it in the meantime");
        }
        // Foreign labels and annotations stay, and so does the type, which cannot be changed.
        live.set("data", target.get("data"));
        Tree.annotate(live, Labels.EPOCH, String.valueOf(epoch));
        return Tree.resourceVersion(allowed(call, () -> apis.of(ref).update(ObjectKind.SECRET, ref.namespace(), live)));
    }

    /// The rights to Secrets are granted by name, so one may be missing for a single Secret.
    <T> T allowed(ApiCall call, Supplier<T> request) {
        try {
            return request.get();
        } catch (GatewayException e) {
            if (e.kind() != Kind.UNAUTHORIZED) {
                throw e;
            }
            throw new GatewayException(
                    e.kind(),
                    e.mayHaveHappened(),
                    e.getMessage() + "; a Role has to let it " + call + ", see cronjob/components/" + component);
        }
    }
}
