package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.kube.api.ApiCall;
import io.github.etcdgitops.gateway.kube.api.ApiCall.Verb;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.CertificateManifest;
import io.github.etcdgitops.gateway.kube.manifest.Metadata;
import io.github.etcdgitops.gateway.kube.write.WriteGuard;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/// [RingSecrets] on a real API server; the caller owns the connection.
public final class Fabric8RingSecrets implements RingSecrets {
    private static final String TYPE = "kubernetes.io/tls";
    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";
    private static final String CA = "ca.crt";

    private final RingApis apis;

    public Fabric8RingSecrets(KubeConnection connection) {
        this.apis = connection.rings();
    }

    @Override
    public Optional<Stored> read(ClusterRef ref, Kind kind) {
        ApiCall call = call(Verb.GET, ref, kind);
        return get(call, ref, kind)
                .map(secret -> new Stored(
                        new Content(
                                entry(call, secret, CERTIFICATE), entry(call, secret, KEY), entry(call, secret, CA)),
                        Tree.resourceVersion(secret),
                        Tree.ours(ref, secret)));
    }

    private Optional<ObjectNode> get(ApiCall call, ClusterRef ref, Kind kind) {
        return allowed(call, () -> apis.of(ref).get(ObjectKind.SECRET, ref.namespace(), kind.secretName(ref)));
    }

    private static byte[] entry(ApiCall call, ObjectNode secret, String key) {
        try {
            byte[] value = secret.path("data").path(key).binaryValue();
            if (value != null && value.length > 0) {
                return value;
            }
        } catch (IOException _) {
            // The cause is dropped, because it quotes the text.
        }
        throw call.failed(
                GatewayException.Kind.REJECTED, "it has no " + key + "; tls.crt, tls.key and ca.crt must all be there");
    }

    @Override
    public String write(ClusterRef ref, Kind kind, Content content, Optional<String> resourceVersion, long epoch) {
        ObjectNode target = JsonObject.of(ObjectKind.SECRET, Metadata.of(ref, kind.secretName(ref), epoch))
                .put("data", data(content))
                .put("type", TYPE)
                .tree();
        if (resourceVersion.isEmpty()) {
            return Tree.resourceVersion(allowed(
                    call(Verb.CREATE, ref, kind),
                    () -> apis.of(ref).create(ObjectKind.SECRET, ref.namespace(), target)));
        }
        ApiCall call = call(Verb.UPDATE, ref, kind);
        ObjectNode live = get(call(Verb.GET, ref, kind), ref, kind)
                .orElseThrow(() -> call.failed(GatewayException.Kind.CONFLICT, "it is gone"));
        WriteGuard.check(call, ref, live, epoch);
        if (!Tree.resourceVersion(live).equals(resourceVersion.get())) {
            throw call.failed(GatewayException.Kind.CONFLICT, "another client changed it in the meantime");
        }
        // Foreign labels and annotations stay, and so does the type, which cannot be changed.
        live.set("data", target.get("data"));
        Tree.annotate(live, Labels.EPOCH, String.valueOf(epoch));
        return Tree.resourceVersion(allowed(call, () -> apis.of(ref).update(ObjectKind.SECRET, ref.namespace(), live)));
    }

    @Override
    public Optional<String> order(ClusterRef ref, Kind kind, Order order, long epoch) {
        ApiCall read = certificate(Verb.GET, ref, kind);
        if (apis.of(ref)
                .document("/apis/" + ObjectKind.CERTIFICATE.apiVersion())
                .isEmpty()) {
            throw read.failed(
                    GatewayException.Kind.REJECTED,
                    "this API server knows no Certificates (" + ObjectKind.CERTIFICATE.apiVersion()
                            + "): install cert-manager, or choose another spec.tls.issuer");
        }
        ObjectNode target = CertificateManifest.of(ref, kind, order, epoch);
        var found =
                allowed(read, () -> apis.of(ref).get(ObjectKind.CERTIFICATE, ref.namespace(), kind.secretName(ref)));
        if (found.isEmpty()) {
            return CertificateManifest.missing(allowed(
                    certificate(Verb.CREATE, ref, kind),
                    () -> apis.of(ref).create(ObjectKind.CERTIFICATE, ref.namespace(), target)));
        }
        ObjectNode live = found.get();
        ApiCall update = certificate(Verb.UPDATE, ref, kind);
        WriteGuard.check(update, ref, live, epoch);
        if (live.path("spec").equals(target.path("spec"))) {
            return CertificateManifest.missing(live);
        }
        live.set("spec", target.get("spec"));
        Tree.annotate(live, Labels.EPOCH, String.valueOf(epoch));
        allowed(update, () -> apis.of(ref).update(ObjectKind.CERTIFICATE, ref.namespace(), live));
        return Optional.of("the Certificate " + kind.secretName(ref) + " was changed just now");
    }

    private static ApiCall certificate(Verb verb, ClusterRef ref, Kind kind) {
        return ApiCall.of(verb, ObjectKind.CERTIFICATE, ref.namespace(), kind.secretName(ref));
    }

    private static Map<String, String> data(Content content) {
        var base64 = Base64.getEncoder();
        var data = new TreeMap<String, String>();
        data.put(CERTIFICATE, base64.encodeToString(content.certificate()));
        data.put(KEY, base64.encodeToString(content.key()));
        data.put(CA, base64.encodeToString(content.ca()));
        return data;
    }

    private static ApiCall call(Verb verb, ClusterRef ref, Kind kind) {
        return ApiCall.of(verb, ObjectKind.SECRET, ref.namespace(), kind.secretName(ref));
    }

    /// The rights are granted by name, so one may be missing for a single Secret; those for Certificates
    /// are granted by namespace.
    private static <T> T allowed(ApiCall call, Supplier<T> request) {
        try {
            return request.get();
        } catch (GatewayException e) {
            if (e.kind() != GatewayException.Kind.UNAUTHORIZED) {
                throw e;
            }
            throw new GatewayException(
                    e.kind(),
                    e.mayHaveHappened(),
                    e.getMessage() + "; a Role has to let it " + call + ", see cronjob/components/tls");
        }
    }
}
