package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The settings of Renovate in docs/raise-versions.md find the version of each ring, and nothing else. Renovate's
/// own expressions have no construct that Java reads in another way.
class RenovateInDocsTest {
    private JsonNode manager = new ObjectMapper().createObjectNode();
    private Pattern pattern = Pattern.compile("");

    @BeforeEach
    void readsSettings() throws IOException {
        String page = Files.readString(Path.of("../docs/raise-versions.md"));
        String block = page.substring(page.indexOf("```json\n") + 8);
        var settings = new ObjectMapper().readTree(block.substring(0, block.indexOf("```")));
        manager = settings.path("customManagers").path(0);
        pattern = Pattern.compile(manager.path("matchStrings").path(0).asText());
    }

    private List<String> versions(String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group("currentValue"))
                .toList();
    }

    @Test
    void findsVersionOfEachDocument() {
        assertThat(versions("""
            # version: 1.2.3
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: a, labels: {version: blue}}
            spec:
              size: 3
              version: "3.5.30"  # pinned
            ---
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: b}
            spec: {size: 3, version: '3.6.14'}
            ---
            kind: EtcdCluster
            metadata: {name: c}
            spec: {version: 3.7.1, size: 1}
            """)).containsExactly("3.5.30", "3.6.14", "3.7.1");
    }

    @Test
    void findsRingOfExampleRepository() throws IOException {
        var file = Path.of("../example-repo/clusters/demo/orders.yaml");
        String path = manager.path("managerFilePatterns").path(0).asText();

        assertThat(Pattern.compile(path.substring(1, path.length() - 1))
                        .matcher("clusters/demo/orders.yaml")
                        .find())
                .isTrue();
        assertThat(versions(Files.readString(file))).hasSize(1);
    }

    @Test
    void readsNamesOfReleases() {
        var release =
                Pattern.compile(manager.path("extractVersionTemplate").asText()).matcher("v3.5.33");

        assertThat(release.find()).isTrue();
        assertThat(release.group("version")).isEqualTo("3.5.33");
    }
}
