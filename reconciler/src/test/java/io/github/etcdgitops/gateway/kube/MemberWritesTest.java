package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.write.MemberWrites;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MemberWritesTest {
    private static final ClusterRef REF = new ClusterRef("demo", "orders");

    private static String pod(String uid, String deleted) {
        return "{\"metadata\":{\"name\":\"orders-1\",\"uid\":\"" + uid + "\"" + deleted + ",\"labels\":"
                + Tree.text(Tree.object().setAll(labels())) + "}}";
    }

    private static Map<String, JsonNode> labels() {
        var labels = new TreeMap<String, JsonNode>();
        Labels.of(REF).forEach((name, value) -> labels.put(name, new TextNode(value)));
        return labels;
    }

    @Test
    void releasesThatPodAloneAndAtOnce() throws IOException {
        try (var api = new ScriptedApi(List.of())) {
            api.answering(200, pod("uid-5", ",\"deletionTimestamp\":\"2026-01-05T10:00:00Z\""))
                    .answering(200, "{}");

            new MemberWrites(api.rings()).releasePod(REF, 1, "uid-5");

            var last = api.asked().getLast();
            assertThat(last.method()).isEqualTo("DELETE");
            assertThat(last.body())
                    .contains("\"gracePeriodSeconds\":0")
                    .contains("\"preconditions\":{\"uid\":\"uid-5\"}");
        }
    }

    @Test
    void releasesOnlyTheDeletedPod() throws IOException {
        try (var api = new ScriptedApi(List.of())) {
            api.answering(200, pod("uid-5", ""))
                    .answering(200, pod("uid-6", ",\"deletionTimestamp\":\"2026-01-05T10:00:00Z\""));
            var writes = new MemberWrites(api.rings());

            assertThatThrownBy(() -> writes.releasePod(REF, 1, "uid-5")).hasMessageContaining("is not being deleted");
            assertThatThrownBy(() -> writes.releasePod(REF, 1, "uid-5")).hasMessageContaining("is gone");

            assertThat(api.asked()).noneMatch(asked -> asked.method().equals("DELETE"));
        }
    }
}
