package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.RingManifests;
import io.github.etcdgitops.gateway.kube.write.Drift;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DriftTest {
    @Test
    void takesWhatTheServerAddsForNoDrift() {
        var wanted = Map.<String, Object>of("spec", Map.of("type", "ClusterIP"));
        var live = Map.<String, Object>of(
                "spec", Map.of("type", "ClusterIP", "sessionAffinity", "None"), "status", Map.of("x", 1));

        assertThat(Drift.pointers(wanted, live)).isEmpty();
    }

    @Test
    void namesWhatIsMissingAndWhatDiffers() {
        var wanted = Map.<String, Object>of("spec", Map.of("a", 1, "b", "x", "c/d~e", "y"));
        var live = Map.<String, Object>of("spec", Map.of("a", 2, "b", "x"));

        assertThat(Drift.pointers(wanted, live)).containsExactly("/spec/a", "/spec/c~1d~0e");
    }

    @Test
    void namesAWholeMissingPart() {
        assertThat(Drift.pointers(Map.of("spec", Map.of("a", 1)), Map.of())).containsExactly("/spec");
    }

    @Test
    void comparesListsElementByElement() {
        var wanted = Map.<String, Object>of("ports", List.of(Map.of("port", 1), Map.of("port", 2)));

        assertThat(Drift.pointers(wanted, Map.of("ports", List.of(Map.of("port", 1, "nodePort", 9)))))
                .containsExactly("/ports/1");
        assertThat(Drift.pointers(
                        wanted, Map.of("ports", List.of(Map.of("port", 1), Map.of("port", 3), Map.of("port", 4)))))
                .containsExactly("/ports/1/port", "/ports/2");
    }

    @Test
    void takesOneKeyMoreInDataOrSelectorsForDrift() {
        var wanted = Map.<String, Object>of(
                "data", Map.of("a", "1"), "spec", Map.of("selector", Map.of("matchLabels", Map.of("x", "y"))));
        var live = Map.<String, Object>of(
                "data",
                Map.of("a", "1", "b", "2"),
                "spec",
                Map.of("selector", Map.of("matchLabels", Map.of("x", "y", "z", "w"))));

        assertThat(Drift.pointers(wanted, live)).containsExactly("/data/b", "/spec/selector/matchLabels/z");
    }

    @Test
    void takesANarrowedNetworkRuleForDrift() {
        var wanted = Map.<String, Object>of("spec", Map.of("ingress", List.of(Map.of("ports", List.of()))));
        var live = Map.<String, Object>of(
                "spec", Map.of("ingress", List.of(Map.of("from", List.of(Map.of("podSelector", Map.of()))))));

        assertThat(Drift.pointers(wanted, live)).containsExactly("/spec/ingress/0/from");
    }

    @Test
    void comparesQuantitiesByValue() {
        var wanted = Map.<String, Object>of("limits", Map.of("cpu", "1000m", "memory", "1Gi", "disk", "2Gi"));
        var live = Map.<String, Object>of("limits", Map.of("cpu", "1", "memory", "1024Mi", "disk", "2G"));

        assertThat(Drift.pointers(wanted, live)).containsExactly("/limits/disk");
    }

    @Test
    void comparesPlainTextsAsTexts() {
        assertThat(Drift.pointers(Map.of("image", "1000m"), Map.of("image", "1")))
                .containsExactly("/image");
    }

    @Test
    void takesAPortAsNumberOrText() {
        assertThat(Drift.pointers(Map.of("port", 2379), Map.of("port", "2379"))).isEmpty();
        assertThat(Drift.pointers(Map.of("port", 2379L), Map.of("port", 2379))).isEmpty();
        assertThat(Drift.pointers(Map.of("port", 2379), Map.of("port", "client")))
                .containsExactly("/port");
    }

    @Test
    void takesAnOmittedFalseOrEmptyForTheSame() {
        var wanted = Map.<String, Object>of("publish", false, "emptyDir", Map.of(), "list", List.of());

        assertThat(Drift.pointers(wanted, Map.of())).isEmpty();
        assertThat(Drift.pointers(wanted, Map.of("publish", true))).containsExactly("/publish");
    }

    @Test
    void overlooksWhoWroteLast() {
        var wanted = Map.<String, Object>of("metadata", Map.of("annotations", Map.of(Labels.EPOCH, "1", "a", "b")));
        var live = Map.<String, Object>of("metadata", Map.of("annotations", Map.of(Labels.EPOCH, "2", "a", "c")));

        assertThat(Drift.pointers(wanted, live)).containsExactly("/metadata/annotations/a");
    }

    @Test
    void forgivesAFieldThatOldServersDrop() {
        var wanted = Tree.plain(RingManifests.statefulSet(Samples.full(), 5));
        var live = new HashMap<>(wanted);
        live.computeIfPresent("spec", (_, spec) -> without(spec, "persistentVolumeClaimRetentionPolicy"));

        assertThat(Drift.pointers(wanted, live)).isEmpty();
    }

    @Test
    void findsNoneBetweenARenderedObjectAndItself() {
        var tree = Tree.plain(RingManifests.statefulSet(Samples.full(), 5));

        assertThat(Drift.pointers(tree, tree)).isEmpty();
    }

    @Test
    void findsANullWhereAValueShouldBe() {
        var live = new HashMap<String, Object>();
        live.put("a", null);

        assertThat(Drift.pointers(Map.of("a", Arrays.asList("x", null)), live)).containsExactly("/a");
    }

    private static Map<Object, Object> without(Object map, String key) {
        var copy = new HashMap<Object, Object>((Map<?, ?>) map);
        copy.remove(key);
        return copy;
    }
}
