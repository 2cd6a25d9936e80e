package io.github.etcdgitops.report.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5})
    void piecesAreTheSameAsTheWholeDocument(int count) {
        var rings = new ArrayList<Map<String, Object>>();
        for (int i = 0; i < count; i++) {
            rings.add(new TreeMap<>(Map.of(
                    "name", "ring \"clusters\" : [ ] ##vso[x]\n" + i,
                    "nothing", Map.of(),
                    "none", List.of(),
                    "list", List.of(Map.of("a", 1), Map.of("b", List.of("c", "\u001b"))))));
        }
        var document = new TreeMap<String, Object>(Map.of(
                "a",
                "\"clusters\" : [ ]",
                "banners",
                List.of(),
                "summary",
                Map.of("clusters", count),
                "z",
                List.of("##[")));
        var whole = new TreeMap<>(document);
        whole.put("clusters", rings);
        var pieces = new StringBuilder();

        Json.write(document, "clusters", rings.stream(), pieces::append);

        assertThat(pieces).hasToString(Json.write(whole));
    }
}
