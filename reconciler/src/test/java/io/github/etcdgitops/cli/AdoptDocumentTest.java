package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.observe.Reading;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AdoptDocumentTest {
    private static String document(FakeWorld world) {
        var state = Reading.observer(world).foreign(Reading.ORDERS);
        return new AdoptDocument(
                        state,
                        state.foreign().optional().flatMap(f -> f).orElseThrow(),
                        state.ring().optional().orElseThrow())
                .yaml();
    }

    @Test
    void printsWhatRuns() {
        var world = Given.ring("demo", "orders").byHand(Faults::foreignize).build();

        assertThat(document(world))
                .containsPattern("clusterId: \"?[0-9a-f]{1,16}\"?\n")
                .contains("""
                        kind: EtcdCluster
                        metadata:
                          name: orders
                          namespace: demo
                        """)
                .contains("""
                          size: 3
                          version: "3.5.16"
                          image:
                            repository: registry.example/etcd
                          storage:
                            size: "1Gi"
                          podTemplate:
                            metadata:
                              labels:
                                app: etcd
                        """);
    }

    @Test
    void quotesWhateverYamlCouldTakeForSomethingElse() {
        var texts = new LinkedHashMap<String, Object>();
        texts.put("number", "12e5");
        texts.put("word", "on");
        texts.put("text", "a: b # c");
        texts.put("plain", "app.kubernetes.io/name");
        texts.put("list", List.of(Map.of("key", "v1", "zz", List.of()), "x"));

        assertThat(YamlText.of(texts))
                .contains("number: \"12e5\"\n", "word: \"on\"\n", "text: \"a: b # c\"\n")
                .contains("plain: app.kubernetes.io/name\n", "  - x\n");
    }
}
