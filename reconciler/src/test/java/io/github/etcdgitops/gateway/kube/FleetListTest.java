package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.kube.ScriptedApi.Answer;
import io.github.etcdgitops.gateway.kube.ScriptedApi.Asked;
import io.github.etcdgitops.gateway.kube.read.FleetList;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Listing;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FleetListTest {
    private static final String NOTHING = "{\"items\":[],\"metadata\":{}}";
    private static final ClusterRef A = new ClusterRef("ns", "a");
    private static final ClusterRef B = new ClusterRef("ns", "b");

    private ScriptedApi server;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedApi(List.of());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String pod(ClusterRef ref, int ordinal) {
        return """
            {"metadata":{"namespace":"%s","name":"%s","uid":"u","labels":{
            "app.kubernetes.io/managed-by":"etcd-gitops","etcdgitops.dev/cluster":"%s"}}}\
            """.formatted(ref.namespace(), ref.podName(ordinal), ref.name());
    }

    private static String page(String token, String... items) {
        return "{\"metadata\":{\"continue\":\"" + token + "\"},\"items\":[" + String.join(",", items) + "]}";
    }

    private void answers(Function<Asked, Optional<Answer>> forPods) {
        server.otherwise(asked ->
                asked.uri().startsWith("/api/v1/pods") ? forPods.apply(asked) : Optional.of(new Answer(200, NOTHING)));
    }

    private static Optional<Answer> ok(String body) {
        return Optional.of(new Answer(200, body));
    }

    private static int pods(SortedMap<ClusterRef, KubeState> rings, ClusterRef ref) {
        KubeState state = rings.get(ref);
        assertThat(state).isNotNull();
        return state == null ? -1 : state.pods().optional().orElseThrow().size();
    }

    @Test
    void endsAListWhosePageComesAgain() {
        answers(_ -> ok(page("same", pod(A, 0))));

        var listing = new FleetList(server.connection().own(), List.of()).list(A::equals);

        assertThat(listing.refs()).doesNotContain(A);
        assertThat(server.asked())
                .filteredOn(a -> a.uri().startsWith("/api/v1/pods"))
                .hasSize(2);
    }

    @Test
    void endsAListOfEmptyPages() {
        var token = new AtomicInteger();
        answers(_ -> ok(page("t" + token.incrementAndGet())));

        var bounds = new FleetList.Bounds(1 << 20, 4 << 20, 1 << 20);
        new FleetList(server.connection().own(), List.of(), bounds).list(A::equals);

        assertThat(token).hasValueLessThan(100);
    }

    @Test
    void goesOnUntilTheLastPage() {
        answers(asked -> ok(
                asked.uri().contains("continue=more")
                        ? page("", pod(B, 0), pod(B, 10))
                        : page("more", pod(A, 0), pod(B, 9))));

        SortedMap<ClusterRef, KubeState> rings = new Fabric8Gateway(server.connection()).list();

        assertThat(rings).containsOnlyKeys(A, B);
        assertThat(pods(rings, A)).isEqualTo(1);
        assertThat(pods(rings, B)).isEqualTo(3);
        assertThat(server.asked())
                .allMatch(asked -> asked.uri().equals("/apis/policy")
                        || asked.uri()
                                .contains("?labelSelector=app.kubernetes.io%2Fmanaged-by%3Detcd-gitops%2C"
                                        + "etcdgitops.dev%2Fcluster%2C%21etcdgitops.dev%2Fjob&limit=500"));
    }

    @Test
    void startsAgainWhenAContinueTokenHasExpired() {
        var expired = new AtomicBoolean();
        answers(asked -> {
            if (!asked.uri().contains("continue=more")) {
                return ok(page("more", pod(A, 0)));
            }
            return expired.compareAndSet(false, true)
                    ? Optional.of(new Answer(410, "{\"kind\":\"Status\",\"reason\":\"Expired\"}"))
                    : ok(page("", pod(B, 0)));
        });

        SortedMap<ClusterRef, KubeState> rings = new Fabric8Gateway(server.connection()).list();

        assertThat(rings).containsOnlyKeys(A, B);
        assertThat(server.asked().stream().filter(a -> a.uri().startsWith("/api/v1/pods")))
                .hasSize(4);
    }

    @Test
    void knowsNothingOfAKindThatCannotBeListed() {
        server.otherwise(asked -> asked.uri().startsWith("/api/v1/persistentvolumeclaims")
                ? Optional.of(new Answer(403, "forbidden"))
                : ok(asked.uri().startsWith("/api/v1/pods") ? page("", pod(A, 0)) : NOTHING));

        KubeState state = new Fabric8Gateway(server.connection()).list().get(A);

        assertThat(state).isNotNull();
        assertThat(state == null ? Optional.<String>empty() : state.claims().unknownReason())
                .contains("list persistentvolumeclaims: HTTP 403, not allowed for this identity, or forbidden by"
                        + " admission");
        assertThat(state == null ? Optional.<String>empty() : state.pods().unknownReason())
                .isEmpty();
    }

    @Test
    void takesAnApiThatListsNothingAtAllForNoEmptyFleet() {
        server.otherwise(_ -> Optional.of(new Answer(403, "forbidden")));

        assertThatThrownBy(() -> new Fabric8Gateway(server.connection()).list())
                .isInstanceOf(GatewayException.class)
                .hasMessageContaining("HTTP 403");
    }

    @Test
    void listsOnlyTheNamespacesThatItIsTold() throws IOException {
        try (var bounded = new ScriptedApi(List.of("ns", "other"))) {
            bounded.otherwise(
                    asked -> ok(asked.uri().startsWith("/api/v1/namespaces/ns/pods") ? page("", pod(A, 0)) : NOTHING));

            SortedMap<ClusterRef, KubeState> rings = new Fabric8Gateway(bounded.connection()).list();

            assertThat(rings).containsOnlyKeys(A);
            assertThat(bounded.asked())
                    .allMatch(asked -> asked.uri().equals("/apis/policy")
                            || asked.uri().contains("/namespaces/ns/")
                            || asked.uri().contains("/namespaces/other/"));
        }
    }

    @Test
    void readsNothingAsAbsentWhenTheApiIsDown() {
        server.otherwise(_ -> Optional.of(new Answer(503, "")));

        KubeState state = new Fabric8Gateway(server.connection()).read(A, 2);

        assertThat(state.objects().confirmed()).isFalse();
        assertThat(List.of(
                        state.statefulSet().unknownReason(),
                        state.journal().unknownReason(),
                        state.pods().unknownReason(),
                        state.claims().unknownReason(),
                        state.budget().unknownReason(),
                        state.configs().unknownReason(),
                        state.objects().live().unknownReason()))
                .allMatch(Optional::isPresent);
    }

    @Test
    void confirmsNothingWhenOneReadFailed() {
        server.otherwise(
                asked -> asked.uri().endsWith("data-a-1") ? Optional.of(new Answer(500, "")) : absent(asked.uri()));

        KubeState state = new Fabric8Gateway(server.connection()).read(A, 3);

        assertThat(state.claims().unknownReason()).isPresent();
        assertThat(state.statefulSet().optional()).contains(Optional.empty());
        assertThat(state.objects().confirmed()).isFalse();
    }

    private static Optional<Answer> absent(String uri) {
        String name = uri.substring(uri.lastIndexOf('/') + 1);
        return Optional.of(new Answer(
                404, "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"details\":{\"name\":\"" + name + "\"}}"));
    }

    private Listing list(FleetList.Bounds bounds, Predicate<ClusterRef> wanted) {
        return new FleetList(server.api(), List.of(), bounds).list(wanted);
    }

    private void configMaps(Function<Asked, String> answer) {
        server.otherwise(asked -> ok(asked.uri().startsWith("/api/v1/configmaps") ? answer.apply(asked) : NOTHING));
    }

    private static String configMap(String namespace, String name, String ring, String text) {
        return """
            {"metadata":{"namespace":"%s","name":"%s","uid":"u","labels":{
            "app.kubernetes.io/managed-by":"etcd-gitops","etcdgitops.dev/cluster":"%s"}},"data":{"text":"%s"}}\
            """.formatted(namespace, name, ring, text);
    }

    @Test
    void leavesOutNamesThatNoRingCanHaveAndSaysWhereTheyAre() {
        String token = "ghp_" + "a1B2".repeat(9);
        String forge = "glpat-" + "a1".repeat(10);
        configMaps(_ -> page(
                "",
                configMap("ns", "x", token, ""),
                configMap("ns", "y", forge, ""),
                configMap("ns", "a-journal", "a", "")));

        var listing = list(FleetList.Bounds.standard(), _ -> false);

        assertThat(listing.refs()).containsExactly(A);
        assertThat(listing.leftOut())
                .containsExactly("namespace ns: 2 configmaps have a value of the label etcdgitops.dev/cluster that"
                        + " is not a valid name of a ring. They are ignored. Remove the label");
    }

    @Test
    void keepsEveryRingOfADocumentAndAThousandOthers() {
        int junk = 10_000;
        configMaps(_ -> page(
                "",
                IntStream.rangeClosed(0, junk)
                        .mapToObj(i -> i < junk
                                ? configMap("ns", "j" + i + "-journal", "j" + i, "")
                                : configMap("ns", "a-journal", "a", ""))
                        .toArray(String[]::new)));

        var listing = list(FleetList.Bounds.standard(), A::equals);

        assertThat(listing.refs()).hasSize(1001).contains(A);
        assertThat(listing.leftOut())
                .containsExactly("the labels of objects name 9000 more rings without a document, besides the 1000"
                        + " that are shown. Find out who creates objects with the label etcdgitops.dev/cluster");
    }

    @Test
    void readsAnObjectThatIsTooLargeAsUnknownAndTheOtherRingsAsTheyAre() {
        configMaps(_ -> page(
                "",
                configMap("ns", "a-journal", "a", "x".repeat(1_500_000)),
                configMap("ns", "b-members", "b", "small")));

        var rings = list(FleetList.Bounds.standard(), _ -> true).states();

        assertThat(Objects.requireNonNull(rings.get(A)).journal().unknownReason())
                .hasValueSatisfying(why -> assertThat(why)
                        .startsWith("ConfigMap a-journal: it has 15001")
                        .endsWith("and at most 524288 are read"));
        assertThat(Objects.requireNonNull(rings.get(B)).configs().optional()).isPresent();
    }

    @Test
    void keepsNoMoreThanItHasRoomForHoweverLongTheListIs() {
        var random = new Random(1);
        configMaps(_ -> page(
                "",
                IntStream.range(0, 150)
                        .mapToObj(i -> configMap("ns", "j" + i + "-journal", "j" + i, incompressible(random)))
                        .toArray(String[]::new)));

        var rings =
                list(new FleetList.Bounds(1 << 30, 1 << 30, 1 << 20), _ -> true).states();

        assertThat(rings).hasSize(150);
        assertThat(rings.values())
                .filteredOn(state -> state.journal()
                        .unknownReason()
                        .filter(why -> why.contains("the list is too long to read it"))
                        .isEmpty())
                .hasSizeBetween(8, 20);
    }

    private static String incompressible(Random random) {
        var bytes = new byte[75_000];
        random.nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Test
    void readsMetadataAloneOnceAListIsLong() {
        configMaps(asked -> asked.uri().contains("continue=more")
                ? page("", configMap("ns", "b-journal", "b", ""))
                : page("more", configMap("ns", "a-journal", "a", "x".repeat(1000))));

        var rings =
                list(new FleetList.Bounds(1000, 1 << 30, 1 << 30), _ -> true).states();

        assertThat(server.asked())
                .filteredOn(asked -> asked.uri().startsWith("/api/v1/configmaps"))
                .extracting(asked -> asked.accept().contains("PartialObjectMetadataList"))
                .containsExactly(false, true);
        assertThat(Objects.requireNonNull(rings.get(B)).journal().unknownReason())
                .contains("ConfigMap b-journal: the list is too long to read it");
    }

    @Test
    void givesUpAListThatIsLongerThanAnyFleet() {
        configMaps(_ -> page("more", configMap("ns", "a-journal", "a", "x".repeat(1000))));

        var rings =
                list(new FleetList.Bounds(100_000, 100_000, 1 << 30), _ -> true).states();

        assertThat(rings).isEmpty();
        assertThat(server.asked()).hasSizeLessThan(150);
    }

    @Test
    void listsOtherRingsIfOneCannotBeParsed() {
        answers(_ -> ok(page("", pod(A, 0).replace("\"uid\"", "\"creationTimestamp\":{},\"uid\""), pod(B, 0))));

        assertThat(list(FleetList.Bounds.standard(), _ -> true).refs()).contains(B);
    }
}
