package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.kube.read.EventReads;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.health.StartTrouble.Subject;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventReadsTest {
    private static final ClusterRef REF = new ClusterRef("demo", "orders");
    private static final Subject SET = new Subject("StatefulSet", "orders", "u-1");

    private static final String FIELDS = String.join(
            "%2C",
            "involvedObject.kind%3DStatefulSet",
            "involvedObject.name%3Dorders",
            "involvedObject.uid%3Du-1",
            "type%3DWarning");

    private ScriptedApi api;

    @BeforeEach
    void start() throws IOException {
        api = new ScriptedApi(List.of());
    }

    @AfterEach
    void stop() {
        api.close();
    }

    @Test
    void asksOnceForWarningsAboutThatObjectAlone() {
        api.answering(200, list());

        assertThat(warning()).isEmpty();
        assertThat(api.asked())
                .extracting(ScriptedApi.Asked::uri)
                .containsExactly("/api/v1/namespaces/demo/events?labelSelector=&fieldSelector=" + FIELDS + "&limit=20");
    }

    @Test
    void asksInTheNamespaceOfAnObjectElsewhere() {
        api.answering(200, list());

        new EventReads(api.rings()).warning(REF, new Subject("Job", "orders-drill", "u-2", Optional.of("drills")));

        assertThat(api.asked())
                .first()
                .satisfies(asked -> assertThat(asked.uri()).startsWith("/api/v1/namespaces/drills/events?"));
    }

    @Test
    void namesNewestBackup() {
        api.answering(
                200,
                list(
                        event("2026-01-05T10:00:09Z", "FailedCreate", "exceeded quota", "statefulset-controller"),
                        event("2026-01-05T10:00:01Z", "FailedCreate", "no service account", "statefulset-controller")));

        assertThat(warning()).contains("FailedCreate: exceeded quota");
    }

    @Test
    void ignoresOwnEvents() {
        api.answering(200, list(event("2026-01-05T10:00:09Z", "OperationFailed", "a step failed", "etcd-gitops")));

        assertThat(warning()).isEmpty();
    }

    @Test
    void eventsOfNewerControllersHaveATimeOfTheirOwn() {
        api.answering(
                200, list(event("2026-01-05T10:00:01Z", "FailedCreate", "before", "statefulset-controller"), """
                    {"eventTime": "2026-01-05T10:00:02.123456Z", "lastTimestamp": null, "reason": "FailedCreate",
                     "message": "later"}\
                    """));

        assertThat(warning()).contains("FailedCreate: later");
    }

    @Test
    void longTextIsCutAndControlCharactersAreInert() {
        api.answering(200, list(event("2026-01-05T10:00:09Z", "Failed", "\\u001b[2J" + "x".repeat(5000), "evil")));

        assertThat(warning().orElseThrow()).hasSizeLessThanOrEqualTo(301).doesNotContain("\u001b");
    }

    @Test
    void reportsNoWarningIfServerRefuses() {
        api.answering(403, "{}");

        assertThat(warning()).isEmpty();
    }

    private Optional<String> warning() {
        return new EventReads(api.rings()).warning(REF, SET);
    }

    private static String list(String... events) {
        return "{\"kind\":\"EventList\",\"metadata\":{},\"items\":[" + String.join(",", events) + "]}";
    }

    private static String event(String at, String reason, String message, String component) {
        return "{\"lastTimestamp\":\"%s\",\"reason\":\"%s\",\"message\":\"%s\",\"source\":{\"component\":\"%s\"}}"
                .formatted(at, reason, message, component);
    }
}
