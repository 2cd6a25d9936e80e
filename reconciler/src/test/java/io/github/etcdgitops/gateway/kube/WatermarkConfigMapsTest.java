package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.Watermarks.Found;
import io.github.etcdgitops.gateway.Watermarks.Mark;
import io.github.etcdgitops.gateway.Watermarks.Subject;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.write.WatermarkConfigMaps;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(crud = true)
class WatermarkConfigMapsTest {
    private static final String NAME = "etcd-gitops-watermark-prod";
    private static final Subject MAIN = new Subject("prod", "https://git.example.org/rings", "refs/heads/main");
    private static final Mark ONE = new Mark("1".repeat(40), "prod");
    private static final Mark TWO = new Mark("2".repeat(40), Optional.of("2".repeat(40)), "2".repeat(40), "prod");

    @SuppressWarnings("NullAway.Init")
    KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubeConnection connection;

    @SuppressWarnings("NullAway.Init")
    private WatermarkConfigMaps marks;

    @BeforeEach
    void connect() {
        connection = KubeConnection.of(
                new ConfigBuilder(client.getConfiguration()).build(), KubeConnection.Settings.DEFAULT);
        marks = new WatermarkConfigMaps(connection, "own");
        // The mock's way to say that an object is absent is not that of an API server.
        client.configMaps()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("own")
                        .withName(NAME)
                        .endMetadata()
                        .build())
                .create();
    }

    @AfterEach
    void close() {
        connection.close();
    }

    private ConfigMap object() {
        return client.configMaps().inNamespace("own").withName(NAME).get();
    }

    @Test
    void remembersOneCommitForEachBranchOfAnEnvironment() {
        var other = new Subject("prod", MAIN.repository(), "next");
        marks.write(MAIN, ONE, marks.read(MAIN));
        marks.write(other, ONE, marks.read(other));
        marks.write(MAIN, TWO, marks.read(MAIN));

        assertThat(marks.read(MAIN).mark()).contains(TWO);
        assertThat(marks.read(other).mark()).contains(ONE);
        assertThat(object().getData()).hasSize(2);
        assertThat(object().getData().toString()).contains(MAIN.repository(), MAIN.ref(), ONE.commit());
    }

    @Test
    void ofTwoRunsThatLookedAtTheSameTimeOneWrites() {
        var first = marks.read(MAIN);
        var second = marks.read(MAIN);
        marks.write(MAIN, ONE, first);

        assertConflict(second);

        var third = marks.read(MAIN);
        marks.write(MAIN, TWO, marks.read(MAIN));
        assertConflict(third);
        assertThat(marks.read(MAIN).mark()).contains(TWO);
    }

    private void assertConflict(Found found) {
        assertThatExceptionOfType(GatewayException.class)
                .isThrownBy(() -> marks.write(MAIN, ONE, found))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.CONFLICT));
    }

    @Test
    void neverTakesUnreadableEntryForAbsent() {
        marks.write(MAIN, ONE, marks.read(MAIN));
        String key = object().getData().keySet().iterator().next();
        for (String text : List.of(
                "", "{}", "{\"commit\":\"main\"}", "{\"commit\":\"" + ONE.commit() + "\",\"approvalRules\":\"\"}")) {
            client.configMaps().inNamespace("own").withName(NAME).edit(map -> {
                map.setData(Map.of(key, text));
                return map;
            });

            assertThatExceptionOfType(GatewayException.class)
                    .isThrownBy(() -> marks.read(MAIN))
                    .withMessageContainingAll(NAME, key)
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.REJECTED));
        }
    }

    /// By earlier versions, whose runs went by the rules of their own commit.
    @Test
    void takesRulesFromCommitIfEntryNamesNone() {
        marks.write(MAIN, TWO.ruledBy(ONE.commit(), "prod"), marks.read(MAIN));
        assertThat(marks.read(MAIN).mark()).contains(TWO.ruledBy(ONE.commit(), "prod"));
        client.configMaps().inNamespace("own").withName(NAME).edit(map -> {
            map.getData().replaceAll((_, text) -> text.replaceAll("\"approvalRules\"\\s*:\\s*\"[0-9a-f]+\",?", ""));
            return map;
        });

        assertThat(marks.read(MAIN).mark().map(Mark::rules)).contains(TWO.commit());
    }

    private static final String ABSENT = "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"details\":{\"name\":\"%s\"}}";

    @Test
    void makesTheConfigMapWhereThereIsNone() throws IOException {
        try (var api = new ScriptedApi(List.of())) {
            var there = new WatermarkConfigMaps(api.connection(), "own");
            api.answering(404, ABSENT.formatted(NAME))
                    .answering(404, ABSENT.formatted(NAME))
                    .answering(201, "{}");
            var found = there.read(MAIN);
            there.write(MAIN, ONE, found);

            assertThat(found.mark()).isEmpty();
            assertThat(api.asked().getLast().method()).isEqualTo("POST");
            assertThat(api.asked().getLast().body()).contains(NAME, ONE.commit(), "\"etcd-gitops\"");
        }
    }

    @Test
    void tellsThatThereIsNoNamespaceFromWhatMayNotBeWritten() throws IOException {
        var kinds = Map.of(404, Kind.NOT_FOUND, 403, Kind.UNAUTHORIZED, 409, Kind.CONFLICT);
        for (int code : kinds.keySet()) {
            try (var api = new ScriptedApi(List.of())) {
                var there = new WatermarkConfigMaps(api.connection(), "own");
                api.answering(404, ABSENT.formatted(NAME))
                        .answering(404, ABSENT.formatted(NAME))
                        .answering(code, ABSENT.formatted("own"));
                var found = there.read(MAIN);

                assertThatExceptionOfType(GatewayException.class)
                        .isThrownBy(() -> there.write(MAIN, ONE, found))
                        .satisfies(e -> assertThat(e.kind()).isEqualTo(kinds.get(code)));
            }
        }
    }
}
