package io.github.etcdgitops.gateway.kube.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.ShardBoard;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/// [ShardBoard] in ConfigMaps `etcd-gitops-shard-ENVIRONMENT-INDEX` of the reconciler's own namespace.
public final class ShardConfigMaps implements ShardBoard {
    /// A mebibyte of compressed zeros is a thousand mebibytes uncompressed.
    private static final int LONGEST = 32 << 20;

    private static final String RUN = "run";
    private static final String TEXT = "text";

    private final KubeApi api;
    private final String namespace;

    public ShardConfigMaps(KubeConnection connection, String namespace) {
        this.api = connection.own();
        this.namespace = namespace;
    }

    @Override
    public void post(String environment, int index, Post post) {
        String name = name(environment, index);
        Optional<ObjectNode> known = api.get(ObjectKind.CONFIG_MAP, namespace, name);
        ObjectNode object = known.orElseGet(() -> Tree.ofReconciler(namespace, name));
        object.putObject("data").put(RUN, post.run());
        object.putObject("binaryData").put(TEXT, packed(post.text()));
        if (known.isPresent()) {
            api.update(ObjectKind.CONFIG_MAP, namespace, object);
        } else {
            api.create(ObjectKind.CONFIG_MAP, namespace, object);
        }
    }

    @Override
    public Optional<Post> read(String environment, int index) {
        return api.get(ObjectKind.CONFIG_MAP, namespace, name(environment, index))
                .map(object -> new Post(
                        object.path("data").path(RUN).asText(),
                        unpacked(object.path("binaryData").path(TEXT).asText())));
    }

    /// The text is long and repetitive; an object holds one mebibyte.
    private static byte[] packed(String text) {
        var bytes = new ByteArrayOutputStream();
        try (var packing = new GZIPOutputStream(bytes)) {
            packing.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
        return bytes.toByteArray();
    }

    /// Empty for data that is not ours.
    private static String unpacked(String base64) {
        try (var unpacking =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(base64)))) {
            byte[] text = unpacking.readNBytes(LONGEST + 1);
            return text.length > LONGEST ? "" : new String(text, StandardCharsets.UTF_8);
        } catch (IOException | IllegalArgumentException _) {
            return "";
        }
    }

    private static String name(String environment, int index) {
        return "etcd-gitops-shard-" + environment + "-" + index;
    }
}
