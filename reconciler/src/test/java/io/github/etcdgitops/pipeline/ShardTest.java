package io.github.etcdgitops.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.pipeline.shard.Shard;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardTest {
    @ParameterizedTest
    @CsvSource({"54, 6, 3", "1000, 17, 7", "1, 0, 3", "0, 5, 2"})
    void weightsDifferByNoMoreThanTheHeaviestRing(int ones, int threes, int shards) {
        var rings = fleet(ones, threes);

        var weights = new TreeMap<Integer, Integer>();
        IntStream.range(0, shards).forEach(s -> weights.put(s, 0));
        Shard.assign(rings, shards)
                .forEach((ref, shard) -> weights.merge(shard, weight(rings, ref.name()), Integer::sum));

        assertThat(Collections.max(weights.values()) - Collections.min(weights.values()))
                .isLessThanOrEqualTo(ones == 0 ? 3 : 1);
    }

    private static int weight(List<EtcdClusterSpec> rings, String name) {
        return rings.stream()
                .filter(r -> r.ref().name().equals(name))
                .findFirst()
                .orElseThrow()
                .size();
    }

    @Test
    void everyRingIsInExactlyOneShard() {
        var rings = fleet(40, 9);
        var shuffled = new ArrayList<>(rings);
        Collections.shuffle(shuffled, new Random(7));

        assertThat(Shard.assign(shuffled, 4)).isEqualTo(Shard.assign(rings, 4)).hasSize(49);
    }

    private static List<EtcdClusterSpec> fleet(int ones, int threes) {
        return Map.of(1, ones, 3, threes).entrySet().stream()
                .flatMap(e -> IntStream.range(0, e.getValue())
                        .mapToObj(i ->
                                Given.spec(new ClusterRef("demo", "r" + e.getKey() + "-" + i), e.getKey(), "3.5.16")))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3/3", "-1/3", "0", "0/0", "a/b", "0/3/1", "", "0/1000"})
    void findsNoShardInMalformedText(String text) {
        assertThat(Shard.parse(text)).isEmpty();
    }

    @Test
    void firstShardLeads() {
        assertThat(Shard.parse("0/3").orElseThrow().leads()).isTrue();
        assertThat(Shard.parse("2/3").orElseThrow().leads()).isFalse();
    }
}
