package io.github.etcdgitops.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestFileTest {
    private static final String ID = "20260102T030405Z";

    private static String text() {
        return new String(ManifestFile.write(Manifests.manifest(ID)), StandardCharsets.UTF_8);
    }

    @Test
    void readsWhatItWrote() {
        var manifest = Manifests.manifest(ID);

        assertThat(ManifestFile.read(ManifestFile.write(manifest))).isEqualTo(manifest);
    }

    @Test
    void acceptsFieldsOfLaterVersions() {
        String later = text().replace("\"formatVersion\" : \"1.0\"", "\"formatVersion\" : \"1.7\", \"extra\" : {}");

        assertThat(ManifestFile.read(later.getBytes(StandardCharsets.UTF_8))).isEqualTo(Manifests.manifest(ID));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        "formatVersion" : "1.0" | "formatVersion" : "2.0" | format 2.0
        BackupManifest          | Plan                    | another kind
        "revision" : 812,       | "revision" : "many",    | revision
        "size" : 20512,         | "size" : 20512.5,       | size
        "etcdVersion" : "3.5.16"| "etcdVersion" : "new"   | etcd version
        "clusterId" : "abc"     | "clusterId" : "xyz"     | invalid time or number
        "size" : 20512,         | "size" : -1,            | size -1
        "size" : 20512,         | "size" : 9223372036854775807, | size 9223372036854775807
        2026-01-02T03:04:05Z    | yesterday               | time
        2026-01-02T03:04:05Z    | +1000000000-12-31T23:59:59Z | `began`
        2026-01-02T03:04:05Z    | -1000000000-01-01T00:00:00Z | `began`
        "id" : "20260102T030405Z" | "id" : 7              | `id`
        """)
    void saysWhatIsWrong(String good, String bad, String message) {
        assertThat(text()).contains(good);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ManifestFile.read(text().replace(good, bad).getBytes(StandardCharsets.UTF_8)))
                .withMessageContaining(message);
    }

    @Test
    void refusesInvalidDigest() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        ManifestFile.read(text().replace("ab".repeat(32), "ab").getBytes(StandardCharsets.UTF_8)))
                .withMessageContaining("sha256");
    }

    @ParameterizedTest
    @CsvSource({"''", "{", "[]", "null", "7", "\"\""})
    void refusesWhatIsNoManifest(String bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ManifestFile.read(bytes.getBytes(StandardCharsets.UTF_8)))
                .withMessageContaining("manifest");
    }
}
