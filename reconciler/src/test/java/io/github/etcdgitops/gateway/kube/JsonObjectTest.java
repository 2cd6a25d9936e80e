package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonObjectTest {
    @Test
    void sortsFieldsInWhateverOrderTheyAreWritten() {
        var object = new JsonObject()
                .put("b", new JsonObject().put("z", 1).put("y", true))
                .put("a", Map.of("d", "1", "c", "2"))
                .put("c", JsonObject.from(Map.of("f", Map.of("h", 1, "g", 2), "e", 3)));

        assertThat(object.tree())
                .hasToString("{\"a\":{\"c\":\"2\",\"d\":\"1\"},\"b\":{\"y\":true,\"z\":1},"
                        + "\"c\":{\"e\":3,\"f\":{\"g\":2,\"h\":1}}}");
    }

    @Test
    void leavesOutWhatIsAbsentOrAnEmptyListOrMap() {
        var object = new JsonObject()
                .put("absent", Optional.empty())
                .put("map", Map.of())
                .texts("texts", List.of())
                .objects("objects", List.of())
                .put("given", Optional.of("x"))
                .put("text", "")
                .put("no", false)
                .put("object", new JsonObject());

        assertThat(object.tree()).hasToString("{\"given\":\"x\",\"no\":false,\"object\":{},\"text\":\"\"}");
    }

    @Test
    void beginsAnObjectOfKubernetesWithItsKind() {
        var object = JsonObject.of(ObjectKind.CONFIG_MAP, new JsonObject().put("name", "x"))
                .put("data", Map.of("a", "b"));

        assertThat(object.tree())
                .hasToString("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"},"
                        + "\"data\":{\"a\":\"b\"}}");
    }

    /// Otherwise the same object would not be equal to the one that an API server answers.
    @Test
    void numbersAreAsAParserReadsThem() throws IOException {
        var object = new JsonObject().put("int", 5).put("long", 5_000_000_000L);

        assertThat(object.tree())
                .isEqualTo(new ObjectMapper().readTree(object.tree().toString()));
    }
}
