package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.kube.api.ApiCall.Verb;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.ConfigMapManifests;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// [RingPasswords] on a real API server; the caller owns the connection.
public final class Fabric8RingPasswords implements RingPasswords {
    private static final String USER = "username";
    private static final String NEXT = "next-password";

    private final RingApis apis;

    public Fabric8RingPasswords(KubeConnection connection) {
        this(connection.rings());
    }

    Fabric8RingPasswords(RingApis apis) {
        this.apis = apis;
    }

    @Override
    public Optional<Stored> root(ClusterRef ref) {
        return read(ref, RingPasswords.rootSecret(ref), KEY);
    }

    @Override
    public Optional<Stored> read(ClusterRef ref, String secretName, String key) {
        var object = object(ref, secretName);
        return object.get()
                .map(secret -> new Stored(
                        password(object, secret, key)
                                .orElseThrow(() -> object.call(Verb.GET)
                                        .failed(GatewayException.Kind.REJECTED, "it has no " + key)),
                        password(object, secret, NEXT),
                        Tree.resourceVersion(secret),
                        Tree.ours(ref, secret)));
    }

    @Override
    public Optional<byte[]> entry(ClusterRef ref, String secretName, String key) {
        return object(ref, secretName).get().flatMap(secret -> SecretObjects.entry(secret, key));
    }

    private static Optional<Password> password(SecretObjects object, ObjectNode secret, String key) {
        try {
            return SecretObjects.entry(secret, key).map(Password::of);
        } catch (IllegalArgumentException e) {
            throw object.call(Verb.GET)
                    .failed(GatewayException.Kind.REJECTED, "its " + key + " is not valid: " + e.getMessage());
        }
    }

    @Override
    public String writeRoot(
            ClusterRef ref, Password password, Optional<Password> next, Optional<String> resourceVersion, long epoch) {
        var data = new TreeMap<String, String>();
        data.put(USER, User.ROOT);
        data.put(KEY, password.text());
        next.ifPresent(p -> data.put(NEXT, p.text()));
        return object(ref, RingPasswords.rootSecret(ref))
                .write("kubernetes.io/basic-auth", bytes(data), resourceVersion, epoch);
    }

    /// In the shape that Service Binding asks for.
    @Override
    public String writeUser(RingObjects wanted, String user, Password password, Optional<String> resourceVersion) {
        var data = ConfigMapManifests.binding(wanted);
        data.put(USER, user);
        data.put(KEY, password.text());
        var ref = wanted.spec().ref();
        return object(ref, RingPasswords.userSecret(ref, user))
                .write("Opaque", bytes(data), resourceVersion, wanted.epoch());
    }

    @Override
    public Touched connectUser(RingObjects wanted, String user) {
        var ref = wanted.spec().ref();
        var object = object(ref, RingPasswords.userSecret(ref, user));
        var found = object.get();
        if (found.isEmpty() || !Tree.ours(ref, found.get())) {
            return found.isEmpty() ? Touched.ABSENT : Touched.FOREIGN;
        }
        var live = found.get();
        var has = SecretObjects.entries(live);
        var data = new TreeMap<>(has);
        data.keySet().removeAll(ConfigMapManifests.BINDING);
        data.putAll(bytes(ConfigMapManifests.binding(wanted)));
        if (Arrays.deepEquals(data.values().toArray(), has.values().toArray())
                && data.keySet().equals(has.keySet())) {
            return Touched.ALREADY_SO;
        }
        object.write("Opaque", data, Optional.of(Tree.resourceVersion(live)), wanted.epoch());
        return Touched.CHANGED;
    }

    @Override
    public Touched removeUser(ClusterRef ref, String user, long epoch) {
        var object = object(ref, RingPasswords.userSecret(ref, user));
        var found = object.get().filter(live -> !Tree.terminating(live));
        if (found.isEmpty() || !Tree.ours(ref, found.get())) {
            return found.isEmpty() ? Touched.ABSENT : Touched.FOREIGN;
        }
        object.delete(found.get(), epoch);
        return Touched.CHANGED;
    }

    private SecretObjects object(ClusterRef ref, String name) {
        return new SecretObjects(apis, ref, name, "auth");
    }

    private static Map<String, byte[]> bytes(Map<String, String> texts) {
        var bytes = new TreeMap<String, byte[]>();
        texts.forEach((key, text) -> bytes.put(key, text.getBytes(StandardCharsets.UTF_8)));
        return bytes;
    }
}
