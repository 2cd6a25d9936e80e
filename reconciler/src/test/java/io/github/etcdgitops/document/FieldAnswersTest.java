package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.field.TimeZones;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Violation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What single fields take, and what is said where they do not.
class FieldAnswersTest {
    @ParameterizedTest
    @CsvSource({
        "8589934592, 8589934592",
        "8Gi, 8589934592",
        "1.5Gi, 1610612736",
        "2G, 2000000000",
        "'\"1e9\"', 1000000000",
        "'\"2Gi\"', 2147483648",
        "2147483648, 2147483648"
    })
    void takeQuantitiesWhereverBytesAre(String written, long bytes) {
        var ring = ring("  storage: {size: 100Gi}\n  etcd: {quotaBackendBytes: " + written + "}\n");

        assertThat(((Number) ring.server().options().get("quotaBackendBytes")).longValue())
                .isEqualTo(bytes);
    }

    @Test
    void takeNumbersWhereverQuantitiesOfBytesAre() {
        var requests = ring("  etcd: {maxRequestBytes: 2Mi}\n").server().options();
        var defragment = ring("  maintenance: {defragment: {unusedPercent: 50, minimumSize: 104857600}}\n")
                .declaration()
                .handling()
                .maintenance()
                .defragment()
                .orElseThrow();

        assertThat(requests).containsEntry("maxRequestBytes", 2097152);
        assertThat(defragment.minimumSize()).isEqualTo(104857600);
        assertThat(violations("policies/a.yaml", Trees.policy("a", "  bytesPerSecond: 52428800\n")))
                .isEmpty();
    }

    @Test
    void treatsQuantityAndItsBytesAsEqual() {
        assertThat(ring("  etcd: {quotaBackendBytes: 2Gi}\n").server())
                .isEqualTo(ring("  etcd: {quotaBackendBytes: 2147483648}\n").server());
    }

    @ParameterizedTest
    @ValueSource(strings = {"CST", "EST", "IST", "BST", "MST", "HST", "PST", "EDT", "CEST", "cst", "JST", "AEST"})
    void abbreviationsOfTimeZonesAreAmbiguous(String name) {
        var trouble = TimeZones.trouble(name);

        assertThat(TimeZones.find(name)).isEmpty();
        assertThat(trouble.what()).endsWith("abbreviations are ambiguous");
        assertThat(trouble.remedy()).isEqualTo("Name a city, for example America/New_York, or UTC.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Europe/Berln | Did you mean `Europe/Berlin`?",
                "europe/berlin | Write `Europe/Berlin`.",
                "utc | Write `UTC`.",
                "Berlin | Did you mean `Europe/Berlin`?",
                "new york | Did you mean `America/New_York`?",
                "GMT+2 | Name a city, for example Europe/Vienna; the zone that is always 2 hours ahead of UTC is"
                        + " Etc/GMT-2.",
                "UTC-05:00 | Name a city, for example Europe/Vienna; the zone that is always 5 hours behind UTC is"
                        + " Etc/GMT+5.",
                "+05:30 | Name a city, for example Europe/Vienna, or UTC.",
                "UTC+0 | Write UTC.",
                "Mars/Olympus | For example Europe/Vienna, or UTC.",
                "W. Europe Standard Time | For example Europe/Vienna, or UTC."
            })
    void namesThatAreNoTimeZone(String name, String remedy) {
        assertThat(TimeZones.find(name)).isEmpty();
        assertThat(TimeZones.trouble(name).remedy()).isEqualTo(remedy);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.168.1.1",
                "10.0.0.1",
                "a..b",
                "xn--bucket",
                "sthree-bucket",
                "amzn-s3-demo-bucket",
                "bucket-s3alias",
                "bucket--ol-s3",
                "bucket.mrap",
                "bucket--x-s3"
            })
    void bucketsThatS3DoesNotHave(String bucket) {
        var policy = Trees.policy("a", "").replace("directory: {path: /backups/a}", s3(bucket));
        var restore = Trees.restore("a", "url: \"s3://" + bucket + "/a.db\", region: eu-west-1");

        assertThat(violations("policies/a.yaml", policy))
                .extracting(Violation::code)
                .containsExactly("bad-bucket");
        assertThat(violations("clusters/again.yaml", restore))
                .extracting(Violation::code)
                .contains("bad-bucket");
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.168.1.1", "a..b", "goog-backups", "my-google-bucket", "g00gle-bucket", "a-.b"})
    void bucketsThatGoogleDoesNotHave(String bucket) {
        var policy = Trees.policy("a", "").replace("directory: {path: /backups/a}", "gcs: {bucket: " + bucket + "}");

        assertThat(violations("policies/a.yaml", policy))
                .extracting(Violation::code)
                .containsExactly("bad-bucket");
    }

    @ParameterizedTest
    @ValueSource(strings = {"etcd-backups", "a.b.c", "abc", "1-2", "192.168.1", "my-googol"})
    void bucketsThatMayBeThere(String bucket) {
        assertThat(violations(
                        "policies/a.yaml", Trees.policy("a", "").replace("directory: {path: /backups/a}", s3(bucket))))
                .isEmpty();
    }

    @Test
    void adviceIsBounded() {
        var labels = new StringBuilder("  podTemplate:\n    metadata:\n      labels:\n");
        for (int i = 0; i < 5000; i++) {
            labels.append("        k").append(i).append(": ").append(i).append('\n');
        }

        assertThat(violations("clusters/a.yaml", Trees.ring("a", labels.toString())))
                .isNotEmpty();
    }

    private static String s3(String bucket) {
        return "s3: {bucket: " + bucket + ", region: eu-west-1}";
    }

    private static List<Violation> violations(String file, String text) {
        return SpecLoader.load(Trees.of(Map.of(file, text))).violations();
    }

    private static EtcdClusterSpec ring(String spec) {
        var state = SpecLoader.load(Trees.of(Map.of("clusters/a.yaml", Trees.ring("a", spec))));
        assertThat(state.violations()).isEmpty();
        return state.rings().get(new ClusterRef("demo", "a"));
    }
}
