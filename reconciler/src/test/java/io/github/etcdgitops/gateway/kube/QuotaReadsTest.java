package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.kube.read.QuotaReads;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Quantity;
import io.github.etcdgitops.state.NamespaceQuota;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QuotaReadsTest {
    private static final ClusterRef REF = new ClusterRef("demo", "orders");

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
    void readsWhatTheControllerHasCounted() {
        api.answering(200, list("""
            {"metadata": {"name": "team"}, "spec": {"hard": {"pods": "99"}},
             "status": {"hard": {"pods": "10", "requests.storage": "100Gi"},
                        "used": {"pods": "4", "requests.storage": "40Gi"}}}\
            """));

        var quota = read().getFirst();

        assertThat(quota.name()).isEqualTo("team");
        assertThat(quota.scoped()).isFalse();
        assertThat(quota.left("pods").plain()).isEqualTo("6");
        assertThat(quota.left("requests.storage").inBytes()).isEqualTo("60Gi");
        assertThat(api.asked())
                .extracting(ScriptedApi.Asked::uri)
                .containsExactly("/api/v1/namespaces/demo/resourcequotas?labelSelector=&limit=50");
    }

    @Test
    void uncountedQuotaLimitsNothing() {
        api.answering(200, list("{\"metadata\": {\"name\": \"new\"}, \"spec\": {\"hard\": {\"pods\": \"1\"}}}"));

        assertThat(read()).containsExactly(new NamespaceQuota("new", false, new TreeMap<>(), new TreeMap<>()));
    }

    @Test
    void tellsThatAQuotaIsAboutSomePodsOnly() {
        api.answering(200, list("{\"metadata\": {\"name\": \"a\"}, \"spec\": {\"scopes\": [\"BestEffort\"]}}", """
            {"metadata": {"name": "b"}, "spec": {"scopeSelector": {"matchExpressions": [
                {"scopeName": "PriorityClass", "operator": "In", "values": ["high"]}]}}}\
            """));

        assertThat(read()).allMatch(NamespaceQuota::scoped).hasSize(2);
    }

    @Test
    void moreThanTheLimitThatIsUsedLeavesNothing() {
        var over = new NamespaceQuota(
                "team",
                false,
                new TreeMap<>(Map.of("pods", Quantity.parse("3").orElseThrow())),
                new TreeMap<>(Map.of("pods", Quantity.parse("5").orElseThrow())));

        assertThat(over.left("pods")).isEqualByComparingTo(Quantity.ZERO);
    }

    @Test
    void neverTakesRefusalForEmptyList() {
        api.answering(403, "{}");

        assertThatThrownBy(this::read)
                .isInstanceOfSatisfying(
                        GatewayException.class,
                        e -> assertThat(e.kind()).isEqualTo(GatewayException.Kind.UNAUTHORIZED));
    }

    private List<NamespaceQuota> read() {
        return new QuotaReads(api.rings()).of(REF);
    }

    private static String list(String... quotas) {
        return "{\"kind\":\"ResourceQuotaList\",\"metadata\":{},\"items\":[" + String.join(",", quotas) + "]}";
    }
}
