package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.tree.SourceTree;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SharedPartsTest {
    private static String ring(String name, String version) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: %s, namespace: demo}
            spec:
              size: 3
              version: "%s"
              etcd: {quotaBackendBytes: 512Mi}
              podTemplate: {resources: {requests: {cpu: 50m}}}
            """.formatted(name, version);
    }

    @Test
    void ringsThatAreAlikeShareTheirParts() {
        var tree = new TreeMap<String, byte[]>();
        tree.put("clusters/demo/a.yaml", ring("a", "3.5.16").getBytes(StandardCharsets.UTF_8));
        tree.put("clusters/demo/b.yaml", ring("b", "3.5.16").getBytes(StandardCharsets.UTF_8));
        tree.put("clusters/demo/c.yaml", ring("c", "3.5.17").getBytes(StandardCharsets.UTF_8));

        var rings = List.copyOf(SpecLoader.load(new SourceTree("0000", tree, List.of(), "digest"))
                .rings()
                .values());

        assertThat(rings).hasSize(3);
        assertThat(rings.get(0).server())
                .isSameAs(rings.get(1).server())
                .isNotEqualTo(rings.get(2).server());
        for (var other : rings.subList(1, 3)) {
            assertThat(other.podTemplate()).isSameAs(rings.getFirst().podTemplate());
            assertThat(other.declaration().handling())
                    .isSameAs(rings.getFirst().declaration().handling());
            assertThat(other.declaration().source())
                    .isNotEqualTo(rings.getFirst().declaration().source());
        }
    }
}
