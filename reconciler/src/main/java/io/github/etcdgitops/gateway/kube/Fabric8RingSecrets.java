package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.kube.api.ApiCall;
import io.github.etcdgitops.gateway.kube.api.ApiCall.Verb;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.CertificateManifest;
import io.github.etcdgitops.gateway.kube.write.WriteGuard;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Map;
import java.util.Optional;

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
        var object = object(ref, kind);
        return object.get()
                .map(secret -> new Stored(
                        new Content(
                                entry(object, secret, CERTIFICATE),
                                entry(object, secret, KEY),
                                entry(object, secret, CA)),
                        Tree.resourceVersion(secret),
                        Tree.ours(ref, secret)));
    }

    private static byte[] entry(SecretObjects object, ObjectNode secret, String key) {
        return SecretObjects.entry(secret, key)
                .orElseThrow(() -> object.call(Verb.GET)
                        .failed(
                                GatewayException.Kind.REJECTED,
                                "it has no " + key + "; tls.crt, tls.key and ca.crt must all be there"));
    }

    @Override
    public String write(ClusterRef ref, Kind kind, Content content, Optional<String> resourceVersion, long epoch) {
        return object(ref, kind)
                .write(
                        TYPE,
                        Map.of(CERTIFICATE, content.certificate(), KEY, content.key(), CA, content.ca()),
                        resourceVersion,
                        epoch);
    }

    @Override
    public RingPasswords passwords() {
        return new Fabric8RingPasswords(apis);
    }

    @Override
    public Optional<String> order(ClusterRef ref, Kind kind, Order order, long epoch) {
        var object = object(ref, kind);
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
        var found = object.allowed(
                read, () -> apis.of(ref).get(ObjectKind.CERTIFICATE, ref.namespace(), kind.secretName(ref)));
        if (found.isEmpty()) {
            return CertificateManifest.missing(object.allowed(
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
        object.allowed(update, () -> apis.of(ref).update(ObjectKind.CERTIFICATE, ref.namespace(), live));
        return Optional.of("the Certificate " + kind.secretName(ref) + " was changed just now");
    }

    private static ApiCall certificate(Verb verb, ClusterRef ref, Kind kind) {
        return ApiCall.of(verb, ObjectKind.CERTIFICATE, ref.namespace(), kind.secretName(ref));
    }

    private SecretObjects object(ClusterRef ref, Kind kind) {
        String component = switch (kind) {
            case CA, NEXT_CA, PEER, SERVER, CLIENT -> "tls";
            case ROOT -> "auth";
        };
        return new SecretObjects(apis, ref, kind.secretName(ref), component);
    }
}
