package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Fabric8RestoreJobsTest {
    private static final String NO_PODS = "{\"items\":[],\"metadata\":{}}";
    private static final String JOB = """
        {"metadata":{"name":"orders-restore","uid":"j1","labels":{"etcdgitops.dev/job":"orders-restore"},
        "annotations":{"etcdgitops.dev/incarnation":"a1","etcdgitops.dev/operation":"0123abcd"}}}\
        """;

    private ScriptedApi server;
    private Fabric8RestoreJobs jobs;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedApi(List.of());
        jobs = new Fabric8RestoreJobs(server.connection());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String pod(String name, String owner, String created, String more) {
        return """
            {"metadata":{"name":"%s","uid":"u-%s","creationTimestamp":"%s"%s,
            "ownerReferences":[{"kind":"Job","uid":"%s"}]},"status":{"podIP":"10.0.0.1"}}\
            """.formatted(name, name, created, more, owner);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.3.25", "3.4.23", "3.4.26", "3.5.9"})
    void refusesToRaiseTheRevisionWhereEtcdCannot(String version) {
        var job = RestoreJobManifestTest.job(
                Samples.defaults(version), RestoreJobManifestTest.restore(), Optional.of(1L));

        assertThatThrownBy(() -> jobs.create(job))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REJECTED))
                .hasMessageContaining("etcd " + version)
                .hasMessageContaining("Leave bumpRevision out");
        assertThat(server.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.4.27", "3.5.10", "3.5.16", "3.6.0"})
    void raisesTheRevisionWhereEtcdCan(String version) {
        server.answering(201, JOB);
        var job = RestoreJobManifestTest.job(
                Samples.defaults(version), RestoreJobManifestTest.restore(), Optional.of(1L));

        assertThat(jobs.create(job)).isEmpty();

        assertThat(server.asked()).singleElement().satisfies(asked -> {
            assertThat(asked.uri()).isEqualTo("/apis/batch/v1/namespaces/shop/jobs");
            assertThat(asked.body()).contains("--bump-revision=1");
        });
    }

    @ParameterizedTest
    @CsvSource({"20,false", "22+,false", "23,true", "23+,true", "36,true", "x,false"})
    void saysWhenADrillDoesNotGetItsStorageClass(String minor, boolean known) {
        server.answering(200, "{\"major\":\"1\",\"minor\":\"" + minor + "\"}").answering(201, JOB);
        var drill = RestoreJobManifestTest.job(
                Samples.full(), RestoreJobManifestTest.drill(Optional.of("scratch")), Optional.empty());

        assertThat(jobs.create(drill).isEmpty()).isEqualTo(known);

        assertThat(server.asked().getLast().uri()).isEqualTo("/apis/batch/v1/namespaces/drills/jobs");
        assertThat(server.asked().getLast().body().contains("volumeClaimTemplate"))
                .isEqualTo(known);
    }

    @Test
    void readsTheNewestPodOfThisVeryJob() {
        String items = String.join(
                ",",
                pod("old", "j1", "2026-01-01T00:00:00Z", ""),
                pod("leaving", "j1", "2026-01-03T00:00:00Z", ",\"deletionTimestamp\":\"2026-01-03T00:00:01Z\""),
                pod("new", "j1", "2026-01-02T00:00:00Z", ""),
                pod("foreign", "j0", "2026-01-04T00:00:00Z", ""));
        server.answering(200, JOB).answering(200, "{\"items\":[" + items + "],\"metadata\":{}}");

        var state = jobs.read(new ClusterRef("shop", "orders"), "shop", "orders-restore")
                .orElseThrow();

        assertThat(state.pod().orElseThrow().name()).isEqualTo("new");
        assertThat(state.pod().orElseThrow().ip()).isEqualTo("10.0.0.1");
        assertThat(state.uid()).isEqualTo("j1");
        assertThat(state.incarnation()).isEqualTo("a1");
        assertThat(state.operation()).isEqualTo("0123abcd");
        assertThat(state.phase()).isEqualTo(new Phase.Pending(""));
        assertThat(server.asked()).extracting(ScriptedApi.Asked::uri).noneMatch(u -> u.contains("resourceVersion"));
    }

    @Test
    void touchesNoForeignJob() {
        server.answering(200, "{\"metadata\":{\"name\":\"orders-restore\",\"uid\":\"j1\"}}");

        assertThatThrownBy(() -> jobs.read(new ClusterRef("shop", "orders"), "shop", "orders-restore"))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REJECTED))
                .hasMessageContaining("not managed by it");
    }

    @Test
    void isGoneOnlyWithItsPods() {
        String absent = """
            {"kind":"Status","reason":"NotFound","details":{"name":"orders-restore"}}\
            """;
        server.answering(404, absent)
                .answering(200, "{\"items\":[" + pod("last", "j1", "", "") + "],\"metadata\":{}}")
                .answering(404, absent)
                .answering(200, NO_PODS);

        assertThat(jobs.gone(new ClusterRef("shop", "orders"), "shop", "orders-restore"))
                .isFalse();
        assertThat(jobs.gone(new ClusterRef("shop", "orders"), "shop", "orders-restore"))
                .isTrue();
    }

    @Test
    void tellsTheImageOfOurContainer() {
        server.answering(200, "{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"a:1\"}]}}")
                .answering(200, """
                    {"spec":{"containers":[{"name":"proxy","image":"b:1"},{"name":"etcd-gitops","image":"c:1"}]}}\
                    """)
                .answering(200, """
                    {"spec":{"containers":[{"name":"proxy","image":"b:1"},{"name":"main","image":"c:1"}]}}\
                    """);

        assertThat(jobs.imageOf("ops", "run")).contains("a:1");
        assertThat(jobs.imageOf("ops", "run")).contains("c:1");
        assertThat(jobs.imageOf("ops", "run")).isEmpty();
    }
}
