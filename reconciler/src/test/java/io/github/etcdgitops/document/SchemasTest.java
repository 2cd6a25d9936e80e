package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Schemas;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SchemasTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> FREE = Set.of("labels", "annotations", "features", "affinity", "nodeSelector");

    @ParameterizedTest
    @EnumSource(
            names = {
                "FLEET",
                "ETCD_CLUSTER",
                "APPROVAL",
                "BACKUP_POLICY",
                "ETCD_BACKUP",
                "ETCD_RESTORE",
                "VOLUME_RESET",
                "MEMBER_REPLACEMENT",
                "ETCD_USER",
                "ETCD_ROLE",
                "POLICY",
                "POLICY_EXEMPTION",
                "TOMBSTONE"
            })
    void areValidSchemasWithIdTitleAndValidExamples(DocumentKind kind) throws IOException {
        var schema = JSON.readTree(Schemas.text(kind.title()).orElseThrow());
        var metaSchema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

        assertThat(metaSchema.validate(schema.toString(), InputFormat.JSON)).isEmpty();
        assertThat(schema.path("$id").asText()).startsWith(Schemas.BASE);
        assertThat(schema.path("examples"))
                .isNotEmpty()
                .allSatisfy(example ->
                        assertThat(Schemas.of(kind).validate(example)).isEmpty());
        everyPropertyHasATitleAndIsClosed(schema, schema);
    }

    @Test
    void fetchNothingFromTheNetwork() throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(300);
            String remote = "http://127.0.0.1:" + server.getLocalPort() + "/evil.json";

            assertRefused(remote);

            assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void fetchNothingFromFilesOrTheClassPathAtLarge(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("evil.json"), "{}");

        assertRefused(file.toUri().toString());
        assertRefused("classpath:/schemas/fleet.schema.json");
        assertRefused("resource:/schemas/fleet.schema.json");
        assertRefused("https://json-schema.org/draft/2020-12/elsewhere");
    }

    @Test
    void offerTextByKindInAnyCase() {
        assertThat(Schemas.text("etcdcluster"))
                .isEqualTo(Schemas.text("EtcdCluster"))
                .isPresent();
        assertThat(Schemas.text("../../../etc/passwd")).isEmpty();
    }

    private static void assertRefused(String reference) {
        String id = Schemas.BASE + "test.json";
        String schema = "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"$id\": \"" + id
                + "\", \"$ref\": \"" + reference + "\"}";
        var registry = Schemas.registry(Map.of(id, schema));

        assertThatThrownBy(() -> Schemas.compile(registry, id).validate("{}", InputFormat.JSON))
                .isInstanceOf(SchemaException.class);
    }

    private static void everyPropertyHasATitleAndIsClosed(JsonNode root, JsonNode node) {
        node.path("properties").properties().forEach(property -> {
            String ref = property.getValue().path("$ref").asText();
            var rule = ref.isEmpty() ? property.getValue() : root.at(ref.substring(1));
            assertThat(rule.path("title").asText()).as(property.getKey()).isNotEmpty();
            if (rule.has("properties")) {
                assertThat(rule.path("additionalProperties").asBoolean(true))
                        .as(property.getKey())
                        .isFalse();
            } else if (rule.path("type").asText().equals("object")) {
                assertThat(FREE.contains(property.getKey()) || rule.has("additionalProperties"))
                        .as(property.getKey())
                        .isTrue();
            }
            everyPropertyHasATitleAndIsClosed(root, rule);
            everyPropertyHasATitleAndIsClosed(root, rule.path("items"));
        });
    }
}
