package io.github.etcdgitops.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.validation.Location;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionEditTest {
    private static final EtcdVersion NEW = EtcdVersion.parse("3.5.33").orElseThrow();
    private static final String FILE = "clusters/rings.yaml";

    private static SourceTree tree(String text) {
        return new SourceTree("0", new TreeMap<>(Map.of(FILE, text.getBytes(UTF_8))), List.of(), "");
    }

    /// With the new version for each document that begins in one of these lines.
    private static String edited(String text, int... lines) {
        var wanted = new HashMap<Location, EtcdVersion>();
        for (int line : lines) {
            wanted.put(new Location(FILE, line, 1, ""), NEW);
        }
        var files = VersionEdit.of(tree(text), wanted);
        return files.containsKey(FILE) ? new String(files.get(FILE), UTF_8) : text;
    }

    @Test
    void changesNothingButTheVersion() {
        String text = """
            # Orders: ask the shop team, étoile ☃
            kind:   EtcdCluster
            spec:
                version : "3.5.30"   # keep an eye on 3.5.30
                size: 3
            status: 'version: "3.5.30"'
            """;

        assertThat(edited(text, 2)).isEqualTo(text.replace("version : \"3.5.30\"   #", "version : \"3.5.33\"   #"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spec: {size: 3, version: \"3.5.30\", tls: {}}",
                "spec: {size: 3, version: '3.5.30'}",
                "spec: {version: 3.5.30}",
                "{\"spec\": {\"version\": \"3.5.30\"}}",
                "spec:\r\n  version: 3.5.30\r\n  size: 3\r\n",
                "spec: {note: \"𝔘𝔫𝔦\", version: 3.5.30}"
            })
    void knowsEachWayToWriteIt(String text) {
        assertThat(edited(text, 1)).isEqualTo(text.replace("3.5.30", "3.5.33"));
    }

    @Test
    void changesOnlyTheNamedDocumentsOfAFile() {
        String text = "spec: {version: 3.5.30}\n---\nspec: {version: 3.5.30}\n---\nspec: {version: 3.5.30}\n";

        assertThat(edited(text, 3))
                .isEqualTo("spec: {version: 3.5.30}\n---\nspec: {version: 3.5.33}\n---\nspec: {version: 3.5.30}\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spec: {size: 3}",
                "spec:\n  version: |-\n    3.5.30\n",
                "spec: {version: \"3.\\u0035.30\"}",
                "spec: {version: [3]}",
                "spec: {version: }",
                "3.5.30",
                ""
            })
    void leavesWhatIsWrittenInAnotherWay(String text) {
        assertThat(edited(text, 1)).isEqualTo(text);
    }
}
