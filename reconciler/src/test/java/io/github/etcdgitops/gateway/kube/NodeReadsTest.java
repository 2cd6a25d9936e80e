package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.read.Hosts;
import io.github.etcdgitops.gateway.kube.read.NodeReads;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.Machine;
import io.github.etcdgitops.state.value.Observed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeReadsTest {
    private static final Instant SINCE = Instant.parse("2026-01-05T10:00:00Z");
    private static final String NODES = "/api/v1/nodes";
    private static final String BY_LABEL = NODES + "?labelSelector=kubernetes.io%2Fhostname%3Dm7&limit=1";

    private final Map<String, ScriptedApi.Answer> answers = new HashMap<>();
    private ScriptedApi api;

    @BeforeEach
    void start() throws IOException {
        api = new ScriptedApi(List.of());
        api.otherwise(asked -> Optional.ofNullable(answers.get(asked.uri())));
    }

    @AfterEach
    void stop() {
        api.close();
    }

    @Test
    void asksNothingOfHealthyRing() throws IOException {
        assertThat(read(pod("m7", true, false), claim("Bound"))).isEqualTo(Hosts.NONE);

        assertThat(api.asked()).isEmpty();
    }

    @Test
    void reportsSinceWhenNodeIsUnresponsive() throws IOException {
        answers.put(NODES + "/m7", node("m7", "Unknown"));

        assertThat(read(pod("m7", false, false), claim("Bound")))
                .isEqualTo(new Hosts(Map.of(0, new Host("m7", Observed.known(new Machine.Silent(SINCE)))), Map.of()));
    }

    @Test
    void reportsReadyNode() throws IOException {
        answers.put(NODES + "/m7", node("m7", "True"));

        assertThat(read(pod("m7", true, true), claim("Bound")).ofPod(0))
                .contains(new Host("m7", Observed.known(new Machine.Ready())));
    }

    /// The pod is still there: nobody has collected it yet.
    @Test
    void reportsNodeGoneIfItsNameIsNotFound() throws IOException {
        answers.put(NODES + "/m7", absent("m7"));
        answers.put("/api/v1/persistentvolumes/pv-1", volume(hostname("m7")));
        answers.put(BY_LABEL, nodes());

        var hosts = read(pod("m7", false, false), claim("Bound"));

        var gone = new Host("m7", Observed.known(new Machine.Gone()));
        assertThat(hosts).isEqualTo(new Hosts(Map.of(0, gone), Map.of(0, gone)));
    }

    @Test
    void readsNodeOfVolumeOfUnschedulablePod() throws IOException {
        answers.put("/api/v1/persistentvolumes/pv-1", volume(hostname("m7")));
        answers.put(BY_LABEL, nodes());
        answers.put(NODES + "/m7", absent("m7"));

        assertThat(read(pod("", false, false), claim("Bound")).ofVolume(0).filter(Host::gone))
                .isPresent();
    }

    /// A machine may be called otherwise than its label says.
    @Test
    void nodeFoundByLabelExists() throws IOException {
        answers.put("/api/v1/persistentvolumes/pv-1", volume(hostname("m7")));
        answers.put(BY_LABEL, nodes(node("ip-10-0-0-7", "True").body()));

        assertThat(read(pod("", false, false), claim("Bound")).ofVolume(0))
                .contains(new Host("m7", Observed.known(new Machine.Ready())));
    }

    @Test
    void nodeWithoutLabelStillExists() throws IOException {
        answers.put("/api/v1/persistentvolumes/pv-1", volume(hostname("m7")));
        answers.put(BY_LABEL, nodes());
        answers.put(NODES + "/m7", node("m7", "False"));

        assertThat(read(pod("", false, false), claim("Bound")).ofVolume(0))
                .contains(new Host("m7", Observed.known(new Machine.Silent(SINCE))));
    }

    @Test
    void reportsVolumeReadyIfOneOfItsNodesExists() throws IOException {
        answers.put("/api/v1/persistentvolumes/pv-1", volume(hostname("m7", "m8")));
        answers.put(BY_LABEL, nodes());
        answers.put(NODES + "/m7", absent("m7"));
        answers.put(BY_LABEL.replace("m7", "m8"), nodes(node("m8", "True").body()));

        assertThat(read(pod("", false, false), claim("Bound")).ofVolume(0))
                .contains(new Host("m7, m8", Observed.known(new Machine.Ready())));
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 500, 404})
    void neverTakesUnreadableNodeForGone(int code) throws IOException {
        answers.put("/api/v1/persistentvolumes/pv-1", volume(hostname("m7")));
        answers.put(BY_LABEL, nodes());
        answers.put(NODES + "/m7", new ScriptedApi.Answer(code, "a proxy's"));

        var pods = read(pod("m7", false, false), claim("Bound"));
        var volumes = read(pod("", false, false), claim("Bound"));

        assertThat(pods.ofPod(0).orElseThrow().machine().unknownReason()).isPresent();
        assertThat(pods.volumes()).isEmpty();
        assertThat(volumes.ofVolume(0).orElseThrow().machine().unknownReason()).isPresent();
    }

    @Test
    void failedListProvesNoAbsence() throws IOException {
        answers.put("/api/v1/persistentvolumes/pv-1", volume(hostname("m7")));
        answers.put(BY_LABEL, new ScriptedApi.Answer(403, ""));
        answers.put(NODES + "/m7", absent("m7"));

        assertThat(read(pod("", false, false), claim("Bound"))
                        .ofVolume(0)
                        .orElseThrow()
                        .machine()
                        .unknownReason())
                .isPresent();
    }

    @Test
    void reportsUnreadableVolumeAsUnknown() throws IOException {
        answers.put("/api/v1/persistentvolumes/pv-1", new ScriptedApi.Answer(403, ""));

        assertThat(read(pod("", false, false), claim("Bound"))
                        .ofVolume(0)
                        .orElseThrow()
                        .machine()
                        .unknownReason())
                .isPresent();
    }

    /// All machines of a zone may be gone for an hour, and its volumes are still there.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"matchExpressions\":[{\"key\":\"topology.kubernetes.io/zone\",\"operator\":\"In\",\"values\":[\"a\"]}]}",
                "{\"matchExpressions\":[{\"key\":\"kubernetes.io/hostname\",\"operator\":\"NotIn\",\"values\":[\"m7\"]}]}",
                "{\"matchExpressions\":[{\"key\":\"kubernetes.io/hostname\",\"operator\":\"In\",\"values\":[\"m7\"]}]},"
                        + "{\"matchExpressions\":[{\"key\":\"topology.kubernetes.io/zone\",\"operator\":\"Exists\"}]}"
            })
    void reportsNoNodeOfVolumeNotTiedToNodes(String terms) throws IOException {
        answers.put("/api/v1/persistentvolumes/pv-1", volume(terms));

        assertThat(read(pod("", false, false), claim("Bound"))).isEqualTo(Hosts.NONE);
    }

    @Test
    void readsNothingForClaimWithoutVolume() throws IOException {
        assertThat(read(pod("", false, false), claim("Lost"))).isEqualTo(Hosts.NONE);

        assertThat(api.asked()).isEmpty();
    }

    @Test
    void podsThatCouldNotBeReadTellNothing() throws IOException {
        var claims = new TreeMap<>(Map.of(0, Tree.parse(claim("Bound").getBytes(StandardCharsets.UTF_8))));

        assertThat(new NodeReads(api.api()).of(Observed.unknown("no"), Observed.known(claims)))
                .isEqualTo(Hosts.NONE);
    }

    private Hosts read(String pod, String claim) throws IOException {
        return new NodeReads(api.api()).of(Observed.known(one(pod)), Observed.known(one(claim)));
    }

    private static SortedMap<Integer, ObjectNode> one(String json) throws IOException {
        return new TreeMap<>(Map.of(0, Tree.parse(json.getBytes(StandardCharsets.UTF_8))));
    }

    private static String pod(String node, boolean ready, boolean terminating) {
        return "{\"metadata\":{\"name\":\"orders-0\""
                + (terminating ? ",\"deletionTimestamp\":\"2026-01-05T10:05:00Z\"" : "") + "},\"spec\":{"
                + (node.isEmpty() ? "" : "\"nodeName\":\"" + node + "\"")
                + "},\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"" + (ready ? "True" : "False")
                + "\"}]}}";
    }

    private static String claim(String phase) {
        return "{\"metadata\":{\"name\":\"data-orders-0\"},\"spec\":{\"volumeName\":\"pv-1\"},\"status\":{\"phase\":\""
                + phase + "\"}}";
    }

    private static ScriptedApi.Answer volume(String terms) {
        String affinity =
                terms.isEmpty() ? "" : "\"nodeAffinity\":{\"required\":{\"nodeSelectorTerms\":[" + terms + "]}}";
        return new ScriptedApi.Answer(200, "{\"metadata\":{\"name\":\"pv-1\"},\"spec\":{" + affinity + "}}");
    }

    private static String hostname(String... names) {
        return "{\"matchExpressions\":[{\"key\":\"kubernetes.io/hostname\",\"operator\":\"In\",\"values\":[\""
                + String.join("\",\"", names) + "\"]}]}";
    }

    private static ScriptedApi.Answer node(String name, String ready) {
        return new ScriptedApi.Answer(
                200,
                "{\"metadata\":{\"name\":\"" + name
                        + "\"},\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"" + ready
                        + "\",\"lastTransitionTime\":\"" + SINCE + "\"}]}}");
    }

    private static ScriptedApi.Answer nodes(String... items) {
        return new ScriptedApi.Answer(200, "{\"metadata\":{},\"items\":[" + String.join(",", items) + "]}");
    }

    private static ScriptedApi.Answer absent(String name) {
        return new ScriptedApi.Answer(
                404, "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"details\":{\"name\":\"" + name + "\"}}");
    }
}
