package io.github.etcdgitops.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PackedFactsTest {
    private static final TreeMap<String, String> FACTS = new TreeMap<>(Map.of(
            "a",
            "",
            "",
            "empty name",
            "statefulSet/uid",
            "u-1",
            "ü\ud83d\ude00",
            "\ud800\u0000",
            "long",
            "x".repeat(200_000)));

    @Test
    void isEqualToTheMapThatItIsMadeOf() {
        var packed = PackedFacts.of(FACTS);

        assertThat(packed).isEqualTo(FACTS).hasSameHashCodeAs(FACTS).hasToString(FACTS.toString());
        assertThat(FACTS).isEqualTo(packed);
        assertThat(packed.get("a")).isEmpty();
        assertThat(packed.get("b")).isNull();
        assertThat(packed.getOrDefault("b", "absent")).isEqualTo("absent");
        assertThat(packed.firstKey()).isEmpty();
        assertThat(packed.lastKey()).isEqualTo(FACTS.lastKey());
        assertThat(packed.subMap("a", "b")).isEqualTo(FACTS.subMap("a", "b"));
        assertThat(packed.headMap("b")).isEqualTo(FACTS.headMap("b"));
        assertThat(packed.tailMap("b")).isEqualTo(FACTS.tailMap("b"));
        assertThat(packed.comparator()).isNull();
        assertThat(PackedFacts.of(packed)).isSameAs(packed);
        assertThat(PackedFacts.of(Map.of())).isEmpty();
    }

    @Test
    void cannotBeChanged() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> PackedFacts.of(FACTS).put("b", "c"));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> PackedFacts.of(FACTS).remove("a"));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> PackedFacts.of(FACTS).clear());
    }
}
