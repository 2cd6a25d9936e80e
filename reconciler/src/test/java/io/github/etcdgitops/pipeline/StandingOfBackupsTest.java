package io.github.etcdgitops.pipeline;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.fake.FakeStore;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.pipeline.backup.Protections;
import io.github.etcdgitops.plan.BackupStanding;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.value.EtcdId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What is known of a ring's backups right before something is done to it.
class StandingOfBackupsTest {
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

    private final Map<String, FakeStore> stores = Map.of(
            "/near", new FakeStore("near", InstantSource.fixed(NOW)),
            "/far", new FakeStore("far", InstantSource.fixed(NOW)));
    private final FakeWorld world = Given.ring("demo", "orders").build();
    private final EtcdId own = world.look(ORDERS).clusterId().orElseThrow();

    private static DesiredState desired() {
        var tree = new TreeMap<String, byte[]>();
        tree.put(
                "clusters/orders.yaml",
                bytes("apiVersion: etcdgitops.dev/v1alpha1\nkind: EtcdCluster\n"
                        + "metadata: {name: orders, namespace: demo}\nspec: {size: 3, version: \"3.5.16\"}\n"));
        for (String place : List.of("near", "far")) {
            tree.put("policies/" + place + ".yaml", bytes("""
                apiVersion: etcdgitops.dev/v1alpha1
                kind: BackupPolicy
                metadata: {name: %s}
                spec: {clusters: {namespaces: [demo]}, every: 24h, destination: {directory: {path: /%s}}}
                """.formatted(place, place)));
        }
        var state = SpecLoader.load(new SourceTree("0", tree, List.of(), "digest"));
        assertThat(state.violations()).isEmpty();
        return state;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private FakeStore store(String path) {
        return Objects.requireNonNull(stores.get(path));
    }

    private void keep(String path, EtcdId cluster, String id, String... more) {
        var key = new BackupKey("default", ORDERS, cluster, id);
        store(path).put(key.file("snapshot.db"), new byte[1]);
        store(path).put(key.file(BackupKey.MANIFEST), new byte[1]);
        for (String file : more) {
            store(path).put(key.file(file), new byte[1]);
        }
    }

    private BackupStanding standing() {
        var desired = desired();
        return Protections.standing(
                place -> stores.entrySet().stream()
                        .filter(store -> place.title().contains(store.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElseThrow(),
                desired,
                "default",
                fresh(world, spec(3)),
                Objects.requireNonNull(desired.rings().get(ORDERS)),
                NOW);
    }

    @Test
    void countsNewestBackupOfAllPlaces() {
        keep("/near", own, "20261120T030000Z", BackupKey.DRILL + "20261120T040000Z-passed.json");
        keep("/far", own, "20261121T030000Z");
        keep("/far", own, "20261122T030000Z", BackupKey.DAMAGED);
        keep("/near", new EtcdId(7), "20261122T050000Z");

        var standing = standing();

        assertThat(standing.policies()).containsExactly("far", "near");
        assertThat(standing.taken()).contains(Instant.parse("2026-11-21T03:00:00Z"));
        assertThat(standing.drilled()).contains(Instant.parse("2026-11-20T04:00:00Z"));
        assertThat(standing.unread()).isEmpty();
    }

    @Test
    void namesPlaceThatCannotBeRead() {
        keep("/near", own, "20261120T030000Z");
        store("/far").failAll(GatewayException.Kind.UNREACHABLE);

        assertThat(standing().taken()).contains(Instant.parse("2026-11-20T03:00:00Z"));
        assertThat(standing().unread())
                .singleElement()
                .satisfies(why -> assertThat(why).startsWith("policy far: "));
    }

    /// What is known of another ring says nothing of this one.
    @Test
    void ignoresBackupsOfOtherRings() {
        var other = new BackupKey("default", new ClusterRef("demo", "billing"), own, "20261122T050000Z");
        store("/near").put(other.file("snapshot.db"), new byte[1]);
        store("/near").put(other.file(BackupKey.MANIFEST), new byte[1]);

        assertThat(standing().taken()).isEmpty();
    }
}
