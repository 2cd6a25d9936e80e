package io.github.etcdgitops.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.value.Destination;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedPlacesTest {
    private static final String FILE = "/etc/etcd-gitops/credentials/storage/places";

    private static AllowedPlaces places(String text) {
        return AllowedPlaces.parse(FILE, Optional.of("storage"), text);
    }

    private static Destination s3(String bucket, String prefix, String endpoint) {
        return new Destination.S3(
                bucket,
                prefix,
                Optional.of(endpoint),
                Optional.empty(),
                true,
                Optional.of("storage"),
                Optional.empty());
    }

    private static Destination amazon(String bucket, String region) {
        return new Destination.S3(
                bucket, "", Optional.empty(), Optional.of(region), false, Optional.of("storage"), Optional.empty());
    }

    private static Destination gcs(String bucket, String prefix, Optional<String> endpoint) {
        return new Destination.Gcs(bucket, prefix, endpoint, Optional.of("storage"));
    }

    private static boolean allows(String line, Destination destination) {
        var places = places(line);
        assertThat(places.trouble()).isEmpty();
        return places.refusal(destination).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "b,  team-a/,       https://minio:9000, true",
        "b,  team-a/nested/, https://minio:9000, true",
        "b,  team-a/,       https://MINIO.:9000/, true",
        "b,  team-ab/,      https://minio:9000, false",
        "b,  team-b/,       https://minio:9000, false",
        "b,  '',            https://minio:9000, false",
        "b,  team-A/,       https://minio:9000, false",
        "B,  team-a/,       https://minio:9000, false",
        "b2, team-a/,       https://minio:9000, false",
        "b,  team-a/../x/,  https://minio:9000, false",
        "b,  team-a/./x/,   https://minio:9000, false",
        "b,  team-a//x/,    https://minio:9000, false",
        "b,  team-a/,       https://minio:9001, false",
        "b,  team-a/,       https://minio, false",
        "b,  team-a/,       http://minio:9000, false",
        "b,  team-a/,       https://minio.evil:9000, false",
        "b,  team-a/,       https://10.0.0.1:9000, false",
        "b,  team-a/,       http://127.0.0.1:9000, false",
        "b,  team-a/,       https://minio:99999, false",
    })
    void coversOneBucketFromOnePrefixDownAtOneServer(String bucket, String prefix, String endpoint, boolean allowed) {
        for (String line :
                List.of("s3://b/team-a/ endpoint=https://minio:9000", "s3://b/team-a endpoint=https://Minio.:9000/")) {
            assertThat(allows(line, s3(bucket, prefix, endpoint))).isEqualTo(allowed);
        }
    }

    @Test
    void endpointsThatAreLeftOutHaveTheirNames() {
        assertThat(allows("s3://b/ region=eu-central-1", amazon("b", "eu-central-1")))
                .isTrue();
        assertThat(allows("s3://b/ region=eu-central-1", amazon("b", "eu-west-1")))
                .isFalse();
        assertThat(allows("s3://b/ region=cn-north-1", s3("b", "", "https://s3.cn-north-1.amazonaws.com.cn")))
                .isTrue();
        assertThat(allows("s3://b/ endpoint=https://s3.eu-central-1.amazonaws.com", amazon("b", "eu-central-1")))
                .isTrue();
        assertThat(allows("gs://b/", gcs("b", "x/", Optional.empty()))).isTrue();
        assertThat(allows("gs://b/", gcs("b", "x/", Optional.of("https://storage.googleapis.com:443/"))))
                .isTrue();
        assertThat(allows("gs://b/", gcs("b", "x/", Optional.of("http://127.0.0.1:4443"))))
                .isFalse();
        assertThat(allows("gs://b/ endpoint=http://127.0.0.1:4443", gcs("b", "", Optional.empty())))
                .isFalse();
    }

    @Test
    void distinguishesKindsOfPlaces() {
        assertThat(allows("gs://b/", s3("b", "", "https://storage.googleapis.com")))
                .isFalse();
        assertThat(allows("s3://b/ endpoint=https://storage.googleapis.com", gcs("b", "", Optional.empty())))
                .isFalse();
        assertThat(allows("file:///b/", s3("b", "", "https://minio"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "/backups,          '',      true",
        "/backups,          orders/, true",
        "/backups/orders,   '',      true",
        "/backups2,         '',      false",
        "/,                 '',      false",
        "/etc,              '',      false",
        "/,                 backups/, true",
        "/backups/../etc,   '',      false",
        "/a/../backups,     '',      false",
        "/backups,          ../etc/, false",
        "/backups/./x,      '',      false",
        "backups,           '',      false",
    })
    void coversADirectoryAndWhatIsBelow(String path, String prefix, boolean allowed) {
        assertThat(allows("file:///backups", new Destination.Directory(path, prefix)))
                .isEqualTo(allowed);
    }

    @Test
    void severalPlacesStandOnLinesOrBehindSemicolons() {
        String text = """
            # Production
            gs://one/

            gs://two/ ; gs://three/
            """;

        for (String bucket : List.of("one", "two", "three")) {
            assertThat(allows(text, gcs(bucket, "", Optional.empty()))).isTrue();
        }
        assertThat(allows(text, gcs("four", "", Optional.empty()))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://b/",
                "s3://b/ region=eu endpoint=https://minio",
                "s3://b/ region=..",
                "s3://b/ endpoint=minio",
                "s3://b/ endpoint=https://minio:99999",
                "s3://b/ endpoint=https://user:password@minio",
                "s3://b/ endpoint=http://minio",
                "s3://b/ endpoint=http://localhost.evil",
                "s3://b/ endpoint=http://10.0.0.1",
                "s3://b/ endpoint=https://169.254.169.254",
                "s3://b/ endpoint=http://169.254.169.254 allow-http",
                "s3://b/ endpoint=https://[fe80::1]",
                "s3://b/ endpoint=https://0.0.0.0 allow-link-local",
                "s3://b/ endpoint=https://minio endpoint=https://other",
                "s3://b/ endpoint",
                "s3://b/ endpoint=https://minio allow-http=yes",
                "s3://b/ endpoint=https://minio allow-everything",
                "s3://b/../c/ endpoint=https://minio",
                "s3://b/team-*/ endpoint=https://minio",
                "s3://*/ endpoint=https://minio",
                "s3:///x/ endpoint=https://minio",
                "gs://b/ region=eu",
                "gs:b/",
                "https://minio/b",
                "file:///",
                "file://host/backups/",
                "file:///backups/../etc",
                "file:///backups/ allow-http",
                "backups/",
            })
    void invalidLineAllowsNothing(String wrong) {
        var places = places("gs://good/\n" + wrong);

        assertThat(places.places()).isEmpty();
        assertThat(places.refusal(gcs("good", "", Optional.empty())).orElseThrow())
                .contains(FILE + " line 2 ")
                .doesNotContain("password");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://b/ endpoint=http://127.0.0.1:9000",
                "s3://b/ endpoint=http://localhost:9000",
                "s3://b/ endpoint=http://[::1]:9000",
                "s3://b/ endpoint=http://minio:9000 allow-http",
                "s3://b/ endpoint=https://169.254.10.10 allow-link-local",
                "s3://b/ endpoint=http://169.254.10.10 allow-http allow-link-local",
            })
    void optionAllowsPlaceThatIsRefusedByDefault(String line) {
        assertThat(places(line).trouble()).isEmpty();
    }

    @Test
    void refusesCredentialSetWithoutPlaces() {
        var none = AllowedPlaces.unusable(
                FILE, Optional.of("storage"), "does not exist, so the credential set may not be used anywhere");

        assertThat(none.refusal(s3("any", "x/", "http://minio:9000")))
                .contains("s3://any/x/ at http://minio:9000 may not be used with the credential set storage: " + FILE
                        + " does not exist, so the credential set may not be used anywhere. If it is intended, the"
                        + " operator of the reconciler adds this line there: s3://any/x/"
                        + " endpoint=http://minio:9000 allow-http");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://minio:9000", "https://minio", "http://127.0.0.1:1"})
    void suggestedLineAllowsRefusedPlace(String endpoint) {
        var asked = s3("any", "x/", endpoint);
        String refusal = places("gs://other/").refusal(asked).orElseThrow();
        String line = refusal.substring(refusal.indexOf("adds this line there: ") + 22);

        assertThat(places(line).refusal(asked)).isEmpty();
    }

    @Test
    void refusalNamesMissingCredentialSet() {
        var none = AllowedPlaces.parse("the setting ETCD_GITOPS_PLACES", Optional.empty(), "file:///backups/");

        assertThat(none.refusal(new Destination.Directory("/etc", "")).orElseThrow())
                .startsWith("file:///etc/ may not be used: the setting ETCD_GITOPS_PLACES does not list it.")
                .endsWith(": file:///etc/");
        assertThat(none.refusal(new Destination.Gcs("b", "", Optional.empty(), Optional.empty()))
                        .orElseThrow())
                .startsWith("gs://b/ at https://storage.googleapis.com may not be used without a credential set: ");
    }
}
